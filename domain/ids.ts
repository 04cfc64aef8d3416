import { typeid } from 'typeid-js';

/** The type prefixes of all ids. */
export const idPrefixes = [
  'ins', 'key', 'dev', 'stu', 'fac', 'grp', 'lic', 'seat', 'exm', 'file', 'att', 'sub', 'gdn', 'cpb',
  'mov', 'cur', 'enr', 'we', 'evt', 'whd', 'req', 'bulk', 'code', 'sess', 'rpl', 'usr', 'pts', 'rep', 'aud', 'eml', 'rcv', 'enc', 'mbx', 'sgn',
  'stf', 'stk', 'dsc', 'exp',
] as const;

export type IdPrefix = (typeof idPrefixes)[number];

/** Returns a new id: the type's prefix and a time-ordered random part (TypeID, 26 characters of base 32). */
export function newId(prefix: IdPrefix): string {
  return typeid(prefix).toString();
}

const timePart = /^[a-z]+_([0-7][0-9a-hjkmnp-tv-z]{9})[0-9a-hjkmnp-tv-z]{16}$/;
const base32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns the text that ids of a type made at a time, or later, begin with, or come after. */
export function startOfIds(prefix: IdPrefix, at: Date): string {
  let digits = '';
  for (let ms = Math.max(0, at.getTime()); digits.length < 10; ms = Math.floor(ms / 32)) digits = base32.charAt(ms % 32) + digits;
  return `${prefix}_${digits}`;
}

/** Returns when an id was made, by its time-ordered part; undefined for a text that is no complete id. */
export function timeOfId(id: string): Date | undefined {
  const [, digits] = timePart.exec(id) ?? [];
  return digits === undefined ? undefined : new Date(Array.from(digits).reduce((ms, digit) => ms * 32 + base32.indexOf(digit), 0));
}

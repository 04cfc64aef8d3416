import { typeid } from 'typeid-js';

/** The type prefixes of all ids. */
export const idPrefixes = [
  'ins', 'key', 'dev', 'stu', 'fac', 'grp', 'lic', 'seat', 'exm', 'file', 'att', 'sub', 'gdn', 'cpb',
  'mov', 'cur', 'enr', 'we', 'evt', 'whd', 'req', 'bulk', 'code', 'sess', 'rpl', 'usr', 'pts', 'rep', 'aud', 'eml', 'rcv',
] as const;

export type IdPrefix = (typeof idPrefixes)[number];

/** Returns a new id: the type's prefix and a time-ordered random part (TypeID, 26 characters of base 32). */
export function newId(prefix: IdPrefix): string {
  return typeid(prefix).toString();
}

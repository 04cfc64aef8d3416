/** A student of the roster. */
export interface Pupil {
  full_name: string;
  class: string;
  email?: string;
}
/** Students by their student_id. */
export type Roster = Map<string, Pupil>;

/** Returns a roster as a file of the example. */
export const csvOf = (roster: Roster): string =>
  ['student_id,full_name,class,email', ...[...roster].map(([id, pupil]) => [id, `"${pupil.full_name}"`, pupil.class, pupil.email ?? ''].join(',')), ''].join('\n');

const count = 240;
const classes = 8;
const classOf = (nth: number): string => `class ${nth % classes}`;

/** The first night: everybody is new; every tenth has a personal email. */
export const firstNight: Roster = new Map(Array.from({ length: count }, (_, nth) => [
  `SIS-${nth}`,
  { full_name: `Student, ${nth}`, class: classOf(nth), ...(nth % 10 === 0 ? { email: `student.${nth}@example.org` } : {}) },
]));

/** The second: a tenth has left and as many are new, every twentieth has another name, every eighth another class. */
export function secondNight(): { roster: Roster; left: Roster } {
  const roster: Roster = new Map();
  const left: Roster = new Map();
  for (const [nth, [id, pupil]] of [...firstNight].entries()) {
    if (nth % 10 === 3) left.set(id, pupil);
    else roster.set(id, { ...pupil, ...(nth % 20 === 4 ? { full_name: `Renamed ${nth}` } : {}), ...(nth % 8 === 5 ? { class: classOf(nth + 1) } : {}) });
  }
  for (let nth = count; nth < count * 1.1; nth += 1) roster.set(`SIS-${nth}`, { full_name: `New ${nth}`, class: nth % 2 === 0 ? 'class new' : classOf(nth) });
  return { roster, left };
}

/** Returns items in an order that depends on them alone. */
export const sorted = <Item>(items: Iterable<Item>): Item[] => [...items].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

import type { Issue } from '../errors';

/** A concept of a curriculum, and its prerequisites. */
export interface Concept {
  id: string;
  title: string;
  /** Ids of concepts of the same curriculum. Reported to apps, not enforced. */
  requires: string[];
}

/** Limits of a curriculum and its concepts. */
export const conceptBounds = { concepts: 200, requires: 20, id: /^[a-z0-9._-]{1,64}$/ };

const duplicateIdIssues = (concepts: readonly Concept[], places: ReadonlyMap<string, number>): Issue[] =>
  concepts.flatMap(({ id }, nth) => (places.get(id) === nth ? [] : [{ path: `concepts.${nth}.id`, message: 'is already the id of another concept' }]));

/** Returns the problem with one required concept id; undefined if it is valid. */
function requirementProblem(requires: readonly string[], nth: number, places: ReadonlyMap<string, number>): string | undefined {
  const wanted = requires[nth] ?? '';
  if (!places.has(wanted)) return 'names no concept of this curriculum';
  return requires.indexOf(wanted) < nth ? 'names the same concept twice' : undefined;
}

const requirementIssues = (concepts: readonly Concept[], places: ReadonlyMap<string, number>): Issue[] =>
  concepts.flatMap(({ requires }, nth) =>
    requires.flatMap((_wanted, at) => {
      const message = requirementProblem(requires, at, places);
      return message === undefined ? [] : [{ path: `concepts.${nth}.requires.${at}`, message }];
    }),
  );

/** Returns one issue for each requirement that closes a cycle; removing all of them leaves the graph acyclic. */
function cycleIssues(concepts: readonly Concept[], places: ReadonlyMap<string, number>): Issue[] {
  const issues: Issue[] = [];
  const state = new Map<number, 'open' | 'done'>();
  const visit = (nth: number): void => {
    state.set(nth, 'open');
    const requires = concepts[nth]?.requires ?? [];
    for (const [at, wanted] of requires.entries()) {
      const next = places.get(wanted);
      // A repeated requirement is already reported as such.
      if (next === undefined || state.get(next) === 'done' || requires.indexOf(wanted) < at) continue;
      if (state.get(next) === 'open') issues.push({ path: `concepts.${nth}.requires.${at}`, message: 'leads back to this concept: no concept may require itself, directly or through others' });
      else visit(next);
    }
    state.set(nth, 'done');
  };
  for (const nth of concepts.keys()) if (!state.has(nth)) visit(nth);
  return issues;
}

/** Returns the problems of a curriculum's concepts that the schema does not find: duplicate ids, unknown or repeated requirements, cycles. */
export function conceptIssues(concepts: readonly Concept[]): Issue[] {
  const places = new Map<string, number>();
  for (const [nth, { id }] of concepts.entries()) if (!places.has(id)) places.set(id, nth);
  return [...duplicateIdIssues(concepts, places), ...requirementIssues(concepts, places), ...cycleIssues(concepts, places)];
}

import type { Issue } from '../errors';

/** A concept of a curriculum, and the concepts that come before it. */
export interface Concept {
  id: string;
  title: string;
  /** Ids of concepts of the same curriculum. They are told, not enforced. */
  requires: string[];
}

/** What a curriculum may have, and a concept of it. */
export const conceptBounds = { concepts: 200, requires: 20, id: /^[a-z0-9._-]{1,64}$/ };

const duplicateIdIssues = (concepts: readonly Concept[], places: ReadonlyMap<string, number>): Issue[] =>
  concepts.flatMap(({ id }, nth) => (places.get(id) === nth ? [] : [{ path: `concepts.${nth}.id`, message: 'is the id of another concept already' }]));

/** What is wrong with one of the concepts that a concept requires; undefined for nothing. */
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

/** The requirements that lead back to where they come from: without each of them there would be one circle fewer. */
function cycleIssues(concepts: readonly Concept[], places: ReadonlyMap<string, number>): Issue[] {
  const issues: Issue[] = [];
  const state = new Map<number, 'open' | 'done'>();
  const visit = (nth: number): void => {
    state.set(nth, 'open');
    const requires = concepts[nth]?.requires ?? [];
    for (const [at, wanted] of requires.entries()) {
      const next = places.get(wanted);
      // What stands twice is told of by that alone.
      if (next === undefined || state.get(next) === 'done' || requires.indexOf(wanted) < at) continue;
      if (state.get(next) === 'open') issues.push({ path: `concepts.${nth}.requires.${at}`, message: 'leads back to this concept: no concept may require itself, directly or through others' });
      else visit(next);
    }
    state.set(nth, 'done');
  };
  for (const nth of concepts.keys()) if (!state.has(nth)) visit(nth);
  return issues;
}

/** What is wrong with the concepts of a curriculum beyond their form: ids that stand twice, unknown or repeated requirements, circles. */
export function conceptIssues(concepts: readonly Concept[]): Issue[] {
  const places = new Map<string, number>();
  for (const [nth, { id }] of concepts.entries()) if (!places.has(id)) places.set(id, nth);
  return [...duplicateIdIssues(concepts, places), ...requirementIssues(concepts, places), ...cycleIssues(concepts, places)];
}

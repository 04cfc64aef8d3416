import fc from 'fast-check';
import { conceptIssues, type Concept } from '../../../domain/alpha/concepts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Concepts with ids of their own that require any of one another. */
const graph: fc.Arbitrary<Concept[]> = fc
  .uniqueArray(fc.constantFrom(...names), { minLength: 1 })
  .chain((ids) => fc.tuple(...ids.map((id) => fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 3 }).map((requires) => ({ id, title: id, requires })))));

/** Whether they can be learnt one after the other, each after those that it requires. */
function canBeLearnt(concepts: readonly Concept[]): boolean {
  const learnt = new Set<string>();
  for (const _round of concepts) {
    for (const { id, requires } of concepts) if (requires.every((one) => learnt.has(one))) learnt.add(id);
  }
  return learnt.size === concepts.length;
}

const placed = (concepts: readonly Concept[], path: string): boolean => {
  const [, nth, field, at] = /^concepts\.(\d+)\.(id|requires)(?:\.(\d+))?$/.exec(path) ?? [];
  const concept = concepts[Number(nth)];
  return field === 'id' ? concept !== undefined : concept?.requires[Number(at)] !== undefined;
};

it('concepts are taken exactly when they can be learnt one after the other', () => {
  fc.assert(
    fc.property(graph, (concepts) => {
      const issues = conceptIssues(concepts);
      expect(issues.length === 0).toBe(canBeLearnt(concepts));
      for (const { path } of issues) expect(placed(concepts, path)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

it('without the requirements that the error names they can be learnt', () => {
  fc.assert(
    fc.property(graph, (concepts) => {
      const named = new Set(conceptIssues(concepts).map(({ path }) => path));
      const fixed = concepts.map((concept, nth) => ({ ...concept, requires: concept.requires.filter((_one, at) => !named.has(`concepts.${nth}.requires.${at}`)) }));
      expect(conceptIssues(fixed)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

it('a chain of two hundred is no circle, and closing it is one', () => {
  const chain = Array.from({ length: 200 }, (_, nth): Concept => ({ id: `c${nth}`, title: 'C', requires: nth === 0 ? [] : [`c${nth - 1}`] }));
  expect(conceptIssues(chain)).toEqual([]);
  expect(conceptIssues(chain.map((concept, nth) => (nth === 0 ? { ...concept, requires: ['c199'] } : concept)))).toHaveLength(1);
});

it('circles are reported together with duplicate ids and requirements that are unknown or repeated, each once', () => {
  const concept = (id: string, ...requires: string[]): Concept => ({ id, title: id, requires });
  const paths = conceptIssues([concept('a', 'c', 'unknown'), concept('b'), concept('b'), concept('c', 'a', 'a')]).map(({ path }) => path);
  expect(paths).toEqual(['concepts.2.id', 'concepts.0.requires.1', 'concepts.3.requires.1', 'concepts.3.requires.0']);
});

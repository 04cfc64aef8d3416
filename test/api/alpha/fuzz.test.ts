import fc from 'fast-check';
import { platformOperations } from '../../../api/operations/platform';
import { withInvalidPart } from '../../support/schemaArbitraries';
import { pathOf } from '../../support/operations';
import { apiFixture } from '../../support/apiFixture';

const { api } = apiFixture({ institutionPer: 'none' });

const conceptIds = ['a', 'b', 'c', 'd'];

/** Curricula of few ids, so that they stand twice, require one another in circles, and name what is not there. */
const curriculum = fc.record({
  title: fc.constantFrom('Fractions', 'Ä'),
  concepts: fc.array(
    fc.record({ id: fc.constantFrom(...conceptIds), title: fc.constant('Concept'), requires: fc.array(fc.constantFrom(...conceptIds, 'nobody'), { maxLength: 2 }) }, { requiredKeys: ['id', 'title'] }),
    { minLength: 1, maxLength: 4 },
  ),
});

/** The same without anything wrong: each requires only what stands before it. */
const sound = fc.uniqueArray(fc.constantFrom(...conceptIds), { minLength: 1 }).map((ids) => ({
  title: 'Fractions',
  concepts: ids.map((id, nth) => ({ id, title: 'Concept', requires: ids.slice(0, nth) })),
}));

interface Issue {
  path: string;
  message: string;
}

/** Whether a dotted path leads somewhere in a body, or to a field that is missing there. */
function leadsSomewhere(body: unknown, { path, message }: Issue): boolean {
  const names = path.split('.');
  let place: unknown = body;
  for (const [nth, name] of names.entries()) {
    if (typeof place !== 'object' || place === null) return false;
    // A field that nobody knows may have dots in its name.
    if (Object.hasOwn(place, names.slice(nth).join('.'))) return true;
    if (!Object.hasOwn(place, name)) return nth === names.length - 1 && message.includes('required');
    place = Reflect.get(place, name);
  }
  return true;
}

it('any curriculum that is sent is created, or refused with the paths of its errors, and never answered 500', async () => {
  const record = platformOperations.find(({ operationId }) => operationId === 'createCurriculum');
  if (record === undefined) throw new Error('There is no createCurriculum');
  const tally: Record<number, number> = {};
  await fc.assert(
    fc.asyncProperty(fc.oneof(sound, curriculum, { weight: 2, arbitrary: withInvalidPart(curriculum) }), async (body) => {
      const { status, body: answer } = await api.platform(record.method, pathOf(record.path), { body });
      tally[status] = (tally[status] ?? 0) + 1;
      if (status === 200) return;
      expect([status, answer.error]).toEqual([422, 'validation_error']);
      expect(answer.issues.length).toBeGreaterThan(0);
      expect(answer.issues.filter((issue: Issue) => !leadsSomewhere(body, issue))).toEqual([]);
    }),
    { seed: 7, numRuns: 300, interruptAfterTimeLimit: 25_000, markInterruptAsFailure: true },
  );
  expect(tally[200]).toBeGreaterThan(30);
  expect(tally[422]).toBeGreaterThan(30);
});

import fc from 'fast-check';
import { publicOperations } from '../../../api/operations/public';
import type { ApiResponse } from '../../support/api';
import { fullSpec } from '../../support/codingExams';
import { seedFile, type SeededFile } from '../../support/seed/files';
import { withInvalidPart, arbitraryOf } from '../../support/schemaArbitraries';
import { bodySchemaOf, pathOf } from '../../support/operations';
import { apiFixture } from '../../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });
let file: SeededFile;
let group: string;
let exam: string;

const created = async (path: string, body: object): Promise<string> => (await api.call('POST', path, { key: institution.apiKey, body })).data.id;

beforeAll(async () => {
  file = await seedFile(api, institution);
  group = await created('/groups', { name: 'Class' });
  exam = await created('/exams', { faculty_id: institution.adminId, title: 'Sum', publish: false, code_spec: fullSpec });
});

/** What generated bodies cannot guess: ids of the institution, and the digest of its file. */
const own: Record<string, () => unknown> = {
  faculty_id: () => institution.adminId,
  group_ids: () => [group],
  file: () => ({ id: file.id }),
  sha256: () => file.sha256,
};

function withOwn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOwn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, own[name]?.() ?? withOwn(part)]));
}

/** Where a dotted path leads in a body; names may themselves have dots. */
function placeOf(body: unknown, path: string): 'there' | 'missing' | 'nowhere' {
  if (typeof body !== 'object' || body === null) return 'nowhere';
  if (Object.hasOwn(body, path)) return 'there';
  const ways = Object.entries(body).filter(([name]) => path.startsWith(`${name}.`)).map(([name, part]) => placeOf(part, path.slice(name.length + 1)));
  if (ways.includes('there')) return 'there';
  return ways.includes('missing') || (/^\w+$/.test(path) && !Array.isArray(body)) ? 'missing' : 'nowhere';
}

interface Issue {
  path: string;
  message: string;
}

/** Issues that do not say where: no path, one that leads nowhere, or a field said to be wrong that was not sent. */
const lost = (body: unknown, issues: readonly Issue[]): Issue[] =>
  issues.filter(({ path, message }) => {
    const place = placeOf(body, path);
    return path === '' || place === 'nowhere' || (place === 'missing' && !message.includes('required'));
  });

const depth = ({ path }: Issue): number => path.split('.').length;

/** How often each kind of answer came, and the deepest issue of all. */
interface Tally {
  statuses: Record<number, number>;
  deepest: number;
}

async function check(answer: ApiResponse, body: unknown, tally: Tally): Promise<void> {
  const { status, body: { error, issues = [] } } = answer;
  tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
  tally.deepest = Math.max(tally.deepest, ...issues.map(depth));
  expect([200, 404, 409, 422]).toContain(status);
  if (status !== 422) return;
  expect(['validation_error', 'invalid_faculty']).toContain(error);
  if (error === 'validation_error') expect([issues.length > 0, lost(body, issues)]).toEqual([true, []]);
}

const operations = [
  ['createExam', 200, 5],
  ['updateExam', 200, 5],
  ['assignExam', 100, 2],
  ['setCodeSecret', 100, 1],
] as const;

it.each(operations)('any body sent to %s is accepted or refused with a path, and never answered 500', async (operationId, numRuns, deepest) => {
  const record = publicOperations.find((one) => one.operationId === operationId);
  if (record === undefined) throw new Error(`There is no ${operationId}`);
  const path = pathOf(record.path, { id: exam });
  const bodies = arbitraryOf(bodySchemaOf(api.served, record), api.served.resolve).map(withOwn);
  const tally: Tally = { statuses: {}, deepest: 0 };
  await fc.assert(
    fc.asyncProperty(fc.oneof(bodies, { weight: 2, arbitrary: withInvalidPart(bodies) }), async (body) => {
      await check(await api.call(record.method, path, { key: institution.apiKey, body }), body, tally);
    }),
    { seed: 5, numRuns, interruptAfterTimeLimit: 25_000, markInterruptAsFailure: true },
  );
  // Enough of both, or the bodies say nothing of what is behind their form.
  expect(tally.statuses[200]).toBeGreaterThan(numRuns / 10);
  expect(tally.statuses[422]).toBeGreaterThan(numRuns / 10);
  expect(tally.deepest).toBeGreaterThanOrEqual(deepest);
});

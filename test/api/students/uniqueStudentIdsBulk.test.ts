import fc from 'fast-check';
import { institutionScope } from '../../../db/database';
import { readFailedItems } from '../../../domain/support/bulkCall';
import type { RunningWorker } from '../../../worker/start';
import { apiFixture } from '../../support/apiFixture';
import { bulkItems, postStudentsBulk, studentsOf, type BulkResult } from '../../support/batches';
import { existing, setUniqueStudentIds, takenBy } from '../../support/uniqueStudentIds';
import { startTestWorker } from '../../support/worker';

const fixture = apiFixture();
const { api, institution, call } = fixture;
let worker: RunningWorker;

beforeAll(async () => {
  worker = await startTestWorker(api.settings);
});

afterAll(() => worker.stop());

const bulk = async (students: object[]): Promise<BulkResult[]> => (await postStudentsBulk(api, institution, students)).data.results;
const created = ({ id = '', login_email = '' }: BulkResult = { index: -1 }) => ({ id, login_email });
const numbersOf = (results: readonly BulkResult[]): number[] => results.flatMap(({ login_email: email }) => (email === undefined ? [] : [Number(/^student(\d+)\./.exec(email)?.[1])]));

describe('POST /students/bulk with unique student_ids', () => {
  it('refuses an item whose student_id a student has, with who it is; the others are created, numbered without gaps', async () => {
    const first = (await call('POST', '/students', { student_id: 'S-1' })).data;
    await setUniqueStudentIds(fixture, true);
    const results = await bulk(bulkItems(3));
    expect(results[1]).toEqual({ index: 1, ...takenBy(first) });
    expect(numbersOf([0, 2].flatMap((nth) => results[nth] ?? []))).toEqual([2, 3]);
  });

  it.each([['near', 1], ['in a later chunk', 150]])('refuses the second item with the same student_id, %s, as a repetition of the student of the first', async (_where, distance) => {
    await setUniqueStudentIds(fixture, true);
    const items = bulkItems(distance + 2);
    items[distance] = { full_name: 'Somebody else', student_id: 'S-0' };
    const results = await bulk(items);
    expect(results[distance]).toEqual({ index: distance, ...takenBy(created(results[0])) });
    expect(results.filter(({ error }) => error !== undefined)).toHaveLength(1);
  });

  it('does so too where both have the same personal email', async () => {
    await setUniqueStudentIds(fixture, true);
    const item = { student_id: 'S-1', personal_email: 'ada@example.org' };
    const results = await bulk([item, item, { ...item, student_id: 'S-2' }]);
    expect(results[1]).toEqual({ index: 1, ...takenBy(created(results[0])) });
    expect(results[2]).toEqual({ index: 2, error: 'conflict', message: 'An earlier student of this call, with the index 0, has the same personal email.' });
  });

  it('counts only those of which a student is made: an item that fails leaves its student_id to the next', async () => {
    await call('POST', '/students', { personal_email: 'ada@example.org' });
    await setUniqueStudentIds(fixture, true);
    const results = await bulk([{ student_id: 'S-1', license_days: 0 }, { student_id: 'S-1', personal_email: 'ada@example.org' }, { student_id: 'S-1' }, { student_id: 'S-1' }]);
    expect(results.map(({ error }) => error ?? 'created')).toEqual(['validation_error', 'conflict', 'created', 'conflict']);
    expect([results[1]?.existing, results[3]?.existing]).toEqual([undefined, created(results[2])]);
  });

  it('sent again makes nobody: each item is answered with the student of the first call', async () => {
    await setUniqueStudentIds(fixture, true);
    const items = bulkItems(200).map((item, nth) => (nth % 3 === 0 ? { ...item, personal_email: `student${nth}@example.org` } : item));
    const first = await bulk(items);
    const again = await bulk(items);
    expect(again).toEqual(first.map((result) => ({ index: result.index, ...takenBy(created(result)) })));
    expect((await call('GET', '/students?limit=1')).data.total).toBe(200);
  });

  it('support reads of a conflict what another student has: the personal email or the student_id', async () => {
    await call('POST', '/students', { student_id: 'S-7', personal_email: 'ada@example.org' });
    await setUniqueStudentIds(fixture, true);
    const { headers, data } = await postStudentsBulk(api, institution, [{ personal_email: 'ada@example.org' }, { student_id: 'S-7' }, { personal_email: 'eve@example.org' }, { personal_email: 'eve@example.org' }]);
    expect(data.failed).toBe(3);
    const { data: log } = await api.platform('GET', `/institutions/${institution.id}/audit-log`, { query: { request_id: headers.get('x-request-id') ?? '' } });
    const failed = await readFailedItems(institutionScope(api.api.domain.database, institution.id), log.items[0].target.created);
    const conflict = (index: number, field: string) => ({ index, error: 'conflict', fields: [field], reason: `conflict, another student has this ${field}` });
    expect(failed).toEqual([conflict(0, 'personal_email'), conflict(1, 'student_id'), conflict(3, 'personal_email')]);
  });

  it('with the setting off creates every item, as ever', async () => {
    const results = await bulk([...bulkItems(3), ...bulkItems(3), {}, {}]);
    expect(results.map(({ error }) => error)).toEqual(Array.from({ length: 8 }, () => undefined));
  });

  it('leaves items without a student_id alone', async () => {
    await setUniqueStudentIds(fixture, true);
    const results = await bulk([{}, { student_id: null }, {}, { student_id: null }]);
    expect(results.filter(({ id }) => id !== undefined)).toHaveLength(4);
  });
});

it('any calls of items with few student_ids make one student of each, and every conflict names that one', async () => {
  const item = fc.record({ student_id: fc.constantFrom(null, 'A', 'B', 'C', 'a', 'D'), license_days: fc.constantFrom(0, 30, 365) });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(item, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 3 }), async (calls) => {
      const school = await api.institution();
      await call('PUT', '/institution/config', { unique_student_ids: true }, school);
      const holders = new Map<string, object>();
      for (const items of calls) {
        const results: BulkResult[] = (await postStudentsBulk(api, school, items)).data.results;
        items.forEach(({ student_id, license_days }, index) => {
          const result = results[index];
          const holder = student_id === null ? undefined : holders.get(student_id);
          if (license_days === 0) expect(result?.error).toBe('validation_error');
          else if (holder !== undefined) expect([result?.error, result?.existing]).toEqual(['conflict', holder]);
          else expect(result?.error).toBeUndefined();
          if (student_id !== null && holder === undefined && result?.id !== undefined) holders.set(student_id, existing(created(result)));
        });
      }
      for (const [studentId, students] of await studentsOf(api, school)) if (studentId !== '') expect(students).toEqual([holders.get(studentId)]);
    }),
    { numRuns: 15 },
  );
});

import type { RunningWorker } from '../../worker/start';
import { startTestApi, type ApiResponse, type TestApi, type TestInstitution } from '../support/api';
import { batchesOf, postStudentsBulk, lockEmail, studentsOf, bulkItems, type BulkResult } from '../support/batches';
import { eventsDuring } from '../support/events';
import { startTestWorker } from '../support/worker';

let api: TestApi;
let worker: RunningWorker;

beforeAll(async () => {
  api = await startTestApi();
  worker = await startTestWorker(api.settings);
});

afterAll(async () => {
  await worker.stop();
  await api.stop();
});

const resultsOf = ({ data }: ApiResponse): BulkResult[] => data.results;
const numberOf = ({ login_email: email }: BulkResult): number => Number(/^student(\d+)\./.exec(email ?? '')?.[1]);
const pathsOf = ({ issues }: BulkResult): string[] => (issues ?? []).map(({ path }) => path).sort();
const outcomesOf = (answer: ApiResponse): string[] => resultsOf(answer).map(({ error }) => error ?? 'created');
const from = (first: number, count: number): number[] => Array.from({ length: count }, (_, nth) => first + nth);

describe('200 students, three of them bad', () => {
  let institution: TestInstitution;
  let answer: ApiResponse;
  let results: BulkResult[];

  beforeAll(async () => {
    institution = await api.institution();
    const students: unknown[] = bulkItems(200);
    students[0] = 'no object';
    students[77] = { full_name: 7, license_days: 0, shoe_size: 4 };
    students[199] = { personal_email: 'not an address' };
    answer = await postStudentsBulk(api, institution, students);
    results = resultsOf(answer);
  });

  // Contract: students.bulk.partial-failure
  it('creates the 197 others', () => {
    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({ created: 197, failed: 3 });
    expect(results.filter(({ id }) => id !== undefined)).toHaveLength(197);
  });

  // Contract: students.bulk.partial-failure
  it('answers in input order', () => {
    expect(results.map(({ index }) => index)).toEqual(from(0, 200));
  });

  it('names every problem of a bad item, relative to the item', () => {
    const bad = results.filter(({ error }) => error !== undefined);
    expect(bad.map((result) => [result.index, result.error, pathsOf(result)])).toEqual([
      [0, 'validation_error', ['']],
      [77, 'validation_error', ['full_name', 'license_days', 'shoe_size']],
      [199, 'validation_error', ['personal_email']],
    ]);
  });

  it('numbers the students of the call without gaps, in input order', () => {
    const numbers = results.filter(({ id }) => id !== undefined).map(numberOf);
    expect(numbers).toEqual(from(1, 197));
  });

  // Contract: students.states.created-pending, students.bulk.body
  it('creates what the item says', async () => {
    const { data } = await api.call('GET', `/students/${results[142]?.id}`, { key: institution.apiKey });
    expect(data).toMatchObject({ login_email: results[142]?.login_email, full_name: 'Student 142', student_id: 'S-142', status: 'pending' });
    const days = (Date.parse(data.license.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(365, 1);
  });
});

describe('the call', () => {
  let institution: TestInstitution;
  beforeAll(async () => {
    institution = await api.institution();
  });

  // Contract: students.bulk.body, limits.bulk.200-students
  it.each([
    ['no list', undefined],
    ['something else than a list', { 0: {} }],
    ['an empty list', []],
    ['201 students', bulkItems(201)],
  ])('with %s is refused as a whole', async (_what, students) => {
    const { status, body } = await postStudentsBulk(api, institution, students);
    expect([status, body.error, body.issues.map(({ path }: { path: string }) => path)]).toEqual([422, 'validation_error', ['students']]);
  });

  it('answers 200 though every item fails, and leaves nothing under way', async () => {
    const answer = await postStudentsBulk(api, institution, [null, [], { license_days: '3' }]);
    expect([answer.status, answer.data.created, answer.data.failed]).toEqual([200, 0, 3]);
    expect(outcomesOf(answer)).toEqual(['validation_error', 'validation_error', 'validation_error']);
    expect((await batchesOf(api, institution)).map(({ status }) => status)).toEqual(['done']);
  });

  // Contract: students.creation.events
  it('appends student.created and license.generated for each student', async () => {
    let results: BulkResult[] = [];
    const events = await eventsDuring(api, institution, async () => {
      results = resultsOf(await postStudentsBulk(api, institution, bulkItems(120)));
    });
    const created = events.filter(({ type }) => type === 'student.created').map(({ data }) => data);
    expect(created).toEqual(results.map(({ id, login_email }) => ({ student_id: id, login_email, status: 'pending' })));
    expect(events.filter(({ type }) => type === 'license.generated')).toHaveLength(120);
  });

  it('made several times at once creates its students each time, each call numbered without gaps', async () => {
    const otherInstitution = await api.institution();
    const answers = await Promise.all(from(0, 4).map(() => postStudentsBulk(api, otherInstitution, bulkItems(150))));
    for (const answer of answers) {
      const numbers = resultsOf(answer).map(numberOf);
      expect(numbers).toEqual(from(numbers[0] ?? 0, 150));
    }
    const students = await studentsOf(api, otherInstitution);
    expect([...students.values()].map((same) => same.length)).toEqual(Array(150).fill(4));
  });

  it('says in its document what an item looks like', () => {
    const body = api.served.operationAt('POST', '/students/bulk')?.operation.requestBody;
    expect(body?.content['application/json']?.schema.properties?.students).toMatchObject({
      type: 'array',
      minItems: 1,
      maxItems: 200,
      items: { type: 'object', properties: { full_name: {}, student_id: {}, personal_email: {}, license_days: {} }, additionalProperties: false },
    });
  });
});

describe('an item', () => {
  let institution: TestInstitution;
  beforeEach(async () => {
    institution = await api.institution();
  });

  it('that is no object fails alone', async () => {
    expect(outcomesOf(await postStudentsBulk(api, institution, [{}, null, 7, [], 'text', {}]))).toEqual([
      'created', 'validation_error', 'validation_error', 'validation_error', 'validation_error', 'created',
    ]);
  });

  it('may leave out everything, and may say null where the field may be null', async () => {
    const answer = await postStudentsBulk(api, institution, [{}, { full_name: null, student_id: null, personal_email: null }]);
    expect(outcomesOf(answer)).toEqual(['created', 'created']);
  });

  // Contract: students.bulk.body, limits.license-days.1-to-3650
  it('sets its own license days, between 1 and 3650', async () => {
    const answer = await postStudentsBulk(api, institution, [{ license_days: 1 }, { license_days: 3650 }, { license_days: 0 }, { license_days: 3651 }, { license_days: 1.5 }]);
    expect(outcomesOf(answer)).toEqual(['created', 'created', 'validation_error', 'validation_error', 'validation_error']);
    const { data } = await api.call('GET', `/students/${resultsOf(answer)[0]?.id}`, { key: institution.apiKey });
    expect((Date.parse(data.license.expires_at) - Date.now()) / 86_400_000).toBeCloseTo(1, 1);
  });

  it('with an unknown field whose name no database keeps fails alone', async () => {
    const answer = await postStudentsBulk(api, institution, [{ 'a\0b': 1 }, { '\ud800': 1 }, {}]);
    expect(outcomesOf(answer)).toEqual(['validation_error', 'validation_error', 'created']);
    expect(resultsOf(answer).slice(0, 2).map(pathsOf)).toEqual([['a\ufffdb'], ['\ufffd']]);
  });
});

describe('a personal email', () => {
  let institution: TestInstitution;
  const withEmail = (email: string): object => ({ personal_email: email });
  beforeEach(async () => {
    institution = await api.institution();
  });

  it('that another person has mapped fails its item with conflict', async () => {
    await api.call('POST', '/students', { key: institution.apiKey, body: withEmail('ada@example.org') });
    const answer = await postStudentsBulk(api, institution, [{}, withEmail('ADA@example.org'), {}]);
    expect(outcomesOf(answer)).toEqual(['created', 'conflict', 'created']);
    expect(resultsOf(answer)[1]?.message).toMatch(/^personal_email is already used by .* PATCH their student_id: see docs\/syncing\.md\.$/);
    const numbers = resultsOf(answer).filter(({ id }) => id !== undefined).map(numberOf);
    expect(numbers).toEqual(from(numbers[0] ?? 0, 2));
  });

  it('given twice fails the later item, unless the earlier one is not valid', async () => {
    const answer = await postStudentsBulk(api, institution, [
      { ...withEmail('ada@example.org'), shoe_size: 4 }, withEmail('ada@example.org'), withEmail('Ada@Example.org'), withEmail('alan@example.org'),
    ]);
    expect(outcomesOf(answer)).toEqual(['validation_error', 'created', 'conflict', 'created']);
  });

  it('that another institution has mapped is free', async () => {
    const otherInstitution = await api.institution();
    await postStudentsBulk(api, otherInstitution, [withEmail('ada@example.org')]);
    expect(outcomesOf(await postStudentsBulk(api, institution, [withEmail('ada@example.org')]))).toEqual(['created']);
  });

  it('that somebody maps while the call runs fails its item alone', async () => {
    const held = await lockEmail(api, institution, 'ada@example.org');
    const calling = postStudentsBulk(api, institution, [{}, withEmail('ada@example.org'), {}]);
    await held.waitForBlockedTransaction();
    await held.end('COMMIT');
    expect(outcomesOf(await calling)).toEqual(['created', 'conflict', 'created']);
  });

  // Contract: students.personal-email.write-only, students.bulk.body
  it('is mapped, and neither answered nor kept with the batch', async () => {
    const answer = await postStudentsBulk(api, institution, [withEmail('sensitive.secret@example.org'), withEmail('sensitive.secret@example.org'), { full_name: 1, ...withEmail('sensitive.secret@example.org') }]);
    expect(JSON.stringify(answer.body)).not.toContain('sensitive');
    const { data } = await api.call('GET', `/students/${resultsOf(answer)[0]?.id}`, { key: institution.apiKey });
    expect(data.personal_email_mapped).toBe(true);
    const rows = await api.api.domain.database.sql<{ personal_email_sealed: string | null }>(
      'SELECT * FROM provisioning_rows WHERE institution_id = $1', [institution.id],
    );
    expect(rows.map(({ personal_email_sealed: sealed }) => sealed)).toEqual([null, null, null]);
    expect(JSON.stringify(rows)).not.toContain('sensitive');
  });
});

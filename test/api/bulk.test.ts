import type { RunningWorker } from '../../activities/start';
import { startTestApi, type Answer, type TestApi, type TestInstitution } from '../support/api';
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

const bulk = (institution: TestInstitution, students: unknown): Promise<Answer> =>
  api.call('POST', '/students/bulk', { key: institution.apiKey, body: { students } });

interface Result {
  index: number;
  id?: string;
  login_email?: string;
  error?: string;
  issues?: { path: string; message: string }[];
}

const many = (count: number): object[] => Array.from({ length: count }, (_, nth) => ({ full_name: `Student ${nth}`, student_id: `S-${nth}` }));
const numberOf = ({ login_email: email }: Result): number => Number(/^student(\d+)\./.exec(email ?? '')?.[1]);
const pathsOf = ({ issues }: Result): string[] => (issues ?? []).map(({ path }) => path).sort();

describe('200 students, three of them bad', () => {
  let north: TestInstitution;
  let answer: Answer;
  let results: Result[];

  beforeAll(async () => {
    north = await api.institution();
    const students: unknown[] = many(200);
    students[0] = 'no object';
    students[77] = { full_name: 7, license_days: 0, shoe_size: 4 };
    students[199] = { personal_email: 'not an address' };
    answer = await bulk(north, students);
    results = answer.data.results;
  });

  it('creates the 197 others', () => {
    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({ created: 197, failed: 3 });
    expect(results.filter(({ id }) => id !== undefined)).toHaveLength(197);
  });

  it('answers in input order', () => {
    expect(results.map(({ index }) => index)).toEqual([...Array(200).keys()]);
  });

  it('names every problem of a bad item, relative to the item', () => {
    expect([0, 77, 199].map((index) => [results[index]?.error, pathsOf(results[index]!)])).toEqual([
      ['validation_error', ['']],
      ['validation_error', ['full_name', 'license_days', 'shoe_size']],
      ['validation_error', ['personal_email']],
    ]);
  });

  it('gives consecutive numbers in input order', () => {
    const numbers = results.filter(({ id }) => id !== undefined).map(numberOf);
    expect(numbers).toEqual([...Array(197).keys()].map((nth) => nth + 1));
  });

  it('creates what the item says', async () => {
    const { data } = await api.call('GET', `/students/${results[42]?.id}`, { key: north.apiKey });
    expect(data).toMatchObject({ login_email: results[42]?.login_email, full_name: 'Student 42', student_id: 'S-42', status: 'pending' });
    const days = (Date.parse(data.license.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(365, 1);
  });
});

it('appends student.created and license.generated for each student', async () => {
  const north = await api.institution();
  let results: Result[] = [];
  const events = await eventsDuring(api, north, async () => {
    results = (await bulk(north, many(60))).data.results;
  });
  const created = events.filter(({ type }) => type === 'student.created').map(({ data }) => data);
  expect(created).toEqual(results.map(({ id, login_email }) => ({ student_id: id, login_email, status: 'pending' })));
  expect(events.filter(({ type }) => type === 'license.generated')).toHaveLength(60);
});

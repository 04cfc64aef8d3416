import { newId } from '../../../domain/ids';
import { startTestApi, type TestApi, type TestInstitution } from '../../support/api';
import { plantGuardian } from '../../support/exams';
import { plantStudents } from '../../support/manyStudents';
import { enrollLongAgo, itsWeek, plantDay, writeItsWeek } from '../../support/reports';

let api: TestApi;
let north: TestInstitution;

beforeAll(async () => {
  api = await startTestApi();
});

beforeEach(async () => {
  north = await api.institution();
});

afterAll(() => api.stop());

const list = (query: Record<string, string | number> = {}) => api.call('GET', '/guardians/reports', { key: north.apiKey, query });
const sql = (text: string, values: unknown[] = []) => api.api.domain.database.sql(text, [north.id, ...values]);
const mailbox = (): string => `${newId('usr')}@mail.example`;

/** Students who are enrolled; the nth learned 10 minutes and n on the week's Monday. */
async function learners(count: number): Promise<string[]> {
  const ids = await plantStudents(api, north, count, newId('stu').slice(-8));
  await enrollLongAgo(api, north, ids);
  await plantDay(api, north, ids, itsWeek, 10);
  return ids;
}

// Contract: 371c
it('lists one item for each report and verified link, with its numbers, and whether its letter has gone', async () => {
  const [ada = ''] = await learners(1);
  await sql("UPDATE institutions SET time_zone = 'Europe/Vienna' WHERE id = $1");
  const [mother, father] = [await plantGuardian(api, north, ada, mailbox()), await plantGuardian(api, north, ada, mailbox())];
  await plantGuardian(api, north, ada, mailbox(), 'unverified');
  await writeItsWeek(api, north);
  await sql("UPDATE weekly_report_letters SET status = 'sent', sent_at = '2026-11-16T12:11:00Z' WHERE institution_id = $1 AND guardian_id = (SELECT guardian_id FROM guardian_links WHERE id = $2)", [father]);
  const { data } = await list();
  expect(data).toMatchObject({ total: 2, has_more: false });
  const [one, other] = data.items;
  expect(one).toEqual({
    id: expect.stringMatching(/^rep_/), guardian_id: father, student_id: ada, student_email: expect.stringContaining(north.loginDomain),
    week_start: '2026-11-09', week_end: '2026-11-15', time_zone: 'Europe/Vienna', minutes: 10, days_met: 0, points: 0, points_balance: 0,
    concepts_mastered: 0, streak_days: 0, badges: [], sent_at: '2026-11-16T12:11:00.000Z', created_at: expect.any(String),
  });
  expect(other).toEqual({ ...one, guardian_id: mother, sent_at: null });
});

it('is paged, newest first, each item once', async () => {
  const ids = await learners(3);
  for (const id of ids) for (let nth = 0; nth < 2; nth += 1) await plantGuardian(api, north, id, mailbox());
  await writeItsWeek(api, north);
  const pages = [(await list({ limit: 4 })).data, (await list({ limit: 4, page: 2 })).data];
  expect(pages.map(({ total, has_more, items }) => [total, has_more, items.length])).toEqual([[6, true, 4], [6, false, 2]]);
  const items = pages.flatMap((page) => page.items);
  expect(new Set(items.map(({ id, guardian_id }: { id: string; guardian_id: string }) => `${id} ${guardian_id}`)).size).toBe(6);
  expect(items.map(({ minutes }: { minutes: number }) => minutes).sort()).toEqual([10, 10, 11, 11, 12, 12]);
});

// Contract: 371b
it('since is exclusive of created_at', async () => {
  const [ada = ''] = await learners(1);
  await plantGuardian(api, north, ada, mailbox());
  await writeItsWeek(api, north);
  const [{ created_at }] = (await list()).data.items;
  expect((await list({ since: created_at })).data.items).toEqual([]);
  const before = new Date(Date.parse(created_at) - 1).toISOString();
  expect((await list({ since: before })).data.items).toHaveLength(1);
});

it('ends with the link of a guardian, and shows nothing of another institution', async () => {
  const [ada = ''] = await learners(1);
  const link = await plantGuardian(api, north, ada, mailbox());
  await writeItsWeek(api, north);
  const south = await api.institution();
  expect((await api.call('GET', '/guardians/reports', { key: south.apiKey })).data.items).toEqual([]);
  await api.call('DELETE', `/guardians/${link}`, { key: north.apiKey });
  expect((await list()).data.items).toEqual([]);
});

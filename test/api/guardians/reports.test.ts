import { verifyLinks } from '../../../domain/guardians/verifyLinks';
import { newId } from '../../../domain/ids';
import { transact } from '../../../domain/transact';
import { systemCaller } from '../../support/api';
import { seedGuardian } from '../../support/seed/guardians';
import { seedStudents } from '../../support/seed/students';
import { seedEnrollments, seedLearningDay } from '../../support/seed/enrollments';
import { reportWeek, writeReportWeek } from '../../support/weeklyReports';
import { apiFixture } from '../../support/apiFixture';

const { api, institution } = apiFixture();

const list = (query: Record<string, string | number> = {}) => api.call('GET', '/guardians/reports', { key: institution.apiKey, query });
const sql = (text: string, values: unknown[] = []) => api.api.domain.database.sql(text, [institution.id, ...values]);
const mailbox = (): string => `${newId('usr')}@mail.example`;

/** Students who are enrolled; the nth learned 10 minutes and n on the week's Monday. */
async function learners(count: number): Promise<string[]> {
  const ids = await seedStudents(api, institution, count, newId('stu').slice(-8));
  await seedEnrollments(api, institution, ids);
  await seedLearningDay(api, institution, ids, reportWeek, 10);
  return ids;
}

/** A link whose guardian has accepted, and only has to sign in. */
async function accepted(studentId: string): Promise<string> {
  const link = await seedGuardian(api, institution, studentId, mailbox(), 'unverified');
  await sql("UPDATE guardian_links SET accepted_at = now(), expires_at = now() + interval '1 day' WHERE institution_id = $1 AND id = $2", [link]);
  return link;
}

/** Verifies an accepted link, as its guardian's sign-in does. */
async function verify(link: string): Promise<void> {
  const [row] = await api.api.domain.database.sql<{ guardian_id: string }>('SELECT guardian_id FROM guardian_links WHERE id = $1', [link]);
  await transact(api.api.domain, systemCaller(institution.id), (tx) => verifyLinks(tx, row?.guardian_id ?? ''));
}

// Contract: guardians.reports.response
it('lists one item for each report and verified link, with its numbers, and whether its email was sent', async () => {
  const [ada = ''] = await learners(1);
  await sql("UPDATE institutions SET time_zone = 'Europe/Vienna' WHERE id = $1");
  const [mother, father] = [await seedGuardian(api, institution, ada, mailbox()), await seedGuardian(api, institution, ada, mailbox())];
  await seedGuardian(api, institution, ada, mailbox(), 'unverified');
  await writeReportWeek(api, institution);
  await sql("UPDATE weekly_report_letters SET status = 'sent', sent_at = '2026-11-16T12:11:00Z' WHERE institution_id = $1 AND guardian_id = (SELECT guardian_id FROM guardian_links WHERE id = $2)", [father]);
  const { data } = await list();
  expect(data).toMatchObject({ total: 2, has_more: false });
  const [one, other] = data.items;
  expect(one).toEqual({
    id: expect.stringMatching(/^rep_/), guardian_id: father, student_id: ada, student_email: expect.stringContaining(institution.loginDomain),
    week_start: '2026-11-09', week_end: '2026-11-15', time_zone: 'Europe/Vienna', minutes: 10, days_met: 0, points: 0, points_balance: 0,
    concepts_mastered: 0, streak_days: 0, badges: [], sent_at: '2026-11-16T12:11:00.000Z', created_at: expect.any(String),
  });
  expect(other).toEqual({ ...one, guardian_id: mother, sent_at: null });
});

it('is paged, newest first, each item once', async () => {
  const ids = await learners(3);
  for (const id of ids) for (let nth = 0; nth < 2; nth += 1) await seedGuardian(api, institution, id, mailbox());
  await writeReportWeek(api, institution);
  const pages = [(await list({ limit: 4 })).data, (await list({ limit: 4, page: 2 })).data];
  expect(pages.map(({ total, has_more, items }) => [total, has_more, items.length])).toEqual([[6, true, 4], [6, false, 2]]);
  const items = pages.flatMap((page) => page.items);
  expect(new Set(items.map(({ id, guardian_id }: { id: string; guardian_id: string }) => `${id} ${guardian_id}`)).size).toBe(6);
  expect(items.map(({ minutes }: { minutes: number }) => minutes).sort()).toEqual([10, 10, 11, 11, 12, 12]);
});

// Contract: guardians.reports.query
it('since is exclusive of created_at', async () => {
  const [ada = ''] = await learners(1);
  await seedGuardian(api, institution, ada, mailbox());
  await writeReportWeek(api, institution);
  const [{ created_at }] = (await list()).data.items;
  expect((await list({ since: created_at })).data.items).toEqual([]);
  const before = new Date(Date.parse(created_at) - 1).toISOString();
  expect((await list({ since: before })).data.items).toHaveLength(1);
});

it('ends with the link of a guardian, and shows nothing of another institution', async () => {
  const [ada = ''] = await learners(1);
  const link = await seedGuardian(api, institution, ada, mailbox());
  await writeReportWeek(api, institution);
  const otherInstitution = await api.institution();
  expect((await api.call('GET', '/guardians/reports', { key: otherInstitution.apiKey })).data.items).toEqual([]);
  await api.call('DELETE', `/guardians/${link}`, { key: institution.apiKey });
  expect((await list()).data.items).toEqual([]);
});

it('an old report of a guardian who is verified later comes as a new item, first and after since', async () => {
  const [ada = '', bob = ''] = await learners(2);
  await seedGuardian(api, institution, bob, mailbox());
  const mother = await seedGuardian(api, institution, ada, mailbox());
  const father = await accepted(ada);
  await writeReportWeek(api, institution);
  const before = (await list()).data;
  expect(before.total).toBe(2);
  const [{ created_at: newest }] = before.items;
  await verify(father);
  const { data: { verified_at } } = await api.call('GET', `/students/${ada}/guardians`, { key: institution.apiKey })
    .then(({ data: { items } }) => ({ data: items.find(({ id }: { id: string }) => id === father) }));
  const [item, ...others] = (await list({ since: newest })).data.items;
  expect([item.guardian_id, item.student_id, item.created_at, others]).toEqual([father, ada, verified_at, []]);
  const all = (await list()).data.items;
  expect(all).toEqual([item, ...before.items]);
  expect(all.find(({ guardian_id }: { guardian_id: string }) => guardian_id === mother)).toMatchObject({ id: item.id });
  expect((await list({ since: item.created_at })).data.items).toEqual([]);
});

it('items come after earlier ones though the clock of the writer is behind', async () => {
  const [ada = '', bob = ''] = await learners(2);
  for (const id of [ada, bob]) await seedGuardian(api, institution, id, mailbox());
  const [father, uncle] = [await accepted(ada), await accepted(bob)];
  await writeReportWeek(api, institution);
  await sql("UPDATE weekly_reports SET created_at = created_at + interval '10 seconds' WHERE institution_id = $1");
  let newest = (await list()).data.items[0].created_at;
  for (const next of [() => verify(father), () => verify(uncle), () => writeAgain()]) {
    await next();
    const { items } = (await list({ since: newest })).data;
    expect(items.length).toBeGreaterThan(0);
    newest = items[0].created_at;
  }

  /** The same week once more, as another one's would be written. */
  async function writeAgain(): Promise<void> {
    await sql('DELETE FROM weekly_report_letters WHERE institution_id = $1');
    await sql('DELETE FROM weekly_report_runs WHERE institution_id = $1');
    await sql("UPDATE weekly_reports SET week = week - 7 WHERE institution_id = $1");
    await writeReportWeek(api, institution);
  }
});

it('a reader who follows by since misses no item, while guardians sign in and reports are written', async () => {
  const ids = await learners(25);
  for (const id of ids) await seedGuardian(api, institution, id, mailbox());
  const links = [];
  for (const id of ids) links.push(await accepted(id));
  await sql(
    `INSERT INTO weekly_reports (id, institution_id, student_id, week, minutes, days_met, points, points_balance, concepts_mastered, streak_days, badges, created_at)
     SELECT 'rep_old' || s, $1, s, '2026-11-02', 1, 0, 0, 0, 0, 0, '{}', now() FROM unnest($2::text[]) s`,
    [ids],
  );
  const changes = { under: true };
  const followed = (async () => {
    const seen = new Set<string>();
    const name = ({ id, guardian_id }: { id: string; guardian_id: string }): string => `${id} ${guardian_id}`;
    let since: string | undefined;
    const look = async (): Promise<void> => {
      const { items } = (await list({ limit: 200, ...(since === undefined ? {} : { since }) })).data;
      for (const item of items) seen.add(name(item));
      since = items[0]?.created_at ?? since;
    };
    while (changes.under) await look();
    await look();
    return seen;
  })();
  await Promise.all([...links.slice(0, 12).map(verify), writeReportWeek(api, institution), ...links.slice(12).map(verify)]);
  changes.under = false;
  expect((await followed).size).toBe((await list()).data.total);
  expect((await followed).size).toBe(100);
});

import { institutionScope, type InstitutionScope } from '../../../db/database';
import type { Page, PageOf, Position } from '../../../db/page';
import { listAuditLog } from '../../../db/repositories/auditLog/auditLog';
import { listGuardianLinks } from '../../../db/repositories/guardians/links';
import { listLicenses } from '../../../db/repositories/licenses/licenses';
import { listDeliveries } from '../../../db/repositories/webhooks/deliveries';
import { listStudents } from '../../../db/repositories/students/students';
import { listSubmissions } from '../../../db/repositories/submissions/submissions';
import { seedAuditLog } from '../../support/seed/auditLog';
import { seedDeadDeliveries } from '../../support/seed/deliveries';
import { seedEndpoint } from '../../support/seed/endpoints';
import { seedExam } from '../../support/seed/exams';
import { seedStudents } from '../../support/seed/students';
import { seedGuardians } from '../../support/seed/guardians';
import { withExplain, type ExecutedStatement } from '../../support/queryPlans';
import { apiFixture } from '../../support/apiFixture';
import { vacuum } from '../../support/statistics';

const { api, institution } = apiFixture({ institutionPer: 'file' });
const people = 4_000;
const limit = 20;
const lastPage = people / limit;

beforeAll(async () => {
  const studentIds = await seedStudents(api, institution, people);
  await seedGuardians(api, institution, studentIds);
  const { sql } = api.api.domain.database;
  // In an order of its own, as what is handed in has none of the ids.
  await sql(
    `WITH handed AS (SELECT s, 'att_' || s AS attempt, now() - (hashtext(s) % 1000000) * interval '1 s' AS at FROM unnest($3::text[]) s), attempts AS (
       INSERT INTO attempts (id, institution_id, exam_id, student_id, status, started_at, ended_at) SELECT attempt, $1, $2, s, 'submitted', at, at FROM handed
     )
     INSERT INTO submissions (id, institution_id, exam_id, student_id, attempt_id, version, status, is_late, submitted_at, updated_at)
     SELECT 'sub_' || s, $1, $2, s, attempt, 1, 'submitted', false, at, at FROM handed`,
    [institution.id, await seedExam(api, institution), studentIds],
  );
  await seedDeadDeliveries(api, institution, await seedEndpoint(api, institution, 'https://hooks.example.org/in'), people);
  await seedAuditLog(api, institution, { at: new Date(), count: people });
  await vacuum(api);
});

type Read = (scope: InstitutionScope, page: Page) => Promise<PageOf<{ id: string }>>;

/** Each list with what its page joins to the rows that it lists. */
const lists: [string, Read, string[]][] = [
  ['students', (scope, page) => listStudents(scope, {}, page), ['institution_emails', 'licenses']],
  ['active students', (scope, page) => listStudents(scope, { status: 'active' }, page), ['institution_emails', 'licenses']],
  ['licenses', (scope, page) => listLicenses(scope, {}, new Date(), page), ['institution_emails']],
  ['guardian links', (scope, page) => listGuardianLinks(scope, {}, page), ['institution_emails', 'users']],
  ['submissions', (scope, page) => listSubmissions(scope, {}, page), ['attempts', 'institution_emails']],
  ['deliveries', (scope, page) => listDeliveries(scope, {}, page), []],
];

/** What the statement of a page does, without that of the count. */
async function pageRead(read: Read, page: number): Promise<ExecutedStatement> {
  const { scope, done } = withExplain(institutionScope(api.api.domain.database, institution.id));
  const { rows } = await read(scope, { page, limit });
  expect(rows.length).toBeGreaterThan(limit / 2);
  const [, reading] = done;
  if (reading === undefined) throw new Error('The page was not read');
  return reading;
}

it.each(lists)('%s: the last of 200 pages joins what belongs to its own rows alone', async (_name, read, joined) => {
  const { scans } = await pageRead(read, lastPage);
  for (const table of joined) {
    expect(scans.filter((scan) => scan.startsWith(`${table}: `))).not.toEqual([]);
    expect(scans).not.toContain(`${table}: Seq Scan`);
  }
});

it.each(lists)('%s: the last of 200 pages costs the database no more than four times the first', async (_name, read) => {
  expect((await pageRead(read, lastPage)).blocks).toBeLessThan(4 * (await pageRead(read, 1)).blocks);
});

it.each(lists)('%s: pages one after the other are the list in its order, each row once', async (_name, read) => {
  const scope = institutionScope(api.api.domain.database, institution.id);
  const whole = await read(scope, { page: 1, limit: 2 * people });
  const pages = [];
  for (let page = 1; page <= 5; page += 1) pages.push(...(await read(scope, { page, limit: Math.ceil(whole.rows.length / 5) })).rows);
  expect(whole.rows.length).toBe(whole.total);
  expect(new Set(pages.map(({ id }) => id)).size).toBe(whole.total);
  expect(pages).toEqual(whole.rows);
});

/** What the statement of a page by cursor does. */
async function walkRead(read: Read, after: Position | null): Promise<ExecutedStatement> {
  const { scope, done } = withExplain(institutionScope(api.api.domain.database, institution.id));
  const { rows, total } = await read(scope, { page: 1, limit, cursor: { after } });
  expect([rows.length, total]).toEqual([limit, null]);
  const [reading, ...others] = done;
  if (reading === undefined || others.length > 0) throw new Error('A page by cursor is one statement');
  return reading;
}

const walked: typeof lists = [...lists, ['the audit log', (scope, page) => listAuditLog(scope, {}, page), []]];
const ownTables = /^(users|licenses|guardian_links|submissions|webhook_deliveries|audit_log_default): Seq Scan$/;

it.each(walked)('%s: by cursor the last of 200 pages is one statement, which reads what the first one reads', async (_name, read) => {
  const scope = institutionScope(api.api.domain.database, institution.id);
  const { next } = await read(scope, { page: lastPage - 2, limit });
  expect(next).not.toBeNull();
  const [first, last] = [await walkRead(read, null), await walkRead(read, next)];
  expect(last.blocks).toBeLessThan(1.5 * first.blocks + 10);
  expect(last.scans.filter((scan) => ownTables.test(scan))).toEqual([]);
});

import { createHash } from 'node:crypto';
import { newId } from '../../domain/ids';
import { stores } from '../../domain/erasure/stores';
import { chainOf, publishedCurriculum } from '../support/curricula';
import { startDedicatedPostgres, type DedicatedPostgres } from '../support/dedicatedPostgres';
import { erasureFixture } from '../support/erasureFixture';
import { eventually } from '../support/eventually';
import { readTotals } from '../support/institutionTotals';
import { newTexts, seedEverywhere, type SeededStudent, type SharedSchool } from '../support/seed/studentEverywhere';
import { startS3Server, type DedicatedS3Server } from '../support/s3Server';
import { startStubMailServer, type StubMailServer } from '../support/stubMailServer';

let bucket: DedicatedS3Server;
let postgres: DedicatedPostgres;
let office: StubMailServer;

// Mailboxes are outside of the service, so the mail server accepts no email: every one waits.
beforeAll(async () => {
  [bucket, postgres, office] = await Promise.all([startS3Server(), startDedicatedPostgres(), startStubMailServer()]);
  office.replyCode = () => 450;
  process.env.AWS_ACCESS_KEY_ID = bucket.credentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = bucket.credentials.secretAccessKey;
});
const fixture = erasureFixture(() => ({
  settings: { databaseUrl: postgres.url, smtpUrl: office.url, fileStore: { kind: 's3', bucket: bucket.bucket, region: bucket.region, endpoint: bucket.endpoint } },
  searched: { bucketFolder: bucket.objects, logFiles: [postgres.logFile] },
}));
const { api, institution, sql, call } = fixture;

// After the hooks of the fixture, which uses them.
afterAll(async () => {
  await Promise.all([bucket.stop(), postgres.stop(), office.close()]);
});

const post = (path: string, body: object) => api.call('POST', path, { key: institution.apiKey, body, headers: { 'idempotency-key': newId('req') } });

/** Two students in one bulk call, in one group with exams; the receiver of webhooks answers with what it knows of them. */
async function school(): Promise<{ erased: SeededStudent; other: SeededStudent; shared: SharedSchool }> {
  const [one, two] = [newTexts(), newTexts()];
  const bulk = await post('/students/bulk', { students: [one, two].map((texts) => ({ full_name: texts.formerName, student_id: texts.formerSisId })) });
  const [first, second]: string[] = bulk.data.results.map(({ id }: { id: string }) => id);
  if (first === undefined || second === undefined) throw new Error('The bulk call created nobody');
  fixture.receiver.respond = ({ body }) => ({ status: 500, body: [[first, one] as const, [second, two] as const].filter(([id]) => body.includes(id)).map(([, texts]) => `${texts.echo} ${texts.name}`).join(' ') });
  await call('POST', '/webhooks/endpoints', { url: fixture.receiver.url, events: ['*'] });
  await call('PUT', '/institution/config', { unique_student_ids: true });
  await api.platform('PUT', `/institutions/${institution.id}/allowance`, { body: { allowance_cents: 10_000 } });
  const curriculum = await publishedCurriculum(api, { 'x-actor': institution.adminId }, { concepts: chainOf(2) });
  const group = await fixture.createGroup([first, second]);
  const exam = async (): Promise<string> => (await fixture.createExam({ group_ids: [group], time_limit_minutes: 60 })).id;
  const shared: SharedSchool = { curriculum, group, exams: [await exam(), await exam()] };
  const erased = await seedEverywhere(fixture, shared, first, one, '203.0.113.81');
  const other = await seedEverywhere(fixture, shared, second, two, '203.0.113.82');
  // Refused, with the row in the error of Postgres; and a bulk call whose row names the one who has the identifier.
  expect((await post('/students', { full_name: one.name, student_id: one.sisId })).status).toBe(409);
  expect((await post('/students/bulk', { students: [{ full_name: one.name, student_id: one.sisId }] })).data.results[0].error).toBeDefined();
  return { erased, other, shared };
}

const storesIn = (found: readonly string[]): string[] => [...new Set(found.map((place) => place.slice(0, place.lastIndexOf(': '))))];

it('of an erased student nothing is found in any table, bucket, key, history, waiting email, log or metric; of another everything stays, and totals are as before', async () => {
  const { erased, other, shared } = await school();
  const { student: { id, login_email }, values } = erased;
  await eventually('responses that echo', async () => (await sql('SELECT 1 FROM webhook_attempts WHERE response_body LIKE $1', [`%${erased.texts.echo}%`])).length > 3);
  await eventually('emails that wait', async () => (await sql("SELECT 1 FROM exam_notice_recipients WHERE recipient_id = $1 AND error IS NOT NULL", [id])).length > 0);
  await eventually('a code that waits', async () => (await sql('SELECT 1 FROM sign_in_emails WHERE email_sealed IS NOT NULL AND tries > 0')).length > 0);

  // The limit of sign-ins counts client addresses, anybody's, for two minutes.
  const whereAre = async ({ values: searched }: SeededStudent) => (await fixture.whereAre(searched)).filter((place) => !place.startsWith('redis: 203.0.113.'));
  const [before, otherBefore] = [await whereAre(erased), await whereAre(other)];
  expect(values.filter((value) => !before.some((place) => place.endsWith(`: ${value}`)))).toEqual([]);
  expect(storesIn(before)).toEqual(expect.arrayContaining([
    'files', 'table account_claims', 'table alpha_points', 'table attempt_events', 'table events', 'table files', 'table guardian_letters', 'table guardian_links', 'table idempotency_keys',
    'table institution_emails', 'table licenses', 'table mailbox_changes', 'table merit_moves', 'table provisioning_rows', 'table seats', 'table sign_in_codes', 'table sign_in_emails', 'table sign_ins',
    'table submission_attachments', 'table submissions', 'table users', 'table webhook_attempts',
  ]));
  expect(storesIn(before).filter((place) => /^(?:history|redis|log|metrics)/.test(place))).toEqual([]);
  expect(before).toContain(`files: ${erased.texts.essay}`);
  const subjects = { studentId: id, examIds: shared.exams, groupIds: [shared.group] };
  const totals = await readTotals(fixture, subjects);
  fixture.receiver.respond = () => 200;

  const erasure = await fixture.erase(`/students/${login_email}`, { idempotencyKey: newId('req'), id });
  expect(await whereAre(erased)).toEqual([]);
  expect(await whereAre(other)).toEqual(otherBefore);
  expect(await readTotals(fixture, subjects)).toEqual(totals);

  const counts: Record<string, number> = Object.fromEntries(erasure.removed.map(({ store, count }: { store: string; count: number }) => [store, count]));
  expect(Object.keys(counts)).toEqual(['profile', 'guardian_links', ...Object.keys(stores)]);
  // Only a sandbox keeps emails.
  expect(Object.entries(counts).filter(([, count]) => count === 0).map(([store]) => store)).toEqual(['kept_emails']);
  expect(counts).toMatchObject({ guardian_links: 2, files: 4 });
  const { text, sha256 } = erasure.certificate;
  expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
  expect(JSON.parse(text)).toMatchObject({ person_id: id, kind: 'student', removed: erasure.removed });
});

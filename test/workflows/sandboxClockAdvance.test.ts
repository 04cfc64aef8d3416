import type { sandboxClockAdvance } from '../../workflows/sandboxClockAdvance';
import { openSession } from '../../domain/signIn/sessions';
import { transact } from '../../domain/transact';
import { systemCaller } from '../support/api';
import { eventually } from '../support/eventually';
import { recordHistory } from '../support/histories';
import { openSandboxOf, type TestSandbox } from '../support/sandboxes';
import { seedEnrollments } from '../support/seed/enrollments';
import { seedGuardian } from '../support/seed/guardians';
import { workflowFixture } from '../support/workflowFixture';

const daySeconds = 86_400;
const hourSeconds = 3_600;

const fixture = workflowFixture();
const { api, institution, sql } = fixture;

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openSandboxOf(api, institution);
});

const post = async (path: string, body: object = {}) => {
  const { status, data, body: all } = await sandbox.call('POST', path, body);
  if (status !== 200) throw new Error(`POST ${path}: ${status} ${JSON.stringify(all)}`);
  return data;
};
const get = async (path: string) => (await sandbox.call('GET', path)).data;
const createStudent = (body: object = {}) => post('/students', { full_name: 'Ada Test', ...body });
const eventsOf = async (type: string) => (await get(`/events?type=${type}`)).items;
const keptEmails = async (kind: string) => (await get('/sandbox/emails?limit=200')).items.filter((email: { kind: string }) => email.kind === kind);
const outcomeOf = (workflowId: string) => fixture.temporal.client.workflow.getHandle(workflowId).result();
const started = (workflowId: string) => eventually(workflowId, () => fixture.temporal.client.workflow.getHandle(workflowId).describe().catch(() => undefined));
const advanceWorkflow = (offsetSeconds: number) => fixture.temporal.client.workflow.getHandle<typeof sandboxClockAdvance>(`${sandbox.id}:clock:0:${offsetSeconds}`);

it('licenses whose time is over expire at once, with events that are not earlier; others do not', async () => {
  const [short, long] = [await createStudent({ license_days: 30 }), await createStudent({ license_days: 60 })];
  const { data: live } = await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Ada Live', license_days: 1 } });
  const expiresAt = short.license.expires_at;
  await sandbox.advance(31 * daySeconds);
  const [expired] = await eventually('the event', async () => {
    const events = await eventsOf('license.expired');
    return events.length > 0 && events;
  });
  expect(new Date(expired.created_at).getTime()).toBeGreaterThanOrEqual(new Date(expiresAt).getTime());
  await started(`${sandbox.id}:clock:0:${31 * daySeconds}`);
  expect(await advanceWorkflow(31 * daySeconds).result()).toMatchObject({ expired: 1 });
  expect((await get(`/students/${long.id}`)).license.status).toBe('active');
  expect((await api.call('GET', `/students/${live.id}`, { key: institution.apiKey })).data.license.status).toBe('active');
  await recordHistory('sandboxClockAdvance', advanceWorkflow(31 * daySeconds));
});

it('an invitation of a guardian is reminded of after three days and expires after 14', async () => {
  const student = await createStudent();
  const link = await post('/guardians', { student_id: student.id, guardian_email: 'guardian@mail.example', guardian_type: 'mother' });
  await eventually('the invitation', async () => (await keptEmails('guardian_invitation')).length === 1);
  await sandbox.advance(3 * daySeconds + 60);
  await eventually('the reminder', async () => (await keptEmails('guardian_reminder')).length === 1);
  await sandbox.advance(11 * daySeconds);
  expect(await outcomeOf(`${link.id}:1`)).toMatchObject({ outcome: 'expired' });
  expect((await get('/guardians')).items[0].status).toBe('expired');
  // Sent again, it runs by the clock as it is.
  const again = await post(`/guardians/${link.id}/resend`);
  await eventually('the second invitation', async () => (await keptEmails('guardian_invitation')).length === 2);
  expect(Math.abs(new Date(again.expires_at).getTime() - (await sandbox.now()).getTime() - 14 * daySeconds * 1_000)).toBeLessThan(60_000);
});

it('the platform is reminded of a coupon batch, which lapses on its date', async () => {
  const expiry_date = new Date(Date.now() + 30 * daySeconds * 1_000).toISOString();
  const batch = await post('/coupons/batches', { name: 'Fair', total_coupons: 3, value_cents: 500, expiry_date });
  await started(batch.id);
  await sandbox.advance(30 * daySeconds + 60);
  expect(await outcomeOf(batch.id)).toEqual({ outcome: 'expired', codes: 0 });
  expect((await get(`/coupons/batches/${batch.id}`)).status).toBe('expired');
});

it('an attempt is over when its time is', async () => {
  const student = await createStudent();
  const group = await post('/groups', { name: 'Class', student_ids: [student.id] });
  const exam = await post('/exams', { faculty_id: group.faculty_id, title: 'Algebra', group_ids: [group.id], time_limit_minutes: 60 });
  const { token } = await transact(api.api.domain, systemCaller(sandbox.id), (tx) => openSession(tx, String(student.id), 'student'));
  const attempt = await api.platform('POST', `/app/exams/${exam.id}/attempts`, { key: token });
  expect(attempt.status).toBe(200);
  await started(`${exam.id}:attempts:1`);
  await sandbox.advance(hourSeconds + 1);
  expect(await outcomeOf(`${exam.id}:attempts:1`)).toEqual({ outcome: 'done', abandoned: 1 });
  const [row] = await sql<{ status: string }>('SELECT status FROM attempts WHERE id = $1', [attempt.data.id]);
  expect(row?.status).toBe('abandoned');
});

describe('a webhook delivery whose receiver fails', () => {
  interface Delivery {
    id: string;
    status: string;
    attempts: number;
  }
  const deliveries = async (): Promise<Delivery[]> => (await get('/webhooks/deliveries')).items;
  const failed = async (): Promise<Delivery> => {
    fixture.receiver.respond = () => 500;
    await post('/webhooks/endpoints', { url: fixture.receiver.url, events: ['student.*'] });
    await createStudent();
    const [delivery] = await eventually('the first attempt', async () => {
      const found = await deliveries();
      return found[0]?.status === 'retrying' && found;
    });
    if (delivery === undefined) throw new Error('No delivery');
    return delivery;
  };

  it('is attempted again at once when its wait is skipped, signed by the real time', async () => {
    const { id } = await failed();
    await started(id);
    fixture.receiver.respond = () => 200;
    await sandbox.advance(5 * daySeconds / 24);
    await eventually('the retry', async () => (await deliveries())[0]?.status === 'delivered');
    expect((await deliveries())[0]).toMatchObject({ id, attempts: 2 });
    for (const { headers } of fixture.receiver.received) expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(60);
  });

  it('waits while its endpoint is paused, also through a skipped time, and is sent when the endpoint is resumed', async () => {
    const endpoint = await post('/webhooks/endpoints', { url: fixture.receiver.url, events: ['student.*'] });
    await sandbox.call('PATCH', `/webhooks/endpoints/${endpoint.id}`, { status: 'paused' });
    await createStudent();
    await eventually('the held delivery', async () => (await deliveries())[0]?.status === 'held');
    await sandbox.advance(13 * hourSeconds);
    await started(`${sandbox.id}:clock:0:${13 * hourSeconds}`);
    await advanceWorkflow(13 * hourSeconds).result();
    expect((await deliveries())[0]?.status).toBe('held');
    await sandbox.call('PATCH', `/webhooks/endpoints/${endpoint.id}`, { status: 'active' });
    await eventually('the attempt', async () => (await deliveries())[0]?.status === 'delivered');
  });

  it('is dead at once when its 12 hours are skipped while the circuit of its endpoint is open', async () => {
    const { id } = await failed();
    await started(id);
    await sql("UPDATE webhook_endpoints SET circuit = 'open', circuit_opened_at = now(), probe_at = now() + interval '1 day' WHERE institution_id = $1", [sandbox.id]);
    await sandbox.advance(12 * hourSeconds);
    await eventually('its end', async () => (await deliveries())[0]?.status === 'dead');
    expect((await deliveries())[0]).toMatchObject({ id, attempts: 1 });
    expect(fixture.receiver.received).toHaveLength(1);
  });

  it('has its last attempt and is dead when its 12 hours are skipped', async () => {
    const { id } = await failed();
    await started(id);
    await sandbox.advance(12 * hourSeconds);
    await eventually('its end', async () => (await deliveries())[0]?.status === 'dead');
    expect((await deliveries())[0]).toMatchObject({ id, attempts: 2 });
    expect(fixture.receiver.received).toHaveLength(2);
  });
});

it('the weekly reports of each skipped week are written, oldest first, and sent', async () => {
  const student = await createStudent();
  const sandboxInstitution = { ...institution, id: sandbox.id };
  await seedEnrollments(api, sandboxInstitution, [student.id]);
  await seedGuardian(api, sandboxInstitution, student.id, 'guardian@mail.example');
  await sandbox.advance(21 * daySeconds);
  await started(`${sandbox.id}:clock:0:${21 * daySeconds}`);
  expect(await advanceWorkflow(21 * daySeconds).result()).toMatchObject({ weeks: 3 });
  const reports = await sql<{ week: string }>('SELECT week::text FROM weekly_reports WHERE institution_id = $1 ORDER BY id', [sandbox.id]);
  const weeks = reports.map(({ week }) => week);
  expect(weeks).toHaveLength(3);
  expect([...weeks].sort()).toEqual(weeks);
  await eventually('the emails', async () => (await keptEmails('weekly_report')).length === 3);
});

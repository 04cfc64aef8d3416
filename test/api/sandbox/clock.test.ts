import fc from 'fast-check';
import { eventually } from '../../support/eventually';
import { apiFixture } from '../../support/apiFixture';
import { openSandboxOf, type TestSandbox } from '../../support/sandboxes';
import { openSession } from '../../../domain/signIn/sessions';
import { transact } from '../../../domain/transact';
import { systemCaller } from '../../support/api';

const daySeconds = 86_400;
const { api, institution, sql } = apiFixture();

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openSandboxOf(api, institution);
});

const secondsAhead = (at: unknown): number => (new Date(String(at)).getTime() - Date.now()) / 1_000;
const isAhead = (at: unknown, seconds: number): boolean => Math.abs(secondsAhead(at) - seconds) < 60;
const createStudent = async (body: object = {}) => (await sandbox.call('POST', '/students', { full_name: 'Ada Test', ...body })).data;
const newestEvent = async () => (await sandbox.call('GET', '/events')).data.items.at(-1);

describe('the clock of a sandbox', () => {
  it('begins at the real time, and moves forward by what a call says', async () => {
    const before = await sandbox.call('GET', '/sandbox/clock');
    expect([before.data.offset_seconds, isAhead(before.data.now, 0)]).toEqual([0, true]);
    const advanced = await sandbox.advance(7 * daySeconds);
    expect([advanced.status, advanced.data.offset_seconds, isAhead(advanced.data.now, 7 * daySeconds)]).toEqual([200, 7 * daySeconds, true]);
    await sandbox.advance(1);
    const after = await sandbox.call('GET', '/sandbox/clock');
    expect([after.data.offset_seconds, isAhead(after.data.now, 7 * daySeconds + 1)]).toEqual([7 * daySeconds + 1, true]);
  });

  it.each<[string, unknown, RegExp]>([
    ['back', -1, /advance_seconds must be at least 1: the clock only moves forward/],
    ['nowhere', 0, /advance_seconds must be at least 1: the clock only moves forward/],
    ['by more than 90 days', 90 * daySeconds + 1, /advance_seconds must be at most 7776000 \(90 days\) a call/],
    ['by a part of a second', 1.5, /advance_seconds must be a whole number/],
    ['by a text', '60', /advance_seconds must be a number/],
    ['by nothing', undefined, /advance_seconds is required/],
  ])('does not move %s', async (_where, advance_seconds, message) => {
    const { status, body } = await sandbox.call('POST', '/sandbox/clock', { advance_seconds });
    expect([status, body.error, body.issues[0].path]).toEqual([422, 'validation_error', 'advance_seconds']);
    expect(body.issues[0].message).toMatch(message);
    expect((await sandbox.call('GET', '/sandbox/clock')).data.offset_seconds).toBe(0);
  });

  it('is at most ten years ahead', async () => {
    for (let days = 0; days < 3_600; days += 90) expect((await sandbox.advance(90 * daySeconds)).status).toBe(200);
    expect((await sandbox.advance(50 * daySeconds)).status).toBe(200);
    const { status, body } = await sandbox.advance(1);
    expect([status, body.error, body.issues[0].path]).toEqual([422, 'validation_error', 'advance_seconds']);
    expect((await sandbox.call('GET', '/sandbox/clock')).data.offset_seconds).toBe(3_650 * daySeconds);
  });

  it('does not exist for a live key', async () => {
    for (const [method, body] of [['GET', undefined], ['POST', { advance_seconds: 60 }]] as const) {
      expect((await api.call(method, '/sandbox/clock', { key: institution.apiKey, body })).body.error).toBe('not_found');
    }
  });

  it('never moves back, and adds up what concurrent calls say', async () => {
    let total = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 30 * daySeconds }), { minLength: 1, maxLength: 6 }), async (advances) => {
        let watching = true;
        const watch = async (): Promise<number[]> => {
          const seen: number[] = [];
          while (watching) seen.push((await sandbox.now()).getTime());
          return seen;
        };
        const watched = watch();
        const answers = await Promise.all(advances.map((seconds) => sandbox.advance(seconds)));
        watching = false;
        const seen = await watched;
        expect(answers.map(({ status }) => status)).toEqual(advances.map(() => 200));
        expect([...seen].sort((one, other) => one - other)).toEqual(seen);
        const reached = answers.map(({ data }) => Number(data.offset_seconds)).sort((one, other) => one - other);
        // Each call answers a time of its own.
        expect(new Set(reached).size).toBe(advances.length);
        total += advances.reduce((sum, seconds) => sum + seconds, 0);
        expect(reached.at(-1)).toBe(total);
        expect((await sandbox.call('GET', '/sandbox/clock')).data.offset_seconds).toBe(total);
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });

  it('is written to the audit log, and its workflow to the outbox, with the same commit', async () => {
    const { headers } = await sandbox.advance(daySeconds);
    const rows = await sql<{ operation: string; changed: string[] }>('SELECT operation, changed FROM audit_log WHERE institution_id = $1 AND request_id = $2', [sandbox.id, headers.get('x-request-id')]);
    expect(rows).toEqual([{ operation: 'advanceSandboxClock', changed: ['advance_seconds'] }]);
  });
});

describe('by the clock of its sandbox a test key', () => {
  it('creates, and its events are stamped; those of the institution are not', async () => {
    await sandbox.advance(40 * daySeconds);
    const student = await createStudent({ license_days: 30 });
    expect([isAhead(student.license.expires_at, 70 * daySeconds), isAhead((await newestEvent()).created_at, 40 * daySeconds)]).toEqual([true, true]);
    await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Ada Live' } });
    const { data } = await api.call('GET', '/events', { key: institution.apiKey });
    expect(isAhead(data.items.at(-1).created_at, 0)).toBe(true);
  });

  it('polls events since a moment of that clock; a live key may not ask for a moment so far ahead', async () => {
    await sandbox.advance(40 * daySeconds);
    const student = await createStudent();
    const since = new Date((await sandbox.now()).getTime() - 60_000).toISOString();
    const { status, data } = await api.call('GET', '/events', { key: sandbox.key, query: { since } });
    expect([status, data.items.some(({ data: { student_id } }: { data: { student_id?: string } }) => student_id === student.id)]).toEqual([200, true]);
    expect((await api.call('GET', '/events', { key: institution.apiKey, query: { since } })).body.error).toBe('validation_error');
    const later = new Date((await sandbox.now()).getTime() + 600_000).toISOString();
    expect((await api.call('GET', '/events', { key: sandbox.key, query: { since: later } })).body.error).toBe('validation_error');
  });

  it('is the one by which the platform asks about the sandbox, by its path or its query', async () => {
    await sandbox.advance(7 * daySeconds);
    const since = (days: number) => new Date(Date.now() + days * daySeconds * 1_000).toISOString();
    for (const path of [`/institutions/${sandbox.id}/deliveries?since=`, `/institutions/${sandbox.id}/events?since=`]) {
      expect([path, (await api.platform('GET', `${path}${since(6)}`)).status]).toEqual([path, 200]);
      expect([path, (await api.platform('GET', `${path}${since(8)}`)).body.message]).toEqual([path, expect.stringContaining('since must be at most 5 minutes ahead')]);
      expect([path, (await api.platform('GET', path.replace(sandbox.id, institution.id) + since(6))).status]).toEqual([path, 422]);
    }
  });

  it('reads a license as expired the moment its time is over', async () => {
    const student = await createStudent({ license_days: 30 });
    await sandbox.advance(30 * daySeconds + 60);
    expect((await sandbox.call('GET', `/students/${student.id}`)).data.license.status).toBe('expired');
  });

  it('creates webhook endpoints', async () => {
    await sandbox.advance(daySeconds);
    const { status, data } = await sandbox.call('POST', '/webhooks/endpoints', { url: 'https://receiver.example/hook', events: ['*'] });
    expect([status, isAhead(data.created_at, daySeconds)]).toEqual([200, true]);
  });
});

describe('by the clock of a sandbox a session', () => {
  it('of a student lasts its 12 hours', async () => {
    const student = await createStudent();
    const { token } = await transact(api.api.domain, systemCaller(sandbox.id), (tx) => openSession(tx, String(student.id), 'student'));
    const asStudent = async () => (await api.platform('GET', '/app/exams', { key: token })).status;
    expect(await asStudent()).toBe(200);
    await sandbox.advance(12 * 3_600 - 60);
    expect(await asStudent()).toBe(200);
    await sandbox.advance(60);
    expect(await eventually('the end of the session', async () => (await asStudent()) === 401)).toBe(true);
  });
});

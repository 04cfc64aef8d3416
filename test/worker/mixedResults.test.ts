import { createRecorder, type Recorder } from '../../worker/sender/recorder';
import type { RecordedAttempt } from '../../db/repositories/webhooks/attempts';
import { lockInstitution } from '../../db/repositories/institutions/institutions';
import { claimPendingDeliveries, type ClaimedDelivery } from '../../db/repositories/webhooks/sending';
import { transact } from '../../domain/transact';
import { classifyAttempt } from '../../domain/webhooks/classifyAttempt';
import { deliveryWindowMs } from '../../domain/webhooks/retrySchedule';
import { circuitOf, countDeliveriesByState } from '../support/circuits';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { eventually } from '../support/eventually';
import { seededRandom } from '../support/seededRandom';
import { apiFixture } from '../support/apiFixture';

const sender = 'a sender';
const other = 'another sender';
const opens = 20;
const durationMs = 5;

const { api, institution } = apiFixture();
let written: RecordedAttempt[];
let errors: unknown[];

beforeEach(() => {
  written = [];
  errors = [];
});

const seedRow = (target = institution): Promise<string> => seedEndpoint(api, target, 'https://receiver.example/hook');
const circuit = (id: string) => circuitOf(api.api.domain.database.sql, id);
const waiters = (id: string) => countDeliveriesByState(api.api.domain.database.sql, id);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const recorderOf = (claimedBy: string): Recorder =>
  createRecorder(api.api.domain.database.sql, claimedBy, {
    onWritten: (group) => written.push(...group),
    onFailureSettled: () => undefined,
    onOutboxAppended: () => undefined,
    onReleased: () => undefined,
    onError: (error) => errors.push(error),
    isStopping: () => false,
  });

/** Writes so many deliveries and claims them as a sender does, oldest first. */
async function claim(endpointId: string, count: number, { target = institution, claimedBy = sender } = {}): Promise<ClaimedDelivery[]> {
  await Promise.all(Array.from({ length: count }, () => seedDelivery(api, target, endpointId)));
  const claimed = await claimPendingDeliveries(api.api.domain.database.sql, new Map([[endpointId, count]]), claimedBy, deliveryWindowMs);
  if (claimed.length !== count) throw new Error('Not every delivery was claimed');
  return claimed;
}

type Result = 'success' | 'failure';

/** An attempt of a claimed delivery that ended then, as the sender classifies it. */
function attempt(delivery: ClaimedDelivery | undefined, result: Result, endedAt: number): RecordedAttempt {
  if (delivery === undefined) throw new Error('Too few deliveries were claimed');
  const answer = { success: { ok: true, responseCode: 200, errorClass: null }, failure: { ok: false, responseCode: 500, errorClass: 'http' } } as const;
  return classifyAttempt(delivery, 'schedule', new Date(endedAt - durationMs), { ...answer[result], error: null, durationMs, connectMs: 1, responseBody: '', retryAfter: null, abort: false, resent: false }, 0.5);
}

const times = (count: number, result: Result): Result[] => Array.from({ length: count }, () => result);

/** 30 failures among 300 successes, at most three in a row; the last is a success. */
function interleaved(seed: number): Result[] {
  const random = seededRandom(seed);
  const groups = Array.from({ length: 10 }, () => [...times(3, 'failure'), ...times(29, 'success')].map((result) => ({ result, order: random() })));
  return groups.flatMap((group) => [...group.sort((a, b) => a.order - b.order).map(({ result }) => result), 'success' as const]);
}

/** The attempts of one sender at one endpoint, one every millisecond, the last of which has ended just now. */
async function attemptsOf(endpointId: string, results: readonly Result[]): Promise<RecordedAttempt[]> {
  const claimed = await claim(endpointId, results.length);
  const first = Date.now() - results.length;
  return results.map((result, nth) => attempt(claimed[nth], result, first + nth));
}

/** Has a recorder write attempts that come all at once; all that follows from them is written, too. */
async function record(attempts: readonly RecordedAttempt[], recorder = recorderOf(sender)): Promise<void> {
  for (const one of attempts) recorder.add(one);
  await recorder.flush();
}

describe('20 failures between which successes were recorded do not open the circuit', () => {
  /** A circuit that opened in between has left its mark: what failed then was held, and the backlog waits for it. */
  async function expectNeverOpened(id: string): Promise<void> {
    expect(await waiters(id)).toEqual({ delivered: 300, 'retrying by workflow': 30 });
    expect(await circuit(id)).toMatchObject({ circuit: 'closed', consecutive_failures: 0, failing_since: null, backlog_open: false, backlog_run: 0 });
    expect(errors).toEqual([]);
  }

  it.each([1, 2, 3])('when all of them are written at once (seed %i)', async (seed) => {
    const id = await seedRow();
    await record(await attemptsOf(id, interleaved(seed)));
    await expectNeverOpened(id);
  });

  it.each([1, 2, 3])('when the last success but the first of them was noted is 50 ms old (seed %i)', async (seed) => {
    const id = await seedRow();
    const attempts = await attemptsOf(id, interleaved(seed));
    const recorder = recorderOf(sender);
    const firstSuccess = attempts.findIndex(({ status }) => status === 'delivered');
    recorder.add(attempts[firstSuccess] ?? attempt(undefined, 'success', 0));
    const rest = attempts.filter((_one, nth) => nth !== firstSuccess);
    for (let begun = 0; begun < rest.length; begun += 40) {
      for (const one of rest.slice(begun, begun + 40)) recorder.add(one);
      await pause(5);
    }
    await recorder.flush();
    await expectNeverOpened(id);
  });

  it('when the failures came before them and after them, 19 each', async () => {
    const id = await seedRow();
    await record(await attemptsOf(id, [...times(19, 'failure'), 'success', ...times(19, 'failure')]));
    expect(await circuit(id)).toMatchObject({ circuit: 'closed', consecutive_failures: 19, backlog_run: 0 });
    expect(await waiters(id)).toEqual({ delivered: 1, 'retrying by workflow': 38 });
  });

  it('when another sender had the success, though it is noted after the next failure was', async () => {
    const id = await seedRow();
    const [success] = await claim(id, 1, { claimedBy: other });
    const failed = await claim(id, 30);
    const first = Date.now() - 100;
    const failures = failed.map((delivery, nth) => attempt(delivery, 'failure', first + 2 * nth));
    const recorder = recorderOf(sender);
    await record(failures.slice(0, 16), recorder);
    await record([attempt(success, 'success', first + 29)], recorderOf(other));
    await record(failures.slice(16), recorder);
    expect(await circuit(id)).toMatchObject({ circuit: 'closed', backlog_run: 0 });
    expect(await waiters(id)).toEqual({ delivered: 1, 'retrying by workflow': 30 });
  });
});

describe('20 failures after the last success open the circuit', () => {
  it.each([
    ['after many successes', [...times(100, 'success'), ...times(opens, 'failure')], { delivered: 100, held: opens }],
    ['after fewer failures and a success', [...times(10, 'failure'), 'success', ...times(opens, 'failure')], { delivered: 1, held: 10 + opens }],
    ['without any success', times(opens, 'failure'), { held: opens }],
  ] as const)('%s, when all of them are written at once', async (_when, results, states) => {
    const id = await seedRow();
    await record(await attemptsOf(id, results));
    expect(await circuit(id)).toMatchObject({ circuit: 'open', consecutive_failures: opens, backlog_open: true, backlog_run: 1 });
    expect(await waiters(id)).toEqual(states);
  });

  it('when they are written one after the other, and not before the twentieth', async () => {
    const id = await seedRow();
    const attempts = await attemptsOf(id, [...times(3, 'success'), ...times(opens, 'failure')]);
    const recorder = recorderOf(sender);
    for (const one of attempts.slice(0, -1)) await record([one], recorder);
    expect(await circuit(id)).toMatchObject({ circuit: 'closed', consecutive_failures: opens - 1 });
    await record(attempts.slice(-1), recorder);
    expect(await circuit(id)).toMatchObject({ circuit: 'open', consecutive_failures: opens });
  });

  it('when a success of another sender before them is noted only after the nineteenth', async () => {
    const id = await seedRow();
    const [success] = await claim(id, 1, { claimedBy: other });
    const attempts = await attemptsOf(id, times(opens, 'failure'));
    const recorder = recorderOf(sender);
    await record(attempts.slice(0, -1), recorder);
    await record([attempt(success, 'success', (attempts[0]?.ended_at.getTime() ?? 0) - 50)], recorderOf(other));
    expect(await circuit(id)).toMatchObject({ circuit: 'closed', consecutive_failures: opens - 1 });
    await record(attempts.slice(-1), recorder);
    expect(await circuit(id)).toMatchObject({ circuit: 'open', consecutive_failures: opens });
  });
});

it.each([
  ['before the failures', -50],
  ['among the failures', opens - 2],
])('a success that ended %s but is noted after the circuit has opened does not close it; one that ended after it does', async (_when, offset) => {
  const id = await seedRow();
  const claimed = await claim(id, opens);
  const [early, late] = await claim(id, 2, { claimedBy: other });
  const first = Date.now() - 100;
  await record(claimed.map((delivery, nth) => attempt(delivery, 'failure', first + nth)));
  expect((await circuit(id)).circuit).toBe('open');
  await record([attempt(early, 'success', first + offset)], recorderOf(other));
  expect(await circuit(id)).toMatchObject({ circuit: 'open', backlog_open: true });
  expect(await waiters(id)).toEqual({ held: opens, pending: 1, delivered: 1 });
  await record([attempt(late, 'success', Date.now())], recorderOf(other));
  expect(await circuit(id)).toMatchObject({ circuit: 'closed', consecutive_failures: 0, failing_since: null });
  await eventually('released', async () => JSON.stringify(await waiters(id)) === JSON.stringify({ delivered: 2, pending: opens }));
});

it('while one institution is locked for longer than anybody waits for a lock, failures of others in the same group are written, and its own afterwards, once', async () => {
  const institutions = [institution, await api.institution(), await api.institution()];
  const endpoints = await Promise.all(institutions.map(async (institution) => ({ institution, id: await seedRow(institution) })));
  const claimed = await Promise.all(endpoints.map(({ institution, id }) => claim(id, 3, { target: institution })));
  const own = endpoints.map(({ id }) => id);
  const locked = own[1] ?? '';
  const lock = { held: (): void => undefined, release: (): void => undefined };
  const isHeld = new Promise<void>((resolve) => { lock.held = resolve; });
  const released = new Promise<void>((resolve) => { lock.release = resolve; });
  const holding = transact(api.api.domain, { institutionId: institutions[1]?.id ?? '', now: new Date() }, async (tx) => {
    await lockInstitution(tx);
    lock.held();
    await released;
  });
  await isHeld;

  const recorder = recorderOf(sender);
  const begun = Date.now();
  // One of each institution after the other: the locked one's are neither first nor last.
  for (let nth = 0; nth < 3; nth += 1) for (const deliveries of claimed) recorder.add(attempt(deliveries[nth], 'failure', Date.now()));
  try {
    for (const id of own.filter((endpointId) => endpointId !== locked)) {
      await eventually('the others', async () => (await waiters(id))['retrying by workflow'] === 3, 3_500 - (Date.now() - begun));
    }
    // The locked one's are tried again meanwhile.
    await pause(Math.max(0, 6_000 - (Date.now() - begun)));
    expect(await waiters(locked)).toEqual({ pending: 3 });
  } finally {
    lock.release();
    await holding;
  }
  await eventually('its own', async () => (await waiters(locked))['retrying by workflow'] === 3);
  await recorder.flush();
  for (const id of own) {
    expect(await circuit(id)).toMatchObject({ circuit: 'closed', consecutive_failures: 3 });
    const [counts] = await api.api.domain.database.sql<{ attempts: number; outbox: number }>(
      `SELECT (SELECT count(*)::int FROM webhook_attempts WHERE endpoint_id = $1) AS attempts,
              (SELECT count(*)::int FROM owed_workflows WHERE argument ->> 'endpointId' = $1) AS outbox`,
      [id],
    );
    expect(counts).toEqual({ attempts: 3, outbox: 3 });
  }
  expect(written.map(({ delivery_id }) => delivery_id).sort()).toEqual(claimed.flat().map(({ id }) => id).sort());
});

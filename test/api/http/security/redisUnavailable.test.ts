import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApi } from '../../../../api/start';
import { createLogger } from '../../../../config/logger';
import { openSession } from '../../../../domain/signIn/sessions';
import { transact } from '../../../../domain/transact';
import { startUntilReady, type Launch } from '../../../../local/launch';
import { ProcessRecord } from '../../../../local/processRecord';
import type { RunningProcess } from '../../../../local/processes';
import { startRedis } from '../../../../local/programs/redis';
import { createProgress } from '../../../../local/progress';
import type { ApiResponse } from '../../../support/api';
import { eventually } from '../../../support/eventually';
import { apiFixture } from '../../../support/apiFixture';
import { readMetrics } from '../../../support/metrics';

/** A Redis of this test alone, which can be stopped, hung and started again on its port. */
interface OwnRedis {
  url: string;
  suspendProcess(): void;
  resumeProcess(): void;
  stop(): Promise<void>;
  start(): Promise<void>;
  end(): Promise<void>;
}

async function ownRedis(): Promise<OwnRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  const { record } = await ProcessRecord.claim(join(folder, 'processes.json'));
  let how: Launch | undefined;
  let running: RunningProcess | undefined;
  const { REDIS_URL: _elsewhere, ...environment } = process.env;
  const { url } = await startRedis({
    environment,
    logFile: join(folder, 'redis.log'),
    record,
    progress: createProgress(() => undefined, 'short'),
    launcher: async (launch) => {
      how = launch;
      running = await startUntilReady(launch, record);
      return running;
    },
  });
  const signal = (name: NodeJS.Signals): void => {
    if (running !== undefined) process.kill(running.pid, name);
  };
  return {
    url,
    suspendProcess: () => signal('SIGSTOP'),
    resumeProcess: () => signal('SIGCONT'),
    stop: async () => running?.stop(2_000),
    start: async () => {
      if (how !== undefined) running = await startUntilReady(how, record);
    },
    end: async () => {
      await record.release(2_000);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let redis: OwnRedis;

beforeAll(async () => {
  redis = await ownRedis();
});

const { api, institution } = apiFixture({ institutionPer: 'file', settings: () => ({ redisUrl: redis.url }) });

afterAll(() => redis.end());

const ask = (): Promise<ApiResponse> => api.call('GET', '/students', { key: institution.apiKey });
const waitForRecovery = () => eventually('the API counts again', async () => (await ask()).status === 200);

/** Never an unlimited pass: the one answer while nothing can be counted. */
function expectUnavailable({ status, body, headers }: ApiResponse): void {
  expect([status, body.error, headers.get('retry-after')]).toEqual([503, 'rate_limiter_unavailable', '5']);
  expect(headers.get('x-request-id')).toMatch(/^req_/);
  expect(headers.has('x-ratelimit-remaining')).toBe(false);
}

// Contract: errors.503.rate-limiter-unavailable, errors.conditions.limiter-store-unreachable, errors.rate-limiter-unavailable.retry-after-5
// Contract: rate-limit.headers.retry-after, rate-limit.store-unreachable.fails-closed
it('a store that hangs is answered 503 within 300 ms, and counts again when it goes on', async () => {
  await waitForRecovery();
  redis.suspendProcess();
  try {
    const took: number[] = [];
    for (let call = 0; call < 4; call += 1) {
      const began = performance.now();
      expectUnavailable(await ask());
      took.push(performance.now() - began);
    }
    // The machine may be busy with other tests: one that is not held up shows the deadline.
    expect(Math.min(...took)).toBeLessThan(300);
    // A deadline that nobody kept would be the client's own.
    expect(Math.max(...took)).toBeLessThan(5_000);
  } finally {
    redis.resumeProcess();
  }
  await waitForRecovery();
});

// Contract: errors.503.rate-limiter-unavailable, errors.conditions.limiter-store-unreachable, errors.rate-limiter-unavailable.retry-after-5
// Contract: rate-limit.store-unreachable.fails-closed
it('a store that is gone is answered 503 at once, and counts again when it is back', async () => {
  await waitForRecovery();
  await redis.stop();
  const answers = await Promise.all(Array.from({ length: 10 }, ask));
  answers.forEach(expectUnavailable);
  await redis.start();
  await waitForRecovery();
});

it('a process that starts while the store is gone comes up, and counts once it is there', async () => {
  await redis.stop();
  const late = await startApi(api.settings, createLogger('api', 'silent'));
  const askLate = () => fetch(`http://127.0.0.1:${late.port}/v1/students`, { headers: { authorization: `Bearer ${institution.apiKey}` } });
  expect((await askLate()).status).toBe(503);
  await redis.start();
  await eventually('the late process counts', async () => (await askLate()).status === 200);
  await late.stop();
  await waitForRecovery();
});

it('a process that has just come up counts its first request', async () => {
  await waitForRecovery();
  const fresh = await startApi(api.settings, createLogger('api', 'silent'));
  const { status } = await fetch(`http://127.0.0.1:${fresh.port}/v1/students`, { headers: { authorization: `Bearer ${institution.apiKey}` } });
  expect(status).toBe(200);
  await fresh.stop();
});

it('a call without a valid key is unauthorized though nothing can be counted', async () => {
  redis.suspendProcess();
  try {
    expect((await api.call('GET', '/students')).status).toBe(401);
  } finally {
    redis.resumeProcess();
  }
  await waitForRecovery();
});

const platformPort = (): number => Number(new URL(api.platformUrl).port);

it('without a store the API is degraded, and stays in its load balancer: the platform API goes on', async () => {
  redis.suspendProcess();
  try {
    const ready = await fetch(new URL('/readyz', api.platformUrl));
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'degraded', dependencies: { postgres: true, redis: false } }]);
    expect((await api.platform('GET', '/institutions')).status).toBe(200);
    const away = await readMetrics(platformPort());
    expect([away.get('dependency_up{dependency="postgres"}'), away.get('dependency_up{dependency="redis"}')]).toEqual([1, 0]);
  } finally {
    redis.resumeProcess();
  }
  await waitForRecovery();
  expect((await readMetrics(platformPort())).get('dependency_up{dependency="redis"}')).toBe(1);
});

it('probes that are answered are no calls: they are neither counted nor logged', async () => {
  const counted = async (): Promise<[string, number][]> => [...await readMetrics(platformPort())].filter(([name]) => name.startsWith('http_request_duration_seconds_count'));
  const before = await counted();
  for (const path of ['/healthz', '/readyz', '/metrics']) expect((await fetch(new URL(path, api.platformUrl))).status).toBe(200);
  expect(await counted()).toEqual(before);
  expect((await fetch(new URL('/elsewhere', api.platformUrl))).status).toBe(404);
  expect(await counted()).not.toEqual(before);
});

it("without a store the apps' listener refuses sign-ins, and sessions go on", async () => {
  const from = { 'x-forwarded-for': '203.0.113.7' };
  const body = { login_email: 'student9.00000000@nowhere.example' };
  const id = (await api.call('POST', '/students', { key: institution.apiKey, body: {} })).data.id;
  const { token } = await transact(api.api.domain, institution.caller, (tx) => openSession(tx, id, 'student'));
  redis.suspendProcess();
  try {
    expectUnavailable(await api.apps('POST', '/sign-in/codes', { headers: from, body }));
    const { status, headers } = await api.apps('GET', '/app/exams', { key: token, headers: from });
    expect([status, headers.get('retry-after')]).toEqual([200, null]);
  } finally {
    redis.resumeProcess();
  }
  await waitForRecovery();
});

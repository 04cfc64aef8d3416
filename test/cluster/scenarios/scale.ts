import { waitUntilSettled } from '../../../bench/week/deliveryCounts';
import { pause, waitUntil } from '../../../local/waitUntil';
import type { Progress } from '../../../local/progress';
import { cpuSeconds, limitCpu, type CpuShare } from '../cpuShare';
import type { ClusterTestOptions } from '../options';
import { openTrial, type OnOpen, type Trial } from '../trial';
import type { ScaleOutcome } from './index';

/** What processes of one kind did with their CPU time. */
export interface ScaleSeen {
  scenario: string;
  processes: number;
  /** Deliveries or calls a second. */
  per_second: number;
  cpu_s: number;
  per_cpu_second: number;
  /** To that of one process. */
  relative: number;
}

/** The part of a core that an API has, to that of a worker: so little that what calls, and what stands between, has more than enough left. */
const apiToWorker = 0.8;
const warmUpMs = 5_000;
/** A process that has just started still compiles what it runs. */
const compiledAfterMs = 20_000;
const wanted = 0.85;
const callersPerApi = 12;
/**
 * Deliveries that wait when workers go on, and from which to which part of them is measured: a process that was stopped connects again and
 * makes up for its timers first, and the last ones come in small groups.
 */
const backlog = 2_000;
const measuredParts = { from: 0.2, to: 0.85 };
const drainWithinMs = 120_000;
const callersForWorkers = 12;
/** How many of the callers' requests read one student; the others change one. */
const readsOf = 5;
const keyCount = 6;
const requestsPerMinute = 6_000;
const studentsPerTenant = 40;
/** Institutions whose deliveries the workers make. */
const subscribedTenants = 4;

/** An institution, and the keys that calls take in turn: one has its limit of requests a minute. */
interface Tenant {
  keys: string[];
  studentIds: string[];
}

/** An API, and the institution that calls it. */
interface Target {
  origin: string;
  tenant: Tenant;
}

async function makeKeys({ school }: Trial, institutionId: string): Promise<string[]> {
  const keys: string[] = [];
  for (let nth = 0; nth < keyCount; nth += 1) {
    const made = await school.platform<{ api_key: string }>('POST /institutions/{id}/keys', `/institutions/${institutionId}/keys`, { name: `Scale ${nth}`, scopes: ['students:write', 'licenses:write', 'webhooks:write'], rate_limit_per_min: requestsPerMinute });
    keys.push(made.api_key);
  }
  return keys;
}

/**
 * Opens an approved institution with students. Each API is called by one of its own, and the workers have the deliveries of several: a
 * process that its CPU quota stops within a transaction makes other changes of the same institution wait, at any API or worker.
 */
async function openTenant(trial: Trial, nth: number): Promise<Tenant> {
  const { school, caller, cluster } = trial;
  const domain = `scale${nth}.example`;
  const { id } = await school.platform<{ id: string }>('POST /institutions', '/institutions', { name: `Scale ${nth}`, login_domain: domain, admin_email: `admin@${domain}`, admin_name: 'Admin', allowance_cents: 1_000_000 });
  await school.platform('POST /institutions/{id}/approve', `/institutions/${id}/approve`, {});
  const keys = await makeKeys(trial, id);
  const students = Array.from({ length: studentsPerTenant }, (_, each) => ({ full_name: `Student ${each}` }));
  const { results } = await caller.call<{ results: { id: string }[] }>('POST /students/bulk', 'POST', `${cluster.apiUrl}/students/bulk`, { token: keys[0], body: { students } });
  return { keys, studentIds: results.map((entry) => entry.id) };
}

/** Opens an institution with an endpoint for what changes of its students. */
async function openSubscribedTenant(trial: Trial, nth: number): Promise<Tenant> {
  const tenant = await openTenant(trial, nth);
  await trial.caller.call('POST /webhooks/endpoints', 'POST', `${trial.cluster.apiUrl}/webhooks/endpoints`, { token: tenant.keys[0], body: { url: trial.receiver.url, events: ['student.updated'] } });
  return tenant;
}

/** Calls each target in so many loops while the work is done, which is given a count of the calls that have succeeded so far. */
async function whileCalled<T>(trial: Trial, targets: readonly Target[], loops: number, reads: number, work: (count: () => number) => Promise<T>): Promise<T> {
  const load = callInLoops(trial, targets, loops, reads);
  try {
    return await work(load.count);
  } finally {
    await load.stop();
  }
}

/** Calls each target in so many loops until it is stopped; returns how many calls succeeded so far. */
function callInLoops({ caller }: Trial, targets: readonly Target[], loops: number, reads: number): { count: () => number; stop: () => Promise<void> } {
  let [stopped, done, nth] = [false, 0, 0];
  const loop = async ({ origin, tenant: { keys, studentIds } }: Target): Promise<void> => {
    while (!stopped) {
      nth += 1;
      const url = `${origin}/v1/students/${studentIds[nth % studentIds.length] ?? ''}`;
      const token = keys[nth % keys.length];
      const call = nth % reads === 0 ? caller.call('PATCH /students/{id}', 'PATCH', url, { token, body: { full_name: `Student ${nth}` } }) : caller.call('GET /students/{id}', 'GET', url, { token });
      await call.then(() => { done += 1; }, () => undefined);
    }
  };
  const running = targets.flatMap((target) => Array.from({ length: loops }, () => loop(target)));
  return { count: () => done, stop: async () => { stopped = true; await Promise.all(running); } };
}

/** What some processes did in a while, and the CPU time that it took them. */
interface Measured {
  perSecond: number;
  cpu: number;
  done: number;
}

/** Measures `count` over some seconds with these processes limited to a part of a core each. */
async function measure(trial: Trial, names: readonly string[], share: number, seconds: number, count: () => number): Promise<Measured> {
  const pids = names.map((name) => trial.record.pidOf(name) ?? 0);
  const shares: CpuShare[] = names.map((name, nth) => limitCpu(name, pids[nth] ?? 0, share));
  try {
    await pause(warmUpMs);
    const [before, cpuBefore, begun] = [count(), pids.map(cpuSeconds), performance.now()];
    await pause(seconds * 1_000);
    const took = (performance.now() - begun) / 1_000;
    const cpu = pids.reduce((sum, pid, nth) => sum + cpuSeconds(pid) - (cpuBefore[nth] ?? 0), 0);
    const done = count() - before;
    return { perSecond: done / took, cpu, done };
  } finally {
    for (const each of shares) each.end();
  }
}

/** Has a backlog made while the workers are stopped, and measures how fast they deliver it. */
async function measureBacklog(trial: Trial, targets: readonly Target[], names: readonly string[], share: number): Promise<Measured> {
  const { record, receiver, cluster: { services: { workers } } } = trial;
  const pidsOf = (those: readonly string[]): number[] => those.map((name) => record.pidOf(name) ?? 0);
  const pids = pidsOf(names);
  const signal = (which: 'SIGSTOP' | 'SIGCONT', to: readonly number[]): void => {
    for (const pid of to) process.kill(pid, which);
  };
  signal('SIGSTOP', pidsOf(workers));
  await whileCalled(trial, targets, callersForWorkers / targets.length, 1, (count) =>
    waitUntil({ what: 'the backlog', withinMs: drainWithinMs, check: async () => { if (count() < backlog) throw new Error(`${count()} calls`); } }));
  const before = receiver.received.length;
  const shares = names.map((name, nth) => limitCpu(name, pids[nth] ?? 0, share));
  const arrived = (part: number): Promise<void> => waitUntil({
    what: 'the deliveries', withinMs: drainWithinMs,
    check: async () => { if (receiver.received.length - before < backlog * part) throw new Error(`${receiver.received.length - before} arrived`); },
  });
  try {
    signal('SIGCONT', pids);
    await arrived(measuredParts.from);
    const [cpuBefore, begun, already] = [pids.map(cpuSeconds), performance.now(), receiver.received.length];
    await arrived(measuredParts.to);
    const [seconds, done] = [(performance.now() - begun) / 1_000, receiver.received.length - already];
    return { perSecond: done / seconds, cpu: pids.reduce((sum, pid, nth) => sum + cpuSeconds(pid) - (cpuBefore[nth] ?? 0), 0), done };
  } finally {
    for (const each of shares) each.end();
    signal('SIGCONT', pidsOf(workers));
  }
}

function rowsOf(scenario: string, measured: readonly Measured[]): ScaleSeen[] {
  const efficiencies = measured.map(({ done, cpu }) => done / cpu);
  return measured.map(({ perSecond, cpu }, nth) => ({
    scenario, processes: nth + 1, per_second: Math.round(perSecond), cpu_s: Math.round(cpu * 100) / 100,
    per_cpu_second: Math.round(efficiencies[nth] ?? 0), relative: Math.round(((efficiencies[nth] ?? 0) / (efficiencies[0] ?? 1)) * 100) / 100,
  }));
}

/** One, two and three workers, and one and two APIs, each in a fixed part of a core: throughput per CPU second. */
export async function scale(progress: Progress, { perSecond, scaleSeconds, sharePercent }: ClusterTestOptions, onOpen: OnOpen): Promise<ScaleOutcome> {
  const trial = await openTrial({ progress, perSecond, onOpen });
  const { services } = trial.cluster;
  const workerShare = sharePercent / 100;
  try {
    const origins = services.apis.map(({ port }) => `http://127.0.0.1:${port}`);
    const ofWorkersTargets: Target[] = [];
    for (let nth = 0; nth < subscribedTenants; nth += 1) ofWorkersTargets.push({ origin: origins[nth % origins.length] ?? '', tenant: await openSubscribedTenant(trial, origins.length + nth) });
    const ofApisTargets: Target[] = [];
    for (const [nth, origin] of origins.entries()) ofApisTargets.push({ origin, tenant: await openTenant(trial, nth) });
    const settle = (): Promise<void> => waitUntilSettled(trial.database.sql, [trial.school.failingEndpointId], drainWithinMs);
    await progress.step('Everything is compiled', async () => {
      await whileCalled(trial, [...ofWorkersTargets, ...ofApisTargets], callersForWorkers / ofWorkersTargets.length, readsOf, () => pause(compiledAfterMs));
      await settle();
    });
    await progress.step('Workers have delivered before', () => measureBacklog(trial, ofWorkersTargets, services.workers, workerShare));
    await settle();
    const ofWorkers: Measured[] = [];
    for (let count = 1; count <= services.workers.length; count += 1) {
      ofWorkers.push(await progress.step(`workers: ${count}`, () => measureBacklog(trial, ofWorkersTargets, services.workers.slice(0, count), workerShare)));
      await settle();
    }
    const ofApis: Measured[] = [];
    for (let count = 1; count <= services.apis.length; count += 1) {
      const names = services.apis.slice(0, count).map(({ name }) => name);
      ofApis.push(await whileCalled(trial, ofApisTargets.slice(0, count), callersPerApi, readsOf, (done) => progress.step(`APIs: ${count}`, () => measure(trial, names, workerShare * apiToWorker, scaleSeconds, done))));
    }
    const rows = [...rowsOf('deliveries of workers', ofWorkers), ...rowsOf('calls of APIs', ofApis)];
    const broken = rows.filter(({ relative }) => relative < wanted).map(({ scenario, processes, relative }) => `${scenario}: ${processes} processes do ${relative} of one's work per CPU second`);
    return { rows, broken };
  } finally {
    await trial.end();
  }
}

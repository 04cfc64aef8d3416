import { loadavg } from 'node:os';
import { join } from 'node:path';
import { formatTable } from '../../bench/week/formatTable';
import { waitUntilSettled } from '../../bench/week/deliveryCounts';
import { openDatabase } from '../../db/database';
import { errorMessage } from '../../local/errors';
import { createProgress } from '../../local/progress';
import { projectRoot } from '../../local/projectRoot';
import { watchShutdownSignals } from '../../local/shutdownSignals';
import { pause } from '../../local/waitUntil';
import { openTemporal } from '../../outbound/temporal/engine';
import { startReceiver } from '../support/receiver';
import { Caller } from './calls';
import { playOnNewSchema } from './conformance';
import { waitForFills, type FillSeen } from './fills';
import { fillHistory } from './history';
import { startLoad, type Load } from './load';
import { beginLongWork, endLongWork } from './longWork';
import { watchMigrations, type MigrationTimes } from './migrationWatch';
import { readUpgradeOptions, type UpgradeOptions } from './options';
import { startProbe, type Probe } from './probe';
import { buildRelease, isBefore, type Release, releaseBefore, thisRelease } from './release';
import { callsByPhase, countArrivals, readWorkflowTasks } from './results';
import { openSchool } from './school';
import { Service } from './service';

const steadyMs = 8_000;
const settleWithinMs = 120_000;
const limitMinutes = 2;
/** The worker looks for fills once a minute; then 5 million rows take some minutes. */
const fillsWithinMs = 40 * 60_000;

const progress = createProgress((line) => process.stderr.write(`${line}\n`), 'every step');

interface Trial {
  service: Service;
  caller: Caller;
  load: Load;
}

/** Names what is being done, for the calls that are made meanwhile. */
async function phase<T>({ caller }: Pick<Trial, 'caller'>, name: string, work: (detail: (text: string) => void) => Promise<T>): Promise<T> {
  caller.phase = name;
  return progress.step(name, work);
}

/** Replaces the worker, then the API, each with the one before still running; a bulk call is under way whenever one ends. */
async function rollOut(trial: Trial, to: Release, steady: number): Promise<void> {
  const { service, load } = trial;
  await phase(trial, `worker of ${to.name}, the one before still running`, async () => {
    await service.startWorker(to);
    await pause(steadyMs / 2);
    load.bulk();
    await service.stopOldestWorker();
  });
  await phase(trial, `API of ${to.name}, the one before still running`, async () => {
    await service.startApi(to);
    await pause(steadyMs / 2);
    load.bulk();
    await service.stopOldestApi();
  });
  await phase(trial, `${to.name} alone`, () => pause(steady));
}

/** The rules that are broken, as sentences. */
type Broken = string[];

/** A call is up to so many statements: on a machine that is busy with other things each of them is slow. */
const statementsPerCall = 10;

/** Returns the calls of each phase, with the slowest commit of a row, and how long a call may take by that and by the phase before the upgrade. */
function callsWithBounds(caller: Caller, probe: Probe, { slowestMs }: UpgradeOptions) {
  const phases = callsByPhase(caller);
  const before = phases[0]?.slowest_ms ?? 0;
  return phases.map((calls) => {
    const commit = probe.slowest.get(calls.phase) ?? 0;
    return { ...calls, slowest_commit_ms: commit, allowed_ms: Math.max(slowestMs, statementsPerCall * commit, 2 * before) };
  });
}

function checkCalls(caller: Caller, phases: ReturnType<typeof callsWithBounds>): Broken {
  return [
    ...phases.filter(({ failed }) => failed !== '').map(({ phase: name, failed }) => `${name}: calls failed: ${failed}`),
    ...phases.filter(({ slowest_ms, allowed_ms }) => slowest_ms > allowed_ms).map(({ phase: name, slowest_ms, slowest, allowed_ms }) => `${name}: ${slowest} took ${slowest_ms} ms, longer than ${allowed_ms} ms`),
    ...[...new Set(caller.failed.map(({ phase: name, message }) => `${name}: ${message.replace(/ \(req_.*\)/, '')}`))].slice(0, 20),
  ];
}

/** The oldest release that works on the schema of this one. */
const oldestNextTo = 'v0.20.0';

function refuseSkipping(name: string): void {
  if (isBefore(name, oldestNextTo)) throw new Error(`${name} does not work on this schema: go by another release, as with --via v0.17.0,v0.20.0`);
}

async function run(options: UpgradeOptions, onOpen: (end: () => Promise<void>) => void): Promise<Broken> {
  const now = thisRelease();
  const tag = options.from ?? releaseBefore(now);
  refuseSkipping(options.via.at(-1) ?? tag);
  const [taking, failing] = [await startReceiver(), await startReceiver()];
  failing.respond = () => 500;
  const service = await Service.open(progress, [taking.host, failing.host], onOpen);
  const { record, logs, stores } = service;
  const build = (name: string): Promise<Release> => buildRelease(name, { record, progress, folder: join(projectRoot(), '.local', 'releases'), logs });
  const old = await build(tag);
  const path = [...await Promise.all(options.via.map(build)), now];
  const before = path.at(-2) ?? old;
  const caller = new Caller();
  const migrations: Record<string, MigrationTimes[]> = {};

  await progress.step(`${old.name}: migrations, worker and API`, async () => {
    await service.migrate(old);
    await service.startWorker(old);
    await service.startApi(old);
  });
  const school = await openSchool(caller, service, { taking, failing });
  const gigabytes = options.deliveries > 0 ? await fillHistory(stores.ownerDatabaseUrl, school, options.deliveries, progress) : 0;
  const temporal = openTemporal({ address: stores.temporalAddress, namespace: 'default', taskQueue: 'institution' });
  const database = await openDatabase(stores.ownerDatabaseUrl, 2, (error) => progress.log(error.message));
  const probe = await startProbe(stores.ownerDatabaseUrl, () => caller.phase);
  try {
    const work = await beginLongWork(school, temporal, limitMinutes);
    caller.phase = `${old.name} alone`;
    caller.tries.length = 0;
    const load = startLoad(school, options.perSecond);
    const trial = { service, caller, load };
    await phase(trial, `${old.name} alone`, () => pause(steadyMs));
    for (const release of path) {
      await phase(trial, `migrations of ${release.name}`, async () => {
        migrations[release.name] = await watchMigrations(stores.ownerDatabaseUrl, () => service.migrate(release));
      });
      await rollOut(trial, release, release === now ? options.minutes * 60_000 : steadyMs);
    }
    const fills: FillSeen[] = await phase(trial, `fills of ${now.name}`, (detail) => waitForFills(database.sql, fillsWithinMs, detail));
    if (options.back) {
      await rollOut(trial, { ...before, name: `${before.name} again` }, steadyMs);
      await rollOut(trial, { ...now, name: `${now.name} again` }, steadyMs);
    }
    await phase(trial, 'the end', () => load.stop());
    const ends = await progress.step('What was begun before ends', () => endLongWork(school, work, { sql: database.sql, temporal, failing, mailDir: stores.mailDir, limitMinutes }));
    const unsettled = await waitUntilSettled(database.sql, [], settleWithinMs).then(() => undefined, (error: unknown) => errorMessage(error));
    const arrivals = await countArrivals(database.sql, school, taking, service.stops);
    const workflows = await progress.step('Histories of workflows', () => readWorkflowTasks(temporal));
    const calls = callsWithBounds(caller, probe, options);
    const stops = service.stops.map(({ what, from, to, code }) => ({ what, took_ms: to - from, code }));
    const broken = [
      ...checkCalls(caller, calls),
      ...ends.filter(({ ok }) => !ok).map(({ work: name, result }) => `${name}: ${result}`),
      ...(unsettled === undefined ? [] : [unsettled]),
      ...(arrivals.lost > 0 ? [`${arrivals.lost} of ${arrivals.published} events did not arrive: ${arrivals.first_lost}`] : []),
      ...(arrivals.unexplained_duplicates > 0 ? [`${arrivals.unexplained_duplicates} events arrived again that were not under way when a process ended`] : []),
      ...workflows.filter(({ task_failures, failed }) => task_failures + failed > 0).map(({ type, task_failures, failed, causes }) => `${type}: ${task_failures} failed workflow tasks, ${failed} failed workflows: ${causes}`),
      ...stops.filter(({ code }) => code !== 0).map(({ what, code }) => `The ${what} ended with ${String(code)}`),
    ];
    const day = options.conformance ? await playOnNewSchema(before, now, { record, progress, logs }) : undefined;
    broken.push(...day ?? []);
    const conformance = [{ of: before.name, on_schema_of: now.name, day: day === undefined ? 'not played' : day.length === 0 ? 'passed' : 'failed' }];
    const tables: Record<string, readonly object[]> = { calls, ...Object.fromEntries(Object.entries(migrations).map(([name, times]) => [`migrations of ${name}`, times])), fills, stops, arrivals: [arrivals], 'begun before': ends, workflows, conformance };
    for (const [name, rows] of Object.entries(tables)) process.stderr.write(`\n${name}\n${formatTable(rows)}\n`);
    const machine = { load_average: loadavg().map((load1) => Math.round(load1 * 10) / 10) };
    process.stdout.write(`${JSON.stringify({ from: old.name, to: now.name, via: options.via, deliveries: options.deliveries, gigabytes, calls_per_s: options.perSecond, machine, ...tables, broken })}\n`);
    return broken;
  } finally {
    await probe.stop();
    await database.close();
    await temporal.close();
    await Promise.all([taking.close(), failing.close()]);
  }
}

/** Longer than any trial; what hangs ends. */
const withinMs = 2 * 60 * 60_000;

async function main(): Promise<void> {
  let end = async (): Promise<void> => undefined;
  const options = readUpgradeOptions(process.argv.slice(2));
  const interrupted = new Promise<never>((_resolve, reject) => {
    watchShutdownSignals({ onStop: (why) => reject(new Error(`Stopped: ${why}`)), onKill: () => process.exit(1) });
    setTimeout(() => reject(new Error(`It took longer than ${withinMs / 60_000} minutes`)), withinMs).unref();
  });
  try {
    const broken = await Promise.race([run(options, (stop) => { end = stop; }), interrupted]);
    process.stderr.write(broken.length === 0 ? '\nNo rule is broken.\n' : `\nBroken:\n${broken.map((line) => `  ${line}\n`).join('')}`);
    process.exitCode = broken.length === 0 ? 0 : 1;
  } finally {
    await end();
  }
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);

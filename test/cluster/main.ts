import { loadavg } from 'node:os';
import { formatTable } from '../../bench/week/formatTable';
import { createProgress } from '../../local/progress';
import { watchShutdownSignals } from '../../local/shutdownSignals';
import { readClusterTestOptions, type ClusterTestOptions } from './options';
import { clocksApart, cutFromPostgres, cutFromTemporal, killAll, lostPostgres, lostRedis, lostTemporal, type Outcome, type Scenario } from './scenarios';
import { scale } from './scenarios/scale';
import { rollingUpgrade } from './scenarios/upgrade';
import { openTrial, type Trial } from './trial';

const progress = createProgress((line) => process.stderr.write(`${line}\n`), 'every step');

/** Those that share a cluster, in their order. */
const onOneCluster: Readonly<Record<string, Scenario>> = {
  postgres: lostPostgres,
  redis: lostRedis,
  temporal: lostTemporal,
  'cut-temporal': cutFromTemporal,
  'cut-postgres': cutFromPostgres,
  clocks: clocksApart,
  kills: killAll,
};

/** Longer than any run; what hangs ends. */
const withinMs = 2 * 60 * 60_000;

async function runShared(names: readonly string[], options: ClusterTestOptions, onOpen: (trial: Trial) => void): Promise<Outcome[]> {
  if (names.length === 0) return [];
  const trial = await openTrial({ progress, perSecond: options.perSecond });
  onOpen(trial);
  const outcomes: Outcome[] = [];
  for (const name of names) {
    const scenario = onOneCluster[name];
    if (scenario !== undefined) outcomes.push(...await scenario(trial, options));
  }
  await trial.end();
  return outcomes;
}

/** Runs what the names say, in this order: those on one cluster, the upgrade, the sizes. */
async function runAll(names: readonly string[], options: ClusterTestOptions, onOpen: (trial: Trial) => void): Promise<{ seen: object[]; broken: string[] }> {
  const outcomes = await runShared(names.filter((name) => name in onOneCluster), options, onOpen);
  if (names.includes('upgrade')) outcomes.push(...await rollingUpgrade(progress, options, onOpen));
  const sizes = names.includes('scale') ? await scale(progress, options, onOpen) : { rows: [], broken: [] };
  return { seen: [...outcomes.map(({ seen }) => seen), ...sizes.rows], broken: [...outcomes.flatMap((outcome) => outcome.broken), ...sizes.broken] };
}

/** Runs the scenarios that the command line names, or all; returns the exit code. */
export async function runClusterTest(args: readonly string[]): Promise<number> {
  const options = readClusterTestOptions(args);
  const known = [...Object.keys(onOneCluster), 'upgrade', 'scale'];
  const unknown = options.only.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`There is no scenario ${unknown.join(', ')}: there are ${known.join(', ')}`);
  let open: Trial | undefined;
  const interrupted = new Promise<never>((_resolve, reject) => {
    watchShutdownSignals({ onStop: (why) => reject(new Error(`Stopped: ${why}`)), onKill: () => process.exit(1) });
    setTimeout(() => reject(new Error(`It took longer than ${withinMs / 60_000} minutes`)), withinMs).unref();
  });
  try {
    const { seen, broken } = await Promise.race([runAll(options.only.length === 0 ? known : options.only, options, (trial) => { open = trial; }), interrupted]);
    for (const row of seen) process.stderr.write(`\n${formatTable(Object.entries(row).map(([what, value]) => ({ what, value: String(value) })))}\n`);
    process.stdout.write(`${JSON.stringify({ calls_per_s: options.perSecond, load_average: loadavg().map((load) => Math.round(load * 10) / 10), scenarios: seen, broken })}\n`);
    process.stderr.write(broken.length === 0 ? '\nNo rule is broken.\n' : `\nBroken:\n${broken.map((line) => `  ${line}\n`).join('')}`);
    return broken.length === 0 ? 0 : 1;
  } finally {
    await open?.end();
  }
}

import { loadavg } from 'node:os';
import { formatTable } from '../../bench/week/formatTable';
import { createProgress } from '../../local/progress';
import { watchShutdownSignals } from '../../local/shutdownSignals';
import { runInTurn, type Findings, type Step } from './inTurn';
import { watchLeases } from './leases';
import { readClusterTestOptions, type ClusterTestOptions } from './options';
import { clocksApart, cutFromPostgres, cutFromTemporal, killAll, lostPostgres, lostRedis, lostTemporal, type Outcome, type Scenario } from './scenarios';
import { scale } from './scenarios/scale';
import { rollingUpgrade } from './scenarios/upgrade';
import { openTrial, type OnOpen, type Trial } from './trial';

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

const minuteMs = 60_000;
/** Longer than any run; what hangs ends. */
const withinMs = 150 * minuteMs;
/** How long a scenario may take, with the start of its cluster; the first one of all may build Temporal. */
const scenarioWithinMs = 40 * minuteMs;
/** What is still open when all is done is not waited for. */
const exitWithinMs = 30_000;

const findingsOf = (outcomes: readonly Outcome[]): Findings => ({ seen: outcomes.map(({ seen }) => seen), broken: outcomes.flatMap(({ broken }) => broken) });

/** What runs, and what ends it. */
interface Steps {
  steps: Step[];
  /** Ends the cluster that is there. */
  end: () => Promise<void>;
}

/** The scenarios of these names: those on one cluster, which is replaced after one that fails, the upgrade, the sizes. */
function stepsOf(names: readonly string[], options: ClusterTestOptions): Steps {
  let open: { trial?: Trial; end: () => Promise<void> } | undefined;
  const onOpen: OnOpen = (ends) => { open = { end: ends }; };
  const end = async (): Promise<void> => {
    const ended = open;
    open = undefined;
    await ended?.end();
  };
  const shared = async (): Promise<Trial> => {
    if (open?.trial !== undefined) return open.trial;
    const trial = await openTrial({ progress, perSecond: options.perSecond, onOpen });
    await watchLeases(trial.database.sql);
    open = { trial, end: trial.end };
    return trial;
  };
  const runs: Record<string, Step['run']> = {
    ...Object.fromEntries(Object.entries(onOneCluster).map(([name, scenario]) => [name, async () => findingsOf(await scenario(await shared(), options))])),
    upgrade: async () => {
      await end();
      return findingsOf(await rollingUpgrade(progress, options, onOpen));
    },
    scale: async () => {
      await end();
      const { rows, broken } = await scale(progress, options, onOpen);
      return { seen: rows, broken };
    },
  };
  const unknown = names.filter((name) => !(name in runs));
  if (unknown.length > 0) throw new Error(`There is no scenario ${unknown.join(', ')}: there are ${Object.keys(runs).join(', ')}`);
  const wanted = Object.entries(runs).filter(([name]) => names.length === 0 || names.includes(name));
  return { end, steps: wanted.map(([name, run]) => ({ name, run, withinMs: scenarioWithinMs, clear: end })) };
}

/** Runs the scenarios that the command line names, or all, and says how each goes; returns the exit code. */
export async function runClusterTest(args: readonly string[]): Promise<number> {
  const options = readClusterTestOptions(args);
  const { steps, end } = stepsOf(options.only, options);
  const stopping = new AbortController();
  watchShutdownSignals({ onStop: (why) => stopping.abort(new Error(`Stopped: ${why}`)), onKill: () => process.exit(1) });
  const limit = setTimeout(() => stopping.abort(new Error(`It took longer than ${withinMs / minuteMs} minutes`)), withinMs);
  progress.log(`${steps.map(({ name }) => name).join(', ')}: with ${options.perSecond} calls a second, at most ${scenarioWithinMs / minuteMs} minutes each and ${withinMs / minuteMs} together`);
  let code = 1;
  try {
    const { seen, broken } = await runInTurn(steps, { log: progress.log, signal: stopping.signal });
    for (const row of seen) process.stderr.write(`\n${formatTable(Object.entries(row).map(([what, value]) => ({ what, value: String(value) })))}\n`);
    process.stdout.write(`${JSON.stringify({ calls_per_s: options.perSecond, load_average: loadavg().map((load) => Math.round(load * 10) / 10), scenarios: seen, broken })}\n`);
    process.stderr.write(broken.length === 0 ? '\nNo rule is broken.\n' : `\nBroken:\n${broken.map((line) => `  ${line}\n`).join('')}`);
    code = broken.length === 0 ? 0 : 1;
    return code;
  } finally {
    clearTimeout(limit);
    await end();
    setTimeout(() => process.exit(code), exitWithinMs).unref();
  }
}

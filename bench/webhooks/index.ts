import { openTemporal } from '../../outbound/temporal/engine';
import { receiverControlPort, receiverPort, type BenchEnvironment } from '../environment';
import { receiver } from './receiver';
import { benchAfterBulk } from './scenarios/afterBulk';
import { benchBacklog } from './scenarios/backlog';
import { benchCalls } from './scenarios/calls';
import { benchEveryTenth } from './scenarios/everyTenth';
import { benchHangingOfOne, benchHangingOfTen } from './scenarios/hanging';
import { benchHangingHundred } from './scenarios/hangingHundred';
import { benchLockedEndpoint } from './scenarios/lockedEndpoint';
import { benchOldSnapshot } from './scenarios/oldSnapshot';
import { benchOutage } from './scenarios/outage';
import { benchReceiverDown } from './scenarios/receiverDown';
import { benchSteady } from './scenarios/steady';
import { createScenarioContext, type ScenarioContext } from './scenarioContext';

interface Scenario {
  run: (stage: ScenarioContext) => Promise<object>;
  /** Timeout of the whole scenario, after which it fails. */
  withinSeconds: number;
}

const scenarios: Record<string, Scenario> = {
  backlog: { run: benchBacklog, withinSeconds: 180 },
  calls: { run: benchCalls, withinSeconds: 240 },
  'steady-50': { run: benchSteady(50), withinSeconds: 90 },
  'steady-200': { run: benchSteady(200), withinSeconds: 90 },
  'steady-400': { run: benchSteady(400), withinSeconds: 90 },
  'after-bulk': { run: benchAfterBulk, withinSeconds: 300 },
  'hanging-of-ten': { run: benchHangingOfTen, withinSeconds: 240 },
  'hanging-of-one': { run: benchHangingOfOne, withinSeconds: 240 },
  'hanging-hundred': { run: benchHangingHundred, withinSeconds: 240 },
  'locked-endpoint': { run: benchLockedEndpoint, withinSeconds: 240 },
  'receiver-down': { run: benchReceiverDown, withinSeconds: 420 },
  'outage-500': { run: benchOutage('answers500'), withinSeconds: 900 },
  'outage-refused': { run: benchOutage('refused'), withinSeconds: 900 },
  'old-snapshot': { run: benchOldSnapshot, withinSeconds: 3_600 },
  'every-tenth': { run: benchEveryTenth, withinSeconds: 300 },
};

/** Returns the scenarios that a name selects: the one with this name, or all that begin with it and a dash. */
export function scenariosNamed(name: string): string[] {
  return Object.keys(scenarios).filter((known) => known === name || known.startsWith(`${name}-`));
}

export const scenarioNames = Object.keys(scenarios);

function readScale(text = '1'): number {
  const scale = Number(text);
  if (!(scale > 0 && scale <= 1)) throw new Error('BENCH_SCALE must be above 0 and at most 1');
  return scale;
}

async function runScenario(name: string, { run, withinSeconds }: Scenario, open: (signal: AbortSignal) => ScenarioContext): Promise<object> {
  const bench = `webhooks: ${name}`;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new Error(`The scenario did not end within ${withinSeconds} s`)), withinSeconds * 1_000);
  const stage = open(timeout.signal);
  const abandoned = new Promise<never>((_resolve, reject) => {
    timeout.signal.addEventListener('abort', () => reject(timeout.signal.reason instanceof Error ? timeout.signal.reason : new Error('Abandoned')));
  });
  try {
    return { bench, ...(await Promise.race([run(stage), abandoned])) };
  } catch (error) {
    process.exitCode = 1;
    return { bench, failed: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
    await stage.close();
  }
}

/** Runs the named webhook scenarios, or all, each after the deliveries of the previous one have ended; one line each. `prefix` begins the names of their institutions, which are unique. */
export async function* benchWebhooks(environment: BenchEnvironment, named: readonly string[], prefix = ''): AsyncGenerator<object> {
  const scale = readScale(process.env.BENCH_SCALE);
  const receiverProgram = await environment.program(
    'receiver',
    'bench/programs/receiver.js',
    { BENCH_PORT: String(receiverPort), BENCH_CONTROL_PORT: String(receiverControlPort) },
    receiver.readyUrl,
  );
  const api = await environment.startApi();
  const worker = await environment.startWorker();
  const temporal = openTemporal({ address: environment.stores.temporalAddress, namespace: 'default', taskQueue: 'institution' });
  try {
    for (const [name, scenario] of Object.entries(scenarios)) {
      if (named.length > 0 && !named.includes(name)) continue;
      yield await runScenario(name, scenario, (signal) => createScenarioContext(prefix + name, environment, temporal, scale, signal));
    }
  } finally {
    await temporal.close();
    await worker.stop(10_000);
    await api.stop(5_000);
    await receiverProgram.stop(5_000);
  }
}

import { cpus } from 'node:os';
import { benchAlpha } from './alpha';
import { benchBulk } from './bulk';
import { benchCosts } from './costs';
import { benchCrawl } from './crawl';
import { startBenchEnvironment, type BenchEnvironment } from './environment';
import { benchEventClock } from './eventClock';
import { benchExams } from './exams';
import { benchGrowth } from './growth';
import { benchHttp } from './http';
import { benchMemory } from './memory';
import { benchOutbox } from './outbox';
import { benchPartitions } from './partitions';
import { benchWebhooks, scenarioNames, scenariosNamed } from './webhooks';
import { benchWeek } from './week';

type Lines = Promise<object[]> | AsyncIterable<object>;

/** The benches by name; each returns its lines together or one by one. `scenarios` selects scenarios of the webhooks, empty for all. */
const benches: Record<string, (environment: BenchEnvironment, scenarios: readonly string[]) => Lines> = {
  memory: benchMemory,
  http: benchHttp,
  bulk: benchBulk,
  clock: benchEventClock,
  costs: benchCosts,
  crawl: benchCrawl,
  exams: benchExams,
  growth: benchGrowth,
  alpha: benchAlpha,
  outbox: benchOutbox,
  partitions: benchPartitions,
  webhooks: benchWebhooks,
  week: benchWeek,
};

/** Take up to an hour and half of a disk: only run if they are named. */
const runByName = ['growth', 'partitions'];

/** Parses the command line: names of benches, and after `webhooks` names of its scenarios. */
function readNames(names: readonly string[]): { benches: string[]; scenarios: string[] } {
  const named = names.filter((name) => Object.hasOwn(benches, name));
  const others = names.filter((name) => !Object.hasOwn(benches, name));
  const unknown = others.filter((name) => !named.includes('webhooks') || scenariosNamed(name).length === 0);
  if (unknown.length > 0) {
    throw new Error(
      `Unknown bench: ${unknown.join(', ')}. Benches are ${Object.keys(benches).join(', ')}; scenarios of webhooks are ${scenarioNames.join(', ')}`,
    );
  }
  return { benches: named, scenarios: others.flatMap(scenariosNamed) };
}

/** Runs the benches named on the command line, or all; prints one JSON line each, the machine first. */
async function main(): Promise<void> {
  const named = readNames(process.argv.slice(2));
  const print = (line: object): void => {
    process.stdout.write(`${JSON.stringify(line)}\n`);
  };
  const environment = await startBenchEnvironment();
  try {
    print({ machine: { cores: cpus().length, cpu: cpus()[0]?.model, node: process.version, platform: process.platform } });
    for (const [name, run] of Object.entries(benches)) {
      if (named.benches.length === 0 ? runByName.includes(name) : !named.benches.includes(name)) continue;
      for await (const line of await run(environment, named.scenarios)) print(line);
    }
  } finally {
    await environment.stop();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});

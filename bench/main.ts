import { cpus } from 'node:os';
import { benchBulk } from './bulk';
import { bringUpBench, type BenchEnvironment } from './environment';
import { benchEventClock } from './eventClock';
import { benchHttp } from './http';
import { benchMemory } from './memory';
import { benchWebhooks } from './webhooks';

const benches: Record<string, (environment: BenchEnvironment) => Promise<object[]>> = {
  memory: benchMemory,
  http: benchHttp,
  bulk: benchBulk,
  clock: benchEventClock,
  webhooks: benchWebhooks,
};

/** Runs the benches named on the command line, all without one; one JSON line each, the machine first. */
async function main(): Promise<void> {
  const named = process.argv.slice(2);
  const unknown = named.filter((name) => !Object.hasOwn(benches, name));
  if (unknown.length > 0) throw new Error(`No bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`);
  const print = (line: object): void => {
    process.stdout.write(`${JSON.stringify(line)}\n`);
  };
  const environment = await bringUpBench();
  try {
    print({ machine: { cores: cpus().length, cpu: cpus()[0]?.model, node: process.version, platform: process.platform } });
    for (const [name, run] of Object.entries(benches)) {
      if (named.length > 0 && !named.includes(name)) continue;
      for (const line of await run(environment)) print(line);
    }
  } finally {
    await environment.stop();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});

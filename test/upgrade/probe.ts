import { Client } from 'pg';
import { startRepeatingTask } from '../../lib/repeatingTask';

/** How fast the machine is, with the load that it has. */
export interface Probe {
  /** The slowest commit of one row in each phase, in ms. */
  readonly slowest: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

const everyMs = 100;

/** Commits a row repeatedly, in a database that no process of the service uses, so that no lock of theirs is in its way. */
export async function startProbe(ownerUrl: string, phase: () => string): Promise<Probe> {
  const url = new URL(ownerUrl);
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('CREATE TABLE upgrade_probe (n integer); INSERT INTO upgrade_probe VALUES (0)');
  const slowest = new Map<string, number>();
  const task = startRepeatingTask(
    async () => {
      const name = phase();
      const begun = performance.now();
      await client.query('UPDATE upgrade_probe SET n = n + 1');
      slowest.set(name, Math.max(slowest.get(name) ?? 0, Math.round(performance.now() - begun)));
    },
    { everyMs, onError: () => undefined },
  );
  return {
    slowest,
    stop: async () => {
      await task.stop();
      await client.end();
    },
  };
}

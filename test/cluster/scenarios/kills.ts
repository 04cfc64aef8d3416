import { waitUntil, pause } from '../../../local/waitUntil';
import { inFlightAtEnd, withoutPostgres, type Disturbance } from '../repeats';
import type { Seen } from '../rules';
import { underLoad, type Trial } from '../trial';

const recoverWithinMs = 60_000;
const betweenMs = 3_000;

/** Everything that is to be killed; what only people look at is left alone. */
const victimsOf = ({ record }: Trial): string[] => record.names().filter((name) => name !== 'temporal-ui');

/** Waits until as many processes run as before, Postgres has its standby again, and every API and worker is ready. */
async function recovered({ record, cluster }: Trial, count: number): Promise<void> {
  await waitUntil({
    what: 'the cluster as before',
    withinMs: recoverWithinMs,
    check: async () => {
      if (record.names().length < count) throw new Error(`${record.names().length} of ${count} processes run`);
      if (!cluster.agent.synchronous) throw new Error('Postgres has no synchronous standby');
      for (const name of [...cluster.services.apis.map((api) => api.name), ...cluster.services.workers]) {
        const response = await fetch(`${cluster.services.origin(name)}/readyz`, { signal: AbortSignal.timeout(3_000) });
        await response.body?.cancel();
        if (!response.ok) throw new Error(`${name} is not ready`);
      }
    },
  });
}

/** What stands between a worker and the rows of its attempts; without any other process they are written. */
const isOnWayToPostgres = (name: string): boolean => ['postgres-a', 'postgres-b', 'pgbouncer', 'haproxy-postgres'].includes(name);

/** Whose attempts it disturbs that this process was killed at `from`, and all was as before at `to`. */
function disturbancesOf({ cluster: { services: { workers } } }: Trial, name: string, from: number, to: number): Disturbance[] {
  if (workers.includes(name)) return [inFlightAtEnd(name, from)];
  return isOnWayToPostgres(name) ? [withoutPostgres(workers, from, to)] : [];
}

/** Kills a process; returns when all was as before, in ms since 1970. */
async function killOne(trial: Trial, name: string, disturbances: Disturbance[]): Promise<number> {
  const count = trial.record.names().length;
  const from = trial.kill(name);
  const begun = performance.now();
  await pause(500);
  await recovered(trial, count);
  trial.progress.log(`    kill -9 of ${name}: as before after ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
  const to = Date.now();
  disturbances.push(...disturbancesOf(trial, name, from, to));
  await pause(betweenMs);
  return to;
}

/** Kills each process once. */
export const killEach = (trial: Trial): Promise<Seen> =>
  underLoad(trial, 'kill -9 of each process in turn', async (disturbances) => {
    for (const name of victimsOf(trial)) await killOne(trial, name, disturbances);
  });

/** Kills one by chance, so many times; none more often than every few rounds, which its supervisor would not bear. */
export const killAtRandom = (trial: Trial, rounds: number): Promise<Seen> =>
  underLoad(trial, `kill -9 at random, ${rounds} rounds`, async (disturbances) => {
    const recent: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const choice = victimsOf(trial).filter((name) => !recent.includes(name));
      const name = choice[Math.floor(Math.random() * choice.length)];
      if (name === undefined) break;
      recent.push(name);
      if (recent.length > 4) recent.shift();
      await killOne(trial, name, disturbances);
    }
  });

/** Kills the process that a name says, and waits until all is as before, which was at `recoveredAt`, in ms since 1970. */
export async function killNamed(trial: Trial, scenario: string, nameOf: () => Promise<string> | string): Promise<{ seen: Seen; recoveredAt: number }> {
  let recoveredAt = 0;
  const seen = await underLoad(trial, scenario, async (disturbances) => {
    recoveredAt = await killOne(trial, await nameOf(), disturbances);
  });
  return { seen, recoveredAt };
}

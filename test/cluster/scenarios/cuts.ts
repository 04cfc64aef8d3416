import { pause } from '../../../local/waitUntil';
import { readLate, withoutPostgres } from '../repeats';
import type { Seen } from '../rules';
import { underLoad, type Trial } from '../trial';

/** How long an attempt that was claimed before the cut may still be made, and one that is claimed late. */
const inFlightMs = 10_000;

/** Lets not a byte pass between a worker and something for so long, while the worker and the others go on. */
export const cut = (trial: Trial, scenario: string, worker: string, what: readonly ('temporal' | 'pgbouncer' | 'postgres')[], seconds: number): Promise<Seen> =>
  underLoad(trial, scenario, async (disturbances) => {
    const links = what.map((name) => trial.linkOf(worker, name));
    const from = Date.now();
    for (const link of links) link.hang();
    await pause(seconds * 1_000);
    const healed = Date.now();
    for (const link of links) await link.resume();
    // First attempts need no Temporal: without it none may be made again.
    if (what.includes('pgbouncer')) disturbances.push(withoutPostgres([worker], from, from + inFlightMs), readLate(worker, healed));
    await pause(inFlightMs);
  });

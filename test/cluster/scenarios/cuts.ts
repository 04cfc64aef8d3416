import { pause } from '../../../local/waitUntil';
import { underLoad, type Seen, type Trial } from '../trial';

/** An attempt that was claimed before the cut may still be made and written by another worker. */
const inFlightMs = 10_000;

/** Lets not a byte pass between a worker and something for so long, while the worker and the others go on. */
export const cut = (trial: Trial, scenario: string, worker: string, what: readonly string[], seconds: number): Promise<Seen> =>
  underLoad(trial, scenario, async (disturbances) => {
    const links = what.map((name) => trial.linkOf(worker, name));
    const from = Date.now();
    for (const link of links) link.hang();
    disturbances.push({ from, to: from + inFlightMs });
    await pause(seconds * 1_000);
    const healed = Date.now();
    for (const link of links) await link.resume();
    disturbances.push({ from: healed, to: healed + inFlightMs });
    await pause(inFlightMs);
  });

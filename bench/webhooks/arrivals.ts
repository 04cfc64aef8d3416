import { setTimeout as sleep } from 'node:timers/promises';
import Joi from 'joi';
import { receiverPort } from '../environment';

/** One delivery as the receiver saw it; `at` in ms since 1970 with fractions, comparable across processes of one machine. */
export interface Arrival {
  id: string;
  subject: string;
  at: number;
}

const seenUrl = `http://127.0.0.1:${receiverPort}/seen`;

/** Now, on the clock of {@link Arrival}. */
export const clock = (): number => performance.timeOrigin + performance.now();

/** Forgets what arrived so far. */
export async function forgetArrivals(): Promise<void> {
  await (await fetch(seenUrl, { method: 'DELETE' })).text();
}

const arrival = Joi.object({ id: Joi.string().required(), subject: Joi.string().allow('').required(), at: Joi.number().unsafe().required() });
const seenSchema = Joi.object<{ seen: Arrival[] }>({ seen: Joi.array().items(arrival).required() });

async function readSeen(): Promise<Arrival[]> {
  const read = seenSchema.validate(await (await fetch(seenUrl)).json());
  if (read.error !== undefined) throw read.error;
  return read.value.seen;
}

/** Waits until `count` different events have arrived; fails after `withinMs`. */
export async function arrivalsOf(count: number, withinMs: number): Promise<Arrival[]> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const seen = await readSeen();
    if (new Set(seen.map(({ id }) => id)).size >= count) return seen;
    if (Date.now() > deadline) throw new Error(`${seen.length} of ${count} events arrived within ${withinMs} ms`);
    await sleep(200);
  }
}

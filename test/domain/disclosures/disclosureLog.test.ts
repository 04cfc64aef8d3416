import type { NewDisclosure } from '../../../db/repositories/disclosures/disclosures';
import { createDisclosureLog, type DisclosureLog, type DisclosureOutcome } from '../../../domain/disclosures/disclosureLog';
import { eventually } from '../../support/eventually';

const read = (nth: number): NewDisclosure => ({
  id: `dsc_${nth}`, institution_id: 'ins_1', actor_kind: 'key', actor_id: 'key_1', what: 'record', subject: 'stu_1', operation: 'getStudent', query: {}, request_id: 'req_1',
});

/** A log over a store that accepts, refuses or holds batches. */
interface Store {
  log: DisclosureLog;
  batches: string[][];
  counts: Record<DisclosureOutcome, number>;
  errors: unknown[];
}

let logs: DisclosureLog[] = [];

afterEach(async () => {
  await Promise.all(logs.map((log) => log.close()));
  logs = [];
});

function store(write: (ids: readonly string[]) => Promise<void> = () => Promise.resolve(), options: { capacity?: number; batchDelayMs?: number } = {}): Store {
  const batches: string[][] = [];
  const counts = { recorded: 0, dropped: 0 };
  const errors: unknown[] = [];
  const log = createDisclosureLog({
    write: async (batch) => {
      const ids = batch.map(({ id }) => id);
      await write(ids);
      batches.push(ids);
    },
    onOutcome: (outcome, count) => (counts[outcome] += count),
    onError: (error) => errors.push(error),
    batchDelayMs: 20,
    retryDelayMs: 20,
    ...options,
  });
  logs.push(log);
  return { log, batches, counts, errors };
}

const addAll = ({ log }: Store, from: number, to: number): void => {
  for (let nth = from; nth <= to; nth += 1) log.add(read(nth));
};

it('reads of the same moment are one batch, in their order, of 500 at most', async () => {
  const target = store();
  addAll(target, 1, 501);
  await eventually('all are written', () => target.counts.recorded === 501);
  expect(target.batches.map(({ length }) => length)).toEqual([500, 1]);
  expect(target.batches.flat()).toEqual(Array.from({ length: 501 }, (_, nth) => `dsc_${nth + 1}`));
});

it('while a batch is under way and the buffer is full, further reads are dropped and counted, and none waits', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const target = store(() => held, { capacity: 10 });
  addAll(target, 1, 25);
  expect(target.counts).toEqual({ recorded: 0, dropped: 15 });
  release();
  await eventually('those that had room are written', () => target.counts.recorded === 10);
  addAll(target, 26, 26);
  await eventually('there is room again', () => target.counts.recorded === 11);
});

it('a batch is written again while the database is away, and nothing is lost', async () => {
  let failures = 3;
  const target = store(() => ((failures -= 1) >= 0 ? Promise.reject(new Error('connect ECONNREFUSED')) : Promise.resolve()));
  addAll(target, 1, 3);
  await eventually('it is written', () => target.counts.recorded === 3);
  expect([target.errors.length, target.batches, target.counts.dropped]).toEqual([3, [['dsc_1', 'dsc_2', 'dsc_3']], 0]);
});

it('a read that the database refuses is dropped alone', async () => {
  const refused = Object.assign(new Error('invalid input syntax'), { code: '22P02' });
  const target = store((ids) => (ids.includes('dsc_2') ? Promise.reject(refused) : Promise.resolve()));
  addAll(target, 1, 3);
  await eventually('the others are written', () => target.counts.recorded === 2);
  expect([target.batches, target.counts.dropped]).toEqual([[['dsc_1'], ['dsc_3']], 1]);
});

it('a read that the database refuses takes no others with it, also if the database goes away while they are written one by one', async () => {
  const refused = Object.assign(new Error('invalid input syntax'), { code: '22P02' });
  let away = 3;
  const target = store((ids) => {
    if (ids.includes('dsc_2')) return Promise.reject(refused);
    return ids.includes('dsc_3') && (away -= 1) >= 0 ? Promise.reject(new Error('connect ECONNREFUSED')) : Promise.resolve();
  });
  addAll(target, 1, 5);
  await eventually('the others are written', () => target.counts.recorded === 4);
  expect([target.batches, target.counts.dropped]).toEqual([[['dsc_1'], ['dsc_3', 'dsc_4', 'dsc_5']], 1]);
});

it('a process that stops writes what is waiting at once, and drops what cannot be written', async () => {
  const stopping = store(undefined, { batchDelayMs: 60_000 });
  addAll(stopping, 1, 3);
  await stopping.log.close();
  expect(stopping.counts).toEqual({ recorded: 3, dropped: 0 });
  const away = store(() => Promise.reject(new Error('connect ECONNREFUSED')), { batchDelayMs: 60_000 });
  addAll(away, 1, 3);
  await away.log.close();
  expect(away.counts).toEqual({ recorded: 0, dropped: 3 });
});

import { createBatches } from '../../worker/sender/batchWriter';
import { PassedOver } from '../../worker/sender/skippedInstitutions';
import { eventually } from '../support/eventually';

const lockTimeout = (): Error => Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });

it('what is locked is written apart until it is free, with all that follows it, and never again with others', async () => {
  let locked = true;
  const groups: string[][] = [];
  const written: string[] = [];
  const batches = createBatches<string>({
    write: (group) => {
      groups.push([...group]);
      if (locked && group.some((item) => item.startsWith('held'))) return Promise.reject(lockTimeout());
      written.push(...group);
      return Promise.resolve();
    },
    onError: () => undefined,
    isStopping: () => false,
    lockedWith: (item) => item.split(' ')[0] ?? '',
  });
  for (const item of ['held 1', 'free 1', 'other 1']) batches.add(item);
  await eventually('the others', () => written.length === 2);
  for (const item of ['held 2', 'free 2', 'other 2']) batches.add(item);
  await eventually('the next of the others', () => written.length === 4);
  await eventually('another try', () => groups.length > 6);
  expect(written.sort()).toEqual(['free 1', 'free 2', 'other 1', 'other 2']);
  locked = false;
  await batches.flushed();
  expect(written.sort()).toEqual(['free 1', 'free 2', 'held 1', 'held 2', 'other 1', 'other 2']);
  const mixed = groups.filter((group) => new Set(group.map((item) => item.split(' ')[0])).size > 1);
  expect(mixed).toEqual([['held 1', 'free 1', 'other 1'], ['free 2', 'other 2']]);
});

it('an institution that is passed over is tried again after 5, 10 and 20 ms; after the fourth time it is waited for, until its locks are got', () => {
  const passed = new PassedOver();
  expect(passed.nextTryMs(0)).toBeUndefined();
  let now = 0;
  const waits: (number | undefined)[] = [];
  for (let times = 0; times < 3; times += 1) {
    passed.note(['north'], [], now);
    const wait = passed.nextTryMs(now) ?? Number.NaN;
    waits.push(wait);
    expect(passed.waiting(now + wait - 1)).toEqual(['north']);
    expect([passed.waiting(now + wait), passed.stubborn()]).toEqual([[], []]);
    now += wait;
  }
  expect(waits).toEqual([5, 10, 20]);
  passed.note(['north'], [], now);
  expect([passed.nextTryMs(now), passed.waiting(now + 60_000), passed.stubborn()]).toEqual([undefined, ['north'], ['north']]);
  passed.got('north');
  expect([passed.waiting(now), passed.stubborn()]).toEqual([[], []]);
  passed.note(['north'], [], now);
  passed.note(['south'], ['north'], now);
  expect(passed.waiting(now - 1).sort()).toEqual(['north', 'south']);
  passed.note([], ['south'], now + 1);
  expect(passed.waiting(now + 1)).toEqual(['south']);
});

import { createBatchWriter } from '../../worker/sender/batchWriter';
import { SkippedInstitutions } from '../../worker/sender/skippedInstitutions';
import { eventually } from '../support/eventually';

const lockTimeout = (): Error => Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });

it('what is locked is written apart until it is free, with all that follows it, and never again with others', async () => {
  let locked = true;
  const groups: string[][] = [];
  const written: string[] = [];
  const batches = createBatchWriter<string>({
    write: (group) => {
      groups.push([...group]);
      if (locked && group.some((item) => item.startsWith('held'))) return Promise.reject(lockTimeout());
      written.push(...group);
      return Promise.resolve();
    },
    onError: () => undefined,
    isStopping: () => false,
    lockKey: (item) => item.split(' ')[0] ?? '',
  });
  for (const item of ['held 1', 'free 1', 'other 1']) batches.add(item);
  await eventually('the others', () => written.length === 2);
  for (const item of ['held 2', 'free 2', 'other 2']) batches.add(item);
  await eventually('the next of the others', () => written.length === 4);
  await eventually('another try', () => groups.length > 6);
  expect(written.sort()).toEqual(['free 1', 'free 2', 'other 1', 'other 2']);
  locked = false;
  await batches.flush();
  expect(written.sort()).toEqual(['free 1', 'free 2', 'held 1', 'held 2', 'other 1', 'other 2']);
  const mixed = groups.filter((group) => new Set(group.map((item) => item.split(' ')[0])).size > 1);
  expect(mixed).toEqual([['held 1', 'free 1', 'other 1'], ['free 2', 'other 2']]);
});

it('an institution that is skipped is tried again after 5, 10 and 20 ms; after the fourth time it is waited for, until its locks are got', () => {
  const passed = new SkippedInstitutions();
  expect(passed.nextRetryMs(0)).toBeUndefined();
  let now = 0;
  const waits: (number | undefined)[] = [];
  for (let times = 0; times < 3; times += 1) {
    passed.recordResult(['north'], [], now);
    const wait = passed.nextRetryMs(now) ?? Number.NaN;
    waits.push(wait);
    expect(passed.excluded(now + wait - 1)).toEqual(['north']);
    expect([passed.excluded(now + wait), passed.awaitingLock()]).toEqual([[], []]);
    now += wait;
  }
  expect(waits).toEqual([5, 10, 20]);
  passed.recordResult(['north'], [], now);
  expect([passed.nextRetryMs(now), passed.excluded(now + 60_000), passed.awaitingLock()]).toEqual([undefined, ['north'], ['north']]);
  passed.clear('north');
  expect([passed.excluded(now), passed.awaitingLock()]).toEqual([[], []]);
  passed.recordResult(['north'], [], now);
  passed.recordResult(['south'], ['north'], now);
  expect(passed.excluded(now - 1).sort()).toEqual(['north', 'south']);
  passed.recordResult([], ['south'], now + 1);
  expect(passed.excluded(now + 1)).toEqual(['south']);
});

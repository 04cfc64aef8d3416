import { createKeyedSemaphore, AcquireTimeout } from '../../lib/keyedSemaphore';

/** Work that runs until `end` is called. */
function work(): { go: () => Promise<void>; end: () => void; begun: Promise<void> } {
  let end = (): void => undefined;
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { go: () => (begin(), ended), end, begun };
}

it('grants slots in order, and rejects when none becomes free in time', async () => {
  const semaphore = createKeyedSemaphore(1, 50);
  const first = work();
  const held = semaphore.run('a', first.go);
  await expect(semaphore.run('a', first.go)).rejects.toThrow(new AcquireTimeout('No slot free within 50 ms'));
  const order: number[] = [];
  const waiting = [1, 2].map((nth) => semaphore.run('a', async () => order.push(nth)));
  first.end();
  await Promise.all([held, ...waiting]);
  expect(order).toEqual([1, 2]);
});

it('rejects with the given error when no slot becomes free in time', async () => {
  const semaphore = createKeyedSemaphore(1, 0, () => new RangeError('Enough'));
  const first = work();
  const held = semaphore.run('a', first.go);
  await expect(semaphore.run('a', first.go)).rejects.toThrow(new RangeError('Enough'));
  first.end();
  await held;
});

/** Whether a slot of this key is free now. */
const isFree = (semaphore: ReturnType<typeof createKeyedSemaphore>): Promise<boolean> => semaphore.run('a', () => Promise.resolve(true)).catch(() => false);

it('releases a slot once when its signal aborts, and acquires none for a signal that is already aborted', async () => {
  const semaphore = createKeyedSemaphore(1, 0);
  const [first, second] = [new AbortController(), new AbortController()];
  await semaphore.acquireUntil('a', first.signal);
  expect(await isFree(semaphore)).toBe(false);
  first.abort();
  await semaphore.acquireUntil('a', second.signal);
  first.abort();
  expect(await isFree(semaphore)).toBe(false);
  second.abort(new Error('gone'));
  await expect(semaphore.acquireUntil('a', second.signal)).rejects.toThrow('gone');
  expect(await isFree(semaphore)).toBe(true);
});

it('a waiter whose signal aborts is rejected immediately with the reason, and the next one acquires the slot', async () => {
  const semaphore = createKeyedSemaphore(1, 60_000);
  const first = work();
  const held = semaphore.run('a', first.go);
  const leaving = new AbortController();
  const waiting = semaphore.acquireUntil('a', leaving.signal);
  const next = semaphore.run('a', () => Promise.resolve('next'));
  leaving.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  first.end();
  expect(await next).toBe('next');
  await held;
});

it('a waiter whose signal aborts just after the slot was granted holds no slot', async () => {
  const semaphore = createKeyedSemaphore(1, 60_000);
  const first = work();
  const held = semaphore.run('a', first.go);
  const leaving = new AbortController();
  const waiting = semaphore.acquireUntil('a', leaving.signal);
  first.end();
  // The slot has been granted by now, and its waiter has not yet resumed.
  await held.then(() => leaving.abort(new Error('gone')));
  await waiting.catch(() => undefined);
  expect(await semaphore.run('a', () => Promise.resolve('free'))).toBe('free');
});

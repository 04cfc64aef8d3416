import { createKeyedSemaphore, AcquireTimeout } from '../../lib/keyedSemaphore';

/** Work that goes on until it is told to end. */
function work(): { go: () => Promise<void>; end: () => void; begun: Promise<void> } {
  let end = (): void => undefined;
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { go: () => (begin(), ended), end, begun };
}

it('gives turns in order, and gives up on one that does not come', async () => {
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

it('says of a turn that does not come what it was told to say', async () => {
  const semaphore = createKeyedSemaphore(1, 0, () => new RangeError('Enough'));
  const first = work();
  const held = semaphore.run('a', first.go);
  await expect(semaphore.run('a', first.go)).rejects.toThrow(new RangeError('Enough'));
  first.end();
  await held;
});

/** Whether a place of this key is free now. */
const isFree = (semaphore: ReturnType<typeof createKeyedSemaphore>): Promise<boolean> => semaphore.run('a', () => Promise.resolve(true)).catch(() => false);

it('a place is given back when its signal aborts: once, before it is held, while it is waited for, and after', async () => {
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

it('who is gone leaves the line at once, with the reason, and the turn comes to the next', async () => {
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

it('who is gone in the moment of the turn holds nothing', async () => {
  const semaphore = createKeyedSemaphore(1, 60_000);
  const first = work();
  const held = semaphore.run('a', first.go);
  const leaving = new AbortController();
  const waiting = semaphore.acquireUntil('a', leaving.signal);
  first.end();
  // The turn has been given by now, and whoever waited for it has not yet run.
  await held.then(() => leaving.abort(new Error('gone')));
  await waiting.catch(() => undefined);
  expect(await semaphore.run('a', () => Promise.resolve('free'))).toBe('free');
});

/** Has the clock of this machine, not that of Postgres, show so much more or less; timers run on. `jest.useRealTimers()` ends it. */
export function skewClock(ms: number): void {
  jest.useRealTimers();
  jest.useFakeTimers({
    now: Date.now() + ms,
    doNotFake: ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'],
  });
}

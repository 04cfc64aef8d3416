import { setTimeout as sleep } from 'node:timers/promises';

/** A load of calls that begin at a fixed rate. */
export interface SteadyLoad {
  /** Ends it after the calls that are under way; returns how many calls there were. */
  stop(): Promise<number>;
}

/** Begins `call` at a fixed rate, with at most a second's worth of calls under way, until it is stopped; fails with the first call that fails. */
export function startSteadyLoad(perSecond: number, call: (nth: number) => Promise<unknown>): SteadyLoad {
  const stopping = new AbortController();
  let calls = 0;
  const done = (async () => {
    const begun = performance.now();
    const open = new Set<Promise<unknown>>();
    for (; !stopping.signal.aborted; calls += 1) {
      await sleep(Math.max(0, begun + (calls * 1_000) / perSecond - performance.now()));
      const one = call(calls).finally(() => open.delete(one));
      open.add(one);
      if (open.size >= perSecond) await Promise.race(open);
    }
    await Promise.all(open);
  })();
  // Without a handler until `stop`, a call that fails would end the process.
  done.catch(() => stopping.abort());
  return {
    async stop() {
      stopping.abort();
      await done;
      return calls;
    },
  };
}

/** Returns what `work` resolves with; after `ms`, what `onTimeout` returns, or throws. The work itself continues. */
export async function withTimeout<Result>(ms: number, work: Promise<Result>, onTimeout: () => Result): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, timedOut.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for `work` for `ms` at most; returns whether it has resolved. Throws what the work throws. */
export const settlesWithin = (ms: number, work: Promise<unknown>): Promise<boolean> => withTimeout(ms, work.then(() => true), () => false);

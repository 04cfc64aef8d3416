/** How long a process waits for what its shutdown timeout has cut off, in ms. */
export const abortGraceMs = 2_000;
/** How long a process then takes to close its stores, in ms: what still holds one of their connections is given up, too. */
export const closeTimeoutMs = 2_000;

/** Waits for something that ends, for so long at most; whether it has. */
export async function settlesWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

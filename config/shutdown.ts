/** How long a process waits for what its shutdown timeout has cut off, in ms. */
export const givesUpAfterMs = 2_000;
/** How long a process then takes to close its stores, in ms: what still holds one of their connections is given up, too. */
export const closesWithinMs = 2_000;

/** Waits for something that ends, for so long at most; whether it has. */
export async function endsWithin(ms: number, ending: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([ending.then(() => true), overdue]);
  } finally {
    clearTimeout(timer);
  }
}

type Nothing = false | undefined | null;

/**
 * Calls `look` every 20 ms until it returns a truthy value; fails after `arrivalTimeoutMs` with what it waited for. Half a
 * minute is for slow and busy machines.
 */
export async function eventually<Found>(what: string, look: () => Promise<Found | Nothing> | Found | Nothing, withinMs = 30_000): Promise<Found> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== false && found !== undefined && found !== null) return found;
    if (Date.now() > deadline) throw new Error(`Not seen within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

type Nothing = false | undefined | null;

/**
 * Calls `look` every 20 ms until it returns a truthy value; fails after `withinMs` with what it waited for. Three
 * minutes are for slow and busy machines: how fast something must be is what a test measures, never this.
 */
export async function eventually<Found>(what: string | (() => string), look: () => Promise<Found | Nothing> | Found | Nothing, withinMs = 180_000): Promise<Found> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== false && found !== undefined && found !== null) return found;
    if (Date.now() > deadline) throw new Error(`Not seen within ${withinMs} ms: ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

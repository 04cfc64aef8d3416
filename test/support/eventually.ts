type Nothing = false | undefined | null;

/**
 * Asks again every 20 ms until `look` answers something truthy; fails after `arrivalTimeoutMs` with what it looked for. Half a
 * minute is for machines that are slow and busy.
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

/** Asks again every 20 ms until `look` answers something truthy; fails after `withinMs` with what it looked for. */
export async function eventually<Found>(what: string, look: () => Promise<Found> | Found, withinMs = 10_000): Promise<NonNullable<Found>> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`Not seen within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

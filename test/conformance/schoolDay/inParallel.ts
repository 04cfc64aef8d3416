/** People who do something at the same time. */
const atOnce = 16;

/** Does the work for each, a few at a time, in their order. */
export async function inParallel<Item>(items: readonly Item[], work: (item: Item, nth: number) => Promise<void>): Promise<void> {
  const left = items.entries();
  const one = async (): Promise<void> => {
    for (const [nth, item] of left) await work(item, nth);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

import { Counter, type Registry } from 'prom-client';

/** Counts the deliveries that this process has ended. */
export interface DeliveryOutcomeCounter {
  /** Delivered by an attempt. */
  observeDelivered(): void;
  /** Given up, after an attempt or without one; or cancelled. */
  observeEnded(ended: Partial<Record<'dead' | 'cancelled', number>>): void;
}

/** Registers the counter, from zero. API and worker both end deliveries; each counts its own. */
export function createDeliveryOutcomeCounter(registry: Registry): DeliveryOutcomeCounter {
  const counter = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Deliveries that have ended, by an attempt or without one, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  // Present from the start: a series that appears with its first increase has no rate at that time.
  for (const outcome of ['delivered', 'dead', 'cancelled']) counter.inc({ outcome }, 0);
  return {
    observeDelivered: () => counter.inc({ outcome: 'delivered' }),
    observeEnded: (counts) => {
      for (const [outcome, count] of Object.entries(counts)) counter.inc({ outcome }, count);
    },
  };
}

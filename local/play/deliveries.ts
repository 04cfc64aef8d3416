import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoClient } from './client';
import type { DemoReceiver } from './receiver';
import { say } from './tell';

/** Two retries wait 5 s and 30 s, each up to a tenth longer. */
const deliveredWithinMs = 120_000;

/** An event as the feed has it, as far as the demo looks. */
export interface FeedEvent {
  id: string;
  type: string;
  data: { exam_id?: string };
}

/** A delivery as the list has it, as far as the demo looks. */
export interface Delivery {
  id: string;
  event_id: string;
  status: string;
  attempts: number;
}

/** Every event of the feed since then. */
export async function feedSince(client: DemoClient, since: string): Promise<FeedEvent[]> {
  const events: FeedEvent[] = [];
  for (let from = since; ; ) {
    const step = await client.call<{ items: FeedEvent[]; has_more: boolean; next_since: string | null }>(
      'GET',
      `/events?limit=200&since=${encodeURIComponent(from)}`,
    );
    events.push(...step.items);
    if (!step.has_more || step.next_since === null) return events;
    from = step.next_since;
  }
}

/** Waits until the receiver has accepted so many events, and every delivery of the endpoint is on record as delivered. */
export async function deliveredAll(client: DemoClient, endpointId: string, events: number, { seen }: DemoReceiver): Promise<Delivery[]> {
  const deadline = Date.now() + deliveredWithinMs;
  for (;;) {
    say(`  ${seen.accepted.size} of ${events} events accepted, ${seen.refusedAttempts} attempts refused on purpose`);
    if (seen.accepted.size >= events) {
      const deliveries = await client.all<Delivery>(`/webhooks/deliveries?endpoint_id=${endpointId}`);
      if (deliveries.every(({ status }) => status === 'delivered')) return deliveries;
    }
    if (Date.now() > deadline) throw new Error(`Not every event arrived within ${deliveredWithinMs / 1_000} s`);
    await sleep(3_000);
  }
}

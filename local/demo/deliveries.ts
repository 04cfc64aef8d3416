import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery, Event, InstitutionClient } from '../../clients/typescript/src';
import type { DemoReceiver } from './receiver';
import { log } from './log';

/** Two retries wait 5 s and 30 s, each up to a tenth longer. */
const deliveredWithinMs = 120_000;

/** Every event of the feed since then. */
export async function feedSince(client: InstitutionClient, since: string): Promise<Event[]> {
  const events: Event[] = [];
  for await (const { items } of client.feed({ since })) events.push(...items);
  return events;
}

async function listDeliveries(client: InstitutionClient, endpointId: string): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  for await (const delivery of client.paginate('/webhooks/deliveries', { query: { endpoint_id: endpointId } })) deliveries.push(delivery);
  return deliveries;
}

/** Waits until the receiver has accepted this many events, and every delivery of the endpoint is on record as delivered. */
export async function waitUntilAllDelivered(client: InstitutionClient, endpointId: string, events: number, { stats }: DemoReceiver): Promise<Delivery[]> {
  const deadline = Date.now() + deliveredWithinMs;
  for (;;) {
    log(`  ${stats.accepted.size} of ${events} events accepted, ${stats.rejectedAttempts} attempts refused on purpose`);
    if (stats.accepted.size >= events) {
      const deliveries = await listDeliveries(client, endpointId);
      if (deliveries.every(({ status }) => status === 'delivered')) return deliveries;
    }
    if (Date.now() > deadline) throw new Error(`Not every event arrived within ${deliveredWithinMs / 1_000} s`);
    await sleep(3_000);
  }
}

import { parse } from 'csv-parse/sync';
import type { Receiver } from '../../support/receiver';
import type { Client } from '../client';
import type { ExamRecord, SchoolRecord, ExpectedEvent } from './schoolRecord';

/** An event in its envelope. */
export interface Envelope extends ExpectedEvent {
  id: string;
  created_at: string;
  institution_id: string;
}

/** All items of a list, page by page. */
export async function allOf({ callSuccessfully }: Client, path: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await callSuccessfully('GET', `${path}${path.includes('?') ? '&' : '?'}limit=50&page=${page}`);
    items.push(...answer.items);
    if (!answer.has_more) {
      expect(items).toHaveLength(answer.total);
      return items;
    }
  }
}

/** The feed from its beginning, followed with `next_since`. */
export async function followFeed({ client }: SchoolRecord): Promise<Envelope[]> {
  const events: Envelope[] = [];
  let since = '';
  for (;;) {
    const { items, has_more: more, next_since: next } = await client.callSuccessfully('GET', `/events?limit=100${since}`);
    events.push(...items);
    since = `&since=${next}`;
    if (!more) return events;
  }
}

/** What a receiver was sent, in the order of the envelopes' times. */
export const envelopesOf = ({ received }: Receiver): Envelope[] =>
  received.map(({ body }): Envelope => JSON.parse(body)).sort((a, b) => (a.created_at < b.created_at ? -1 : 1));

/** Events as lines that compare, in an order of their own; of a license that was made, whose it is. */
export const lines = (events: readonly ExpectedEvent[]): string[] =>
  events
    .map(({ type, data }) => {
      const eventData = type === 'license.generated' ? { user_id: Reflect.get(data, 'user_id') } : data;
      return `${type} ${JSON.stringify(Object.entries(eventData).sort(([a], [b]) => (a < b ? -1 : 1)))}`;
    })
    .sort();

/** The records of an export, read as a spreadsheet would. */
export async function readExport(baseUrl: string, apiKey: string, { id }: ExamRecord): Promise<string[][]> {
  const response = await fetch(`${baseUrl}/exams/${id}/export.csv`, { headers: { authorization: `Bearer ${apiKey}` } });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  return parse(await response.text(), { bom: false });
}

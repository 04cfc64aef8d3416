import { releaseLapsedClaims } from '../../db/repositories/webhooks/sending';
import { disableGoneEndpoint } from '../../domain/webhooks/disableEndpoint';
import { endDeliveriesByMove, endPrunedDelivery } from '../../domain/webhooks/endWithoutAttempt';
import { consoleFixture, visibleText } from '../support/consoleFixture';
import { updateDelivery } from '../support/deliveries';
import { seedDelivery, seedDeliveryAttempt } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { seedEvents } from '../support/seed/events';
import { minutesAgo } from '../support/time';

const fixture = consoleFixture();
const { api, institution, endpoint, page } = fixture;
const domain = () => api.api.domain;

const dayMinutes = 24 * 60;

/** The sentence of a delivery's page, and its row in the list of deliveries. */
async function shownEnd(id: string): Promise<{ words: string; row: string }> {
  const list = await page(`/institutions/${institution.id}/deliveries`);
  const [, row = ''] = new RegExp(`id="row-${id}">(.*?)</tr>`, 's').exec(list) ?? [];
  return { words: visibleText(await page(`/deliveries/${id}`)), row: visibleText(`<main>${row}`) };
}

const ends: { rule: string; end: () => Promise<string>; sentence: RegExp; row: RegExp }[] = [
  {
    rule: 'never attempted before its 12 hours were over',
    end: async () => {
      const id = await endpoint.seedDelivery({ createdAt: minutesAgo(800), deadlineAt: minutesAgo(80) });
      await releaseLapsedClaims(domain().database.sql);
      return id;
    },
    sentence: /It was given up before an attempt could be made\. That was (just now|\d+ s ago) \(.* UTC\) , because its 12 hours were over: until then the circuit of its endpoint was open, its rate limit was used up, a slow receiver had others before it all the time, or no worker was running\. Nothing more is sent unless it is replayed\./,
    row: /dead 12 hours over, (now|\d+ s ago)/,
  },
  {
    rule: 'replayed, and given up without an attempt since',
    end: async () => {
      const id = await endpoint.seedDelivery({ status: 'dead', attempts: 2, responseCode: 503, createdAt: minutesAgo(1_600), deadlineAt: minutesAgo(880) });
      await seedDeliveryAttempt(api, id, { number: 2, startedAt: minutesAgo(1_500), responseCode: 503 });
      await updateDelivery(fixture.api, id, { status: 'pending', cycle: 2, responseCode: null, errorClass: null, deadlineAt: minutesAgo(80) });
      await releaseLapsedClaims(domain().database.sql);
      return id;
    },
    sentence: /It was given up after 2 attempts, the last one with HTTP 503, and none since it was replayed\. That was .*, because its 12 hours were over/,
    row: /dead 12 hours over, (now|\d+ s ago)/,
  },
  {
    rule: 'held for 30 days',
    end: async () => {
      const id = await endpoint.seedDelivery({ status: 'held', createdAt: minutesAgo(31 * dayMinutes), heldAt: minutesAgo(30 * dayMinutes + 1) });
      await endDeliveriesByMove(domain(), endpoint.id, new Date(), ['heldTooLong']);
      return id;
    },
    sentence: /before an attempt could be made\. That was (just now|\d+ s ago) .*, because it had been held for 30 days\./,
    row: /dead held for 30 days, /,
  },
  {
    rule: 'of an endpoint that was disabled',
    end: async () => {
      const id = await endpoint.seedDelivery({ status: 'held', heldAt: minutesAgo(20) });
      const now = new Date();
      await disableGoneEndpoint(domain(), { endpoint_id: endpoint.id, institution_id: institution.id, response_code: 410, started_at: now, ended_at: now });
      return id;
    },
    sentence: /because its endpoint was disabled\./,
    row: /dead endpoint disabled, /,
  },
  {
    rule: 'whose event was pruned',
    end: async () => {
      const id = await endpoint.seedDelivery({ claimedBy: 'w', claimedUntil: new Date() });
      await endPrunedDelivery(domain(), { id, institution_id: institution.id, cycle: 1, clock_offset_ms: 0 });
      return id;
    },
    sentence: /because its event was pruned, so that there was nothing left to send\./,
    row: /dead event pruned, /,
  },
  {
    rule: 'of an endpoint that was deleted',
    end: async () => {
      const id = await endpoint.seedDelivery({ status: 'held' });
      await api.call('DELETE', `/webhooks/endpoints/${endpoint.id}`, { key: institution.apiKey });
      return id;
    },
    sentence: /It was cancelled after 0 attempts\. That was .*, because its endpoint was deleted\./,
    row: /cancelled endpoint deleted, /,
  },
  {
    rule: 'cancelled by support',
    end: async () => {
      const id = await endpoint.seedDelivery({ status: 'held' });
      await fixture.session.post(`/console/deliveries/${id}/cancel`);
      return id;
    },
    sentence: /It was cancelled after 0 attempts\. That was .*, by staff “Sam Support” stf_\w+ \(request req_\w+ \)\./,
    row: /cancelled cancelled by a call, /,
  },
  {
    rule: 'whose receiver answered 410 Gone',
    end: async () => {
      const id = await endpoint.seedDelivery({ status: 'dead', attempts: 1, responseCode: 410 });
      await seedDeliveryAttempt(api, id, { number: 1, startedAt: minutesAgo(5), responseCode: 410 });
      return id;
    },
    sentence: /after 1 attempt, the last one with HTTP 410\. That was [45] min ago .*, because its receiver responded with 410 Gone/,
    row: /dead 410 Gone, [45] min ago/,
  },
  {
    rule: 'whose receiver asked for no further attempts',
    end: async () => {
      const id = await endpoint.seedDelivery({ status: 'dead', attempts: 2, responseCode: 400 });
      await seedDeliveryAttempt(api, id, { number: 2, startedAt: minutesAgo(5), responseCode: 400, error: 'HTTP 400, and asked for no further attempts (Webhook-Abort)' });
      return id;
    },
    sentence: /because its receiver asked for no further attempts \(Webhook-Abort\)\./,
    row: /dead Webhook-Abort, [45] min ago/,
  },
  {
    rule: 'whose last attempt failed 30 s before its deadline',
    end: async () => {
      const id = await endpoint.seedDelivery({ status: 'dead', attempts: 12, responseCode: 503, deadlineAt: minutesAgo(4.5) });
      await seedDeliveryAttempt(api, id, { number: 12, startedAt: minutesAgo(5), responseCode: 503 });
      return id;
    },
    sentence: /after 12 attempts, the last one with HTTP 503\. That was [45] min ago .*, because its 12 hours were over\./,
    row: /dead 12 hours over, [45] min ago/,
  },
];

describe('a delivery that ended says why and when on its page and in the lists', () => {
  it.each(ends)('$rule', async ({ end, sentence, row }) => {
    const shown = await shownEnd(await end());
    expect(shown.words).toMatch(sentence);
    expect(shown.words).not.toContain('No attempt has been made yet');
    expect(shown.row).toMatch(row);
  });

  it('but nothing of a time before reasons were stored', async () => {
    const { words, row } = await shownEnd(await endpoint.seedDelivery({ status: 'dead' }));
    expect(words).toContain('It was given up before an attempt could be made. Nothing more is sent unless it is replayed.');
    expect(words).toContain('Ended when and why is not stored');
    expect(row).toContain('dead');
    expect(row).not.toContain('over');
  });

  it('and no longer once it is replayed', async () => {
    const [eventId = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(900) });
    const id = await endpoint.seedDelivery({ eventId, createdAt: minutesAgo(800), deadlineAt: minutesAgo(80) });
    await releaseLapsedClaims(domain().database.sql);
    await fixture.session.post(`/console/deliveries/${id}/replay`);
    expect((await shownEnd(id)).words).not.toContain('12 hours were over');
    const [row] = await fixture.sql('SELECT ended_at, end_reason FROM deliveries WHERE id = $1', [id]);
    expect(row).toEqual({ ended_at: null, end_reason: null });
  });
});

it('an event says why and when a delivery of it was given up', async () => {
  const [eventId = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(800) });
  const other = await seedEndpoint(api, institution, 'https://other.north.example/');
  await seedDelivery(api, institution, other, { eventId, createdAt: minutesAgo(800), deadlineAt: minutesAgo(80) });
  await releaseLapsedClaims(domain().database.sql);
  expect(visibleText(await page(`/events/${eventId}`))).toMatch(/It was given up before an attempt could be made, because its 12 hours were over: until then the circuit of its endpoint was open, its rate limit was used up, a slow receiver had others before it all the time, or no worker was running\. Given up (now|\d+ s ago)/);
});

it('a delivery that an open circuit holds has its deadline alone: the circuit does not stop it', async () => {
  const id = await endpoint.seedDelivery({ status: 'held', heldAt: minutesAgo(5), deadlineAt: minutesAgo(-660) });
  await fixture.sql("UPDATE webhook_endpoints SET circuit = 'open', circuit_opened_at = now(), probe_at = now() + interval '1 minute' WHERE id = $1", [endpoint.id]);
  const words = visibleText(await page(`/deliveries/${id}`));
  expect(words).toMatch(/Deadline in (10|11) h/);
  expect(words).not.toContain('Given up if still held');
  await fixture.sql("UPDATE webhook_endpoints SET probe_at = now() - interval '12 seconds' WHERE id = $1", [endpoint.id]);
  expect(visibleText(await page(`/deliveries/${id}`))).toContain('only one delivery is tried at a time, the next one now; it is sent after one has succeeded');
});

it('a held delivery says when it is given up if it is still held', async () => {
  const id = await endpoint.seedDelivery({ status: 'held', heldAt: minutesAgo(dayMinutes + 1) });
  await fixture.sql("UPDATE webhook_endpoints SET status = 'paused', paused_at = now() WHERE id = $1", [endpoint.id]);
  const words = visibleText(await page(`/deliveries/${id}`));
  expect(words).toContain('Given up if still held in 29 d');
  expect(words).toContain('Deadline stopped while its endpoint is paused');
  expect(words).toContain('Retry now sends it although its endpoint is paused: Retry now');
  expect(words).toContain('it is sent when the endpoint is resumed, and given up once it has been held for 30 days');
});

it('a delivery that ended is replayed only to an active endpoint, and its page says what is in the way', async () => {
  const [eventId = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(1) });
  const id = await endpoint.seedDelivery({ eventId, status: 'delivered', attempts: 1, responseCode: 200, deliveredAt: new Date(), deadlineAt: new Date() });
  expect(await page(`/deliveries/${id}`)).toContain('>Replay</button>');
  for (const [change, words] of [["status = 'paused'", 'its endpoint is paused'], ["status = 'disabled'", 'its endpoint is disabled'], ["status = 'active', deleted_at = now()", 'its endpoint is deleted']] as const) {
    await fixture.sql(`UPDATE webhook_endpoints SET ${change} WHERE id = $1`, [endpoint.id]);
    const text = await page(`/deliveries/${id}`);
    expect([visibleText(text).includes(`It cannot be replayed: ${words}.`), text.includes('>Replay</button>')]).toEqual([true, false]);
  }
});

it('an ended delivery says until when it can be replayed, and of a pruned event that it cannot be', async () => {
  const createdAt = minutesAgo(10 * dayMinutes);
  const [eventId = ''] = await seedEvents(api, institution, { createdAt });
  const kept = await page(`/deliveries/${await endpoint.seedDelivery({ eventId, status: 'cancelled', createdAt })}`);
  expect(visibleText(kept)).toMatch(/It can be replayed until \d+ \w+ \d{4}, [\d:]+ UTC \(in (20 d|19 d 23 h)\) , while its event is kept: Replay/);
  const pruned = await page(`/deliveries/${await endpoint.seedDelivery({ status: 'dead' })}`);
  expect(visibleText(pruned)).toContain('It cannot be replayed: its event was pruned.');
  expect(pruned).not.toContain('/replay"');
});

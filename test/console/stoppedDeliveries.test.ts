import { newId } from '../../domain/ids';
import { disableGoneEndpoint } from '../../domain/webhooks/disableEndpoint';
import { consoleFixture, visibleText } from '../support/consoleFixture';
import { seedEvents } from '../support/seed/events';
import { minutesAgo } from '../support/time';

const fixture = consoleFixture();
const { api, institution, endpoint, page, sql } = fixture;

const stops: { rule: string; change: () => Promise<unknown>; because: string; sent: string; deadlineStop: string | undefined }[] = [
  {
    rule: 'whose endpoint is paused',
    change: () => sql("UPDATE webhook_endpoints SET status = 'paused', paused_at = now() WHERE id = $1", [endpoint.id]),
    because: 'its endpoint is paused', sent: 'when the endpoint is resumed', deadlineStop: 'its endpoint is paused',
  },
  {
    rule: 'whose institution is suspended, and the circuit of its endpoint open',
    change: async () => {
      await sql("UPDATE webhook_endpoints SET circuit = 'open', circuit_opened_at = now(), probe_at = now() - interval '1 minute' WHERE id = $1", [endpoint.id]);
      await sql("UPDATE institutions SET status = 'suspended', suspended_at = now() WHERE id = $1", [institution.id]);
    },
    because: 'its institution is not approved and its endpoint failed so often in a row that only one delivery is tried at a time', sent: 'when the institution is approved and one delivery has succeeded', deadlineStop: 'its institution is not approved',
  },
  {
    rule: 'whose institution is suspended and its endpoint paused',
    change: async () => {
      await sql("UPDATE webhook_endpoints SET status = 'paused', paused_at = now() WHERE id = $1", [endpoint.id]);
      await sql("UPDATE institutions SET status = 'suspended', suspended_at = now() WHERE id = $1", [institution.id]);
    },
    because: 'its institution is not approved and its endpoint is paused', sent: 'when the institution is approved and the endpoint is resumed', deadlineStop: 'its institution is not approved and its endpoint is paused',
  },
  {
    rule: 'whose institution is suspended, its endpoint paused and the circuit of that open',
    change: async () => {
      await sql("UPDATE webhook_endpoints SET status = 'paused', paused_at = now(), circuit = 'open', circuit_opened_at = now(), probe_at = now() - interval '1 minute' WHERE id = $1", [endpoint.id]);
      await sql("UPDATE institutions SET status = 'suspended', suspended_at = now() WHERE id = $1", [institution.id]);
    },
    because: 'its institution is not approved, and its endpoint is paused and failed so often in a row that only one delivery is tried at a time',
    sent: 'when the institution is approved, the endpoint is resumed and one delivery has succeeded', deadlineStop: 'its institution is not approved and its endpoint is paused',
  },
  {
    rule: 'whose circuit is open',
    change: () => sql("UPDATE webhook_endpoints SET circuit = 'open', circuit_opened_at = now(), probe_at = now() + interval '1 minute' WHERE id = $1", [endpoint.id]),
    because: 'its endpoint failed so often in a row that only one delivery is tried at a time', sent: 'after one has succeeded', deadlineStop: undefined,
  },
];

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const words = async (path: string): Promise<string> => visibleText(await page(path));
/** The same without blanks before punctuation, which tags leave. */
const sentences = async (path: string): Promise<string> => (await words(path)).replaceAll(/ ([.,;:)])/g, '$1').replaceAll('( ', '(');

describe.each(stops)('a delivery $rule', ({ change, because, sent, deadlineStop }) => {
  it('that waits for a retry is said to be held when that is due, nowhere to be attempted then', async () => {
    const [eventId = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(2) });
    const id = await endpoint.seedDelivery({ eventId, status: 'retrying', attempts: 4, responseCode: 500, createdAt: minutesAgo(2), nextAttemptAt: minutesAgo(-2), deadlineAt: minutesAgo(-700) });
    expect(await words(`/deliveries/${id}`)).toContain('Next attempt');
    await change();
    const shown = await sentences(`/deliveries/${id}`);
    expect(shown).toContain(`The last of 4 attempts failed, with HTTP 500. ${upper(because)}: when its next attempt is due (in `);
    expect(shown).toContain(`it is held, and sent ${sent}.`);
    expect(shown).toContain('Held, not attempted');
    expect(shown).toContain(`Retry now sends it although ${because}:`);
    expect(shown).not.toMatch(/Next attempt|The next one is due/);
    expect(/Deadline stopped while (.+?) Workflow/.exec(shown)?.[1]).toBe(deadlineStop);
    const event = await sentences(`/events/${eventId}`);
    expect(event).toContain(`4 attempts failed, the last one with HTTP 500. ${upper(because)}: when its next attempt is due it is held, and sent ${sent}.`);
    expect(event).not.toMatch(/Next attempt|is planned/);
  });

  it('that is due is not said to be attempted, and one that is held names every reason', async () => {
    const [due, held] = [await endpoint.seedDelivery({ status: 'pending' }), await endpoint.seedDelivery({ status: 'held', heldAt: minutesAgo(5) })];
    await change();
    expect(await words(`/deliveries/${due}`)).toContain(`${upper(because)}: unless an attempt is being made now it is held, and sent ${sent}.`);
    const shown = await sentences(`/deliveries/${held}`);
    expect(shown).toContain(because);
    expect(shown).toContain(`it is sent ${sent}`);
  });
});

describe('the page of an endpoint', () => {
  it('whose institution is suspended names no probe, and the circuit that holds its deliveries after that', async () => {
    await stops[1]?.change();
    const shown = await words(`/endpoints/${endpoint.id}`);
    expect(shown).toContain('Its institution is suspended: deliveries are held until it is approved');
    expect(shown).not.toMatch(/probe is due|retried as a probe/);
    expect(shown).toMatch(/The circuit has also been open since .*, after 20 failures in a row: once its institution is approved only one delivery is tried at a time\. After the first success all of them are sent\./);
  });

  it('that is paused in a suspended institution names both', async () => {
    await stops[2]?.change();
    expect(await sentences(`/endpoints/${endpoint.id}`)).toMatch(/Paused .*, and its institution is suspended: deliveries are held until it is resumed and the institution is approved/);
  });

  it('that is paused under an open circuit names both; the circuit alone is named with its probe', async () => {
    await stops[4]?.change();
    expect(await words(`/endpoints/${endpoint.id}`)).toMatch(/The circuit has been open since .*so there is no probe/);
    await stops[0]?.change();
    const shown = await words(`/endpoints/${endpoint.id}`);
    expect(shown).toContain('deliveries are held until it is resumed');
    expect(shown).toMatch(/The circuit has also been open since .*: once it is resumed only one delivery is tried at a time/);
    await stops[3]?.change();
    expect(await words(`/endpoints/${endpoint.id}`)).toContain('once it is resumed and its institution is approved only one delivery is tried at a time');
  });

  it('that was paused while it failed says when the failures began', async () => {
    const [began, moved] = [minutesAgo(90), minutesAgo(10)];
    await sql('UPDATE webhook_endpoints SET consecutive_failures = 44, failing_since = $2, first_failed_at = $3, moved_failing_since = $2 WHERE id = $1', [endpoint.id, moved, began]);
    expect(await words(`/endpoints/${endpoint.id}`)).toMatch(/The last 44 attempts failed; it has been failing since 1 h 30 min ago/);
    // A failure of another period, which no pause has moved.
    await sql('UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1', [endpoint.id, minutesAgo(5)]);
    expect(await words(`/endpoints/${endpoint.id}`)).toContain('it has been failing since 5 min ago');
  });
});

it.each(['paused', 'disabled'])('the page of an endpoint that is %s says since when it fails', async (status) => {
  await sql('UPDATE webhook_endpoints SET status = $2, consecutive_failures = 23, failing_since = $3, last_failure_at = $3 WHERE id = $1', [endpoint.id, status, minutesAgo(20)]);
  expect(await words(`/endpoints/${endpoint.id}`)).toMatch(/Failures in a row 23 Failing since 20 min ago/);
});

it('the form that replays dead deliveries begins before the oldest one that was given up when the endpoint was disabled, that of a recovery then', async () => {
  const oldest = minutesAgo(3 * 1_440);
  await endpoint.seedDelivery({ status: 'held', createdAt: oldest, heldAt: oldest });
  const now = new Date();
  await disableGoneEndpoint(api.api.domain, { endpoint_id: endpoint.id, institution_id: institution.id, response_code: 410, started_at: now, ended_at: now });
  await api.call('PATCH', `/webhooks/endpoints/${endpoint.id}`, { key: institution.apiKey, body: { status: 'active' } });
  const text = await page(`/endpoints/${endpoint.id}`);
  expect(text).toMatch(new RegExp(`id="replay-dead-since"[^>]* value="${oldest.toISOString().slice(0, 16)}`));
  expect(text).not.toMatch(new RegExp(`id="recover-since"[^>]* value="${oldest.toISOString().slice(0, 16)}`));
});

it('a delivery that was late says how late, and links its event; one that was not does neither', async () => {
  const [eventId = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(60) });
  const late = await endpoint.seedDelivery({ eventId, status: 'delivered', attempts: 1, responseCode: 200, createdAt: minutesAgo(60), deliveredAt: minutesAgo(53.4) });
  expect(await sentences(`/deliveries/${late}`)).toContain('with HTTP 200, with attempt 1. That was 6 min 36 s after it was created. Either it was held before, or its receiver was so slow that it waited, or no worker was running. See its event.');
  expect(await page(`/deliveries/${late}`)).toContain(`<a href="/console/events/${eventId}">its event</a>`);
  expect(await sentences(`/events/${eventId}`)).toContain('That was 6 min 36 s after the event.');
  const soon = await endpoint.seedDelivery({ status: 'delivered', attempts: 1, responseCode: 200, createdAt: minutesAgo(60), deliveredAt: minutesAgo(59.5) });
  expect(await sentences(`/deliveries/${soon}`)).not.toContain('after it was created');
});

it('a delivery that cannot be replayed is not said to be sent again by a replay', async () => {
  const [eventId = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(60) });
  const id = await endpoint.seedDelivery({ eventId, status: 'cancelled' });
  expect(await words(`/deliveries/${id}`)).toContain('Nothing more is sent unless it is replayed.');
  await sql('UPDATE webhook_endpoints SET deleted_at = now() WHERE id = $1', [endpoint.id]);
  expect(await words(`/deliveries/${id}`)).toContain('Nothing more is sent.');
});

it('the page of an event links the recovery that sent it late', async () => {
  const [eventId = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(60) });
  const id = await endpoint.seedDelivery({ eventId, status: 'delivered', attempts: 1, responseCode: 200, createdAt: minutesAgo(5), deliveredAt: minutesAgo(5) });
  const recovery = newId('rcv');
  await sql('INSERT INTO webhook_replays (institution_id, delivery_id, ref, cycle, created_at) VALUES ($1, $2, $3, 1, now())', [institution.id, id, recovery]);
  expect(await page(`/events/${eventId}`)).toContain(`<a href="/console/endpoints/${endpoint.id}/replays/${recovery}"><code>${recovery}</code></a>`);
});

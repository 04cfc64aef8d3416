import { consoleFixture, visibleText } from '../support/consoleFixture';
import { changeDeliveries } from '../support/deliveries';
import { seedDelivery, seedDeliveryAttempt } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { seedEvents } from '../support/seed/events';
import { minutesAgo } from '../support/time';

const fixture = consoleFixture();
const { api, institution, endpoint } = fixture;

const shown = async (path: string): Promise<string> => visibleText(await fixture.page(path)).replaceAll(/ (?=[.,):])/g, '');

const [happened, delivered] = [minutesAgo(10), minutesAgo(-1)];
const guesses = 'it was held before, or its receiver was so slow that it waited, or no worker was running.';

/** Delivers an event 11 minutes late to the endpoint; returns the paths of both. */
async function deliverLate(fields: { attempts?: number } = {}): Promise<{ event: string; delivery: string }> {
  const [eventId = ''] = await seedEvents(api, institution, { createdAt: happened });
  const id = await endpoint.seedDelivery({ eventId, status: 'delivered', attempts: 1, responseCode: 200, createdAt: happened, deliveredAt: delivered, ...fields });
  return { event: `/events/${eventId}`, delivery: `/deliveries/${id}` };
}

/** Has the endpoint receive other deliveries in the ten seconds before the late one, each with its only attempt. */
async function receiveOthers(count: number): Promise<void> {
  for (let nth = 1; nth <= count; nth += 1) {
    const id = await endpoint.seedDelivery({ status: 'delivered', attempts: 1, responseCode: 200, deliveredAt: delivered });
    await seedDeliveryAttempt(api, id, { startedAt: new Date(delivered.getTime() - nth * 1_000), responseCode: 200, errorClass: null });
  }
}

const setLimit = async (rateLimit: number | null): Promise<string> => {
  const { headers } = await api.call('PATCH', `/webhooks/endpoints/${endpoint.id}`, { key: institution.apiKey, body: { rate_limit: rateLimit } });
  return headers.get('x-request-id') ?? '';
};

it('a delivery that waited for the rate limit of its endpoint says so, with the limit, since when it is set and by whom', async () => {
  const request = await setLimit(1);
  await receiveOthers(9);
  const { event, delivery } = await deliverLate();
  const cause = new RegExp(`It waited for the rate limit: its endpoint takes at most 1 delivery per second \\(rate_limit, set (now|\\d+ s ago) \\(.+? UTC\\) by API key “test” ${institution.keyId} \\(request ${request}\\)\\)\\.`);
  for (const path of [event, delivery]) {
    expect(await shown(path)).toMatch(cause);
    expect(await shown(path)).not.toContain('no worker was running');
  }
});

it('a delivery that was held says who paused its endpoint in the console, and who set its status with a key, whose value is not stored', async () => {
  const { event } = await deliverLate();
  await fixture.session.postAndFollow(`/console/endpoints/${endpoint.id}/pause`, {});
  const { headers } = await api.call('PATCH', `/webhooks/endpoints/${endpoint.id}`, { key: institution.apiKey, body: { status: 'active' } });
  expect(await shown(event)).toMatch(new RegExp(`Its endpoint was paused (now|\\d+ s ago) \\(.+? UTC\\) by staff “Sam Support” stf_\\w+ \\(request req_\\w+\\), and its status was set (now|\\d+ s ago) \\(.+? UTC\\) by API key “test” ${institution.keyId} \\(request ${headers.get('x-request-id') ?? ''}\\): it was held until then\\.`));
  await fixture.session.postAndFollow(`/console/endpoints/${endpoint.id}/pause`, {});
  await fixture.session.postAndFollow(`/console/endpoints/${endpoint.id}/resume`, {});
  expect(await shown(event)).toMatch(/Its endpoint was paused .+? by staff “Sam Support” .+?, and it was resumed .+? by staff “Sam Support” .+?: it was held until then\./);
});

it('a rate limit that was not used up is one of several reasons', async () => {
  await setLimit(5);
  await receiveOthers(9);
  const { event } = await deliverLate();
  expect(await shown(event)).toMatch(new RegExp(`Either it waited for the rate limit, as its endpoint takes at most 5 deliveries per second \\(rate_limit, set .+?\\)\\), or ${guesses}`));
});

it('a rate limit that was changed after the delivery is one of several reasons, as the earlier one is not stored', async () => {
  const { event } = await deliverLate();
  await changeDeliveries(fixture.sql, 'SET delivered_at = now() WHERE endpoint_id = $1', [endpoint.id]);
  const request = await setLimit(null);
  expect(await shown(event)).toMatch(new RegExp(`Either it waited for the rate limit of its endpoint \\(rate_limit was set only after that, .+? by API key “test” ${institution.keyId} \\(request ${request}\\); what it was before is not stored\\), or ${guesses}`));
});

it('a rate limit that was changed before and after the delivery is the reason where deliveries were let through one after the other', async () => {
  const before = await setLimit(1);
  const { event } = await deliverLate();
  await changeDeliveries(fixture.sql, 'SET delivered_at = now() WHERE endpoint_id = $1', [endpoint.id]);
  for (let nth = 1; nth < 20; nth += 1) {
    const id = await endpoint.seedDelivery({ status: 'delivered', attempts: 1, responseCode: 200, deliveredAt: minutesAgo(nth / 2) });
    await seedDeliveryAttempt(api, id, { startedAt: minutesAgo(nth / 2), durationMs: nth, responseCode: 200, errorClass: null });
  }
  const after = await setLimit(null);
  await setLimit(5);
  expect(await shown(event)).toMatch(new RegExp(`It waited for the rate limit of its endpoint, which was set .+? \\(request ${before}\\), and again after the delivery, .+? \\(request ${after}\\); values are not stored\\. While it waited 19 others were sent one after the other, and none took longer than 19 ms\\.`));
  expect(await shown(event)).not.toContain('no worker was running');
});

it('without a rate limit none is named', async () => {
  const { event, delivery } = await deliverLate();
  for (const path of [event, delivery]) expect(await shown(path)).toContain(`Either ${guesses}`);
});

it('a delivery that was late because attempts failed says how many, and how', async () => {
  const { event, delivery } = await deliverLate({ attempts: 4 });
  const id = delivery.slice('/deliveries/'.length);
  for (const number of [1, 2]) await seedDeliveryAttempt(api, id, { number });
  await seedDeliveryAttempt(api, id, { number: 3, responseCode: null, errorClass: 'timeout' });
  await seedDeliveryAttempt(api, id, { number: 4, responseCode: 200, errorClass: null });
  for (const path of [event, delivery]) expect(await shown(path)).toContain('Its first 3 attempts failed (HTTP 500 and timeout).');
});

/** Has this many attempts at the endpoint fail, a second apart. */
async function failAttempts(from: Date, count: number): Promise<void> {
  const other = await endpoint.seedDelivery({ status: 'dead', attempts: count });
  for (let number = 1; number <= count; number += 1) await seedDeliveryAttempt(api, other, { number, startedAt: new Date(from.getTime() + number * 1_000) });
}

it('a delivery that was held while its endpoint failed says from when to when, and how often; fewer failures than open the circuit are no reason', async () => {
  const from = minutesAgo(12);
  await failAttempts(from, 19);
  const { event, delivery } = await deliverLate();
  expect(await shown(event)).toContain(`Either ${guesses}`);
  const other = await endpoint.seedDelivery({ status: 'dead', attempts: 1 });
  await seedDeliveryAttempt(api, other, { number: 1, startedAt: minutesAgo(5) });
  for (const path of [event, delivery]) {
    expect(await shown(path)).toMatch(/Its endpoint failed from 12 min ago \(.+? UTC\) to 5 min ago \(.+? UTC\) \(20 failed attempts\), and the delivery was held until it answered again\./);
    expect(await shown(path)).not.toContain('no worker was running');
  }
});

it('an outage that ended before the event is no reason', async () => {
  await failAttempts(minutesAgo(12), 40);
  const { event } = await deliverLate();
  expect(await shown(event)).toContain(`Either ${guesses}`);
});

it('a delivery that waited for the rate limit after an outage says both', async () => {
  await setLimit(1);
  await failAttempts(minutesAgo(9), 20);
  await receiveOthers(9);
  const { event } = await deliverLate();
  expect(await shown(event)).toMatch(/was held until it answered again\. After that it waited for the rate limit: its endpoint takes at most 1 delivery per second \(rate_limit, set .+?\)\)\./);
});

it('the page of a delivery shows a short response unfolded, and a long one folded', async () => {
  const id = await endpoint.seedDelivery({ status: 'retrying', attempts: 2, responseCode: 500, nextAttemptAt: minutesAgo(-5) });
  await seedDeliveryAttempt(api, id, { number: 1, responseBody: 'x'.repeat(200) });
  await seedDeliveryAttempt(api, id, { number: 2, responseBody: 'x'.repeat(199) });
  const text = await fixture.page(`/deliveries/${id}`);
  expect([text.includes('<details id="answer-1">'), text.includes('<details id="answer-2" open>')]).toEqual([true, true]);
});

it('the list of deliveries and the page of an event show how the response to the last attempt that failed began, and of a delivered one nothing', async () => {
  const [failed, delivered] = [await endpoint.seedDelivery({ status: 'retrying', attempts: 2, responseCode: 422, nextAttemptAt: minutesAgo(-5) }), await endpoint.seedDelivery({ status: 'delivered', attempts: 1, responseCode: 200, deliveredAt: minutesAgo(1) })];
  await seedDeliveryAttempt(api, failed, { number: 1, responseBody: 'the first answer' });
  await seedDeliveryAttempt(api, failed, { number: 2, responseCode: 422, responseBody: `no class <register>${'x'.repeat(400)}` });
  await seedDeliveryAttempt(api, delivered, { number: 1, responseCode: 200, errorClass: null, responseBody: 'stored as row 7' });
  const [row] = await fixture.sql<{ event_id: string }>('SELECT event_id FROM deliveries WHERE id = $1', [failed]);
  for (const page of [await fixture.page(`/institutions/${institution.id}/deliveries`), await fixture.page(`/events/${row?.event_id}`)]) {
    expect(page).toContain(`answered <code class="answer">no class &lt;register&gt;${'x'.repeat(181)}</code>`);
    expect(page).not.toContain('the first answer');
    expect(page).not.toContain('stored as row 7');
  }
});

it('the page of a delivery with many attempts shows the newest five and the first, and folds those between, with how they failed', async () => {
  const id = await endpoint.seedDelivery({ status: 'retrying', attempts: 9, responseCode: 500, nextAttemptAt: minutesAgo(-5) });
  const attemptsIn = (text: string) => [...text.matchAll(/<li id="attempt-(\d+)"/g)].map(([, number]) => Number(number));
  for (let number = 1; number <= 7; number += 1) await seedDeliveryAttempt(api, id, { number });
  expect(await fixture.page(`/deliveries/${id}`)).not.toContain('more attempts');
  for (const number of [8, 9]) await seedDeliveryAttempt(api, id, { number });
  const text = await fixture.page(`/deliveries/${id}`);
  const [, folded = ''] = /<details id="attempts-folded"><summary>3 more attempts, all HTTP 500<\/summary>([\s\S]*?)<\/ol><\/details>/.exec(text) ?? [];
  expect([attemptsIn(text), attemptsIn(folded)]).toEqual([[9, 8, 7, 6, 5, 4, 3, 2, 1], [4, 3, 2]]);
});

it('the page of a delivery has Replay as its main button unless it was delivered', async () => {
  const buttonOf = async (status: 'delivered' | 'dead'): Promise<string | undefined> => {
    const [eventId = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(status === 'dead' ? 30 : 31) });
    return /<button class="button (\w+)">Replay</.exec(await fixture.page(`/deliveries/${await endpoint.seedDelivery({ status, attempts: 1, eventId })}`))?.[1];
  };
  expect([await buttonOf('delivered'), await buttonOf('dead')]).toEqual(['plain', 'main']);
});

it('the page of an endpoint says from when to when it failed last, how often, and when its first success after that was, also once it works again', async () => {
  expect(await shown(`/endpoints/${endpoint.id}`)).not.toContain('Last outage');
  const [from, recovered] = [minutesAgo(12), minutesAgo(9)];
  await failAttempts(from, 25);
  await fixture.sql('UPDATE webhook_endpoints SET last_failure_at = $2, last_success_at = $3 WHERE id = $1', [endpoint.id, new Date(from.getTime() + 25_031), recovered]);
  expect(await shown(`/endpoints/${endpoint.id}`)).toMatch(/Last outage failed \d+ \w+ \d+, \d\d:\d\d:\d\d to .*\d\d:\d\d:\d\d UTC \(25 attempts\), no success since/);
  const id = await endpoint.seedDelivery({ status: 'delivered', attempts: 1, responseCode: 200, deliveredAt: recovered });
  await seedDeliveryAttempt(api, id, { startedAt: recovered, responseCode: 200, errorClass: null });
  expect(await shown(`/endpoints/${endpoint.id}`)).toMatch(/Last outage failed .+? UTC \(25 attempts\), first success after it 9 min ago \(.+? UTC\) 2 min 59 s from the first failure to that success/);
});

it('the list of deliveries says how the last attempt ended: with which code, or without a response where it failed', async () => {
  const rows = [
    await endpoint.seedDelivery({ status: 'retrying', attempts: 6, responseCode: 401, errorClass: 'http', nextAttemptAt: minutesAgo(-5) }),
    await endpoint.seedDelivery({ status: 'retrying', attempts: 6, errorClass: 'connect', nextAttemptAt: minutesAgo(-5) }),
  ];
  const text = await fixture.page(`/institutions/${institution.id}/deliveries`);
  expect(rows.map((id) => / 6 (HTTP 401|connect) /.exec(visibleText(new RegExp(`id="row-${id}">([\\s\\S]*?)</tr>`).exec(text)?.[1] ?? ''))?.[1])).toEqual(['HTTP 401', 'connect']);
});

it('the page of an endpoint says below its status how many deliveries per second it takes', async () => {
  await setLimit(1);
  expect(await shown(`/endpoints/${endpoint.id}`)).toContain('has not received a delivery yet. It takes at most 1 delivery per second.');
  await setLimit(1_000);
  expect(await shown(`/endpoints/${endpoint.id}`)).toContain('It takes at most 1,000 deliveries per second.');
  await setLimit(null);
  expect(await shown(`/endpoints/${endpoint.id}`)).not.toContain('It takes at most');
});

it('a pending delivery of an endpoint with a rate limit says what it is', async () => {
  const [eventId = ''] = await seedEvents(api, institution, { createdAt: happened });
  const id = await seedEndpoint(api, institution, 'https://slow.north.example/in', { rateLimit: 2 });
  await seedDelivery(api, institution, id, { eventId, status: 'pending' });
  expect(await shown(`/events/${eventId}`)).toContain('Its first attempt is due or being made now. Its endpoint takes at most 2 deliveries per second.');
});

it('the list of deliveries says when each was delivered and how late, and has the late ones alone by its filter', async () => {
  const late = await endpoint.seedDelivery({ status: 'delivered', attempts: 1, responseCode: 200, createdAt: happened, deliveredAt: delivered });
  const inTime = await endpoint.seedDelivery({ status: 'delivered', attempts: 1, responseCode: 200, createdAt: happened, deliveredAt: new Date(happened.getTime() + 59_999) });
  const replayed = await endpoint.seedDelivery({ status: 'delivered', cycle: 2, attempts: 2, responseCode: 200, createdAt: happened, deliveredAt: delivered });
  const waiting = await endpoint.seedDelivery({ status: 'retrying', attempts: 1, createdAt: happened, nextAttemptAt: delivered });
  const path = `/institutions/${institution.id}/deliveries`;
  const listed = async (query: string) => {
    const text = await fixture.page(`${path}${query}`);
    return { text, ids: [late, inTime, replayed, waiting].filter((id) => text.includes(`id="row-${id}"`)) };
  };
  const rowOf = (text: string, id: string) => visibleText(new RegExp(`id="row-${id}">([\\s\\S]*?)</tr>`).exec(text)?.[1] ?? '');
  const [all, lateOnes, lateAndOpen] = [await listed(''), await listed('?late=yes'), await listed('?late=yes&status=open')];
  expect([all.ids, lateOnes.ids, lateAndOpen.ids]).toEqual([[late, inTime, replayed, waiting], [late], []]);
  expect(rowOf(all.text, late)).toMatch(/ delivered late: after 11 min, .*\d\d:\d\d/);
  for (const id of [inTime, replayed, waiting]) expect(rowOf(all.text, id)).not.toContain('late');
  expect(rowOf(all.text, inTime)).toMatch(/ delivered \d.*\d\d:\d\d/);
  expect(lateOnes.text).toContain('<option value="yes" selected>');
  expect(visibleText((await listed('?late=no')).text)).toContain('“no” is not a choice of late deliveries, so this filter was ignored.');
});

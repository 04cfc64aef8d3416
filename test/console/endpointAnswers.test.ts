import { transact } from '../../domain/transact';
import { disableGoneEndpoint } from '../../domain/webhooks/disableEndpoint';
import { consoleFixture, escaped, hostile, visibleText } from '../support/consoleFixture';
import { seedDeliveryAttempt } from '../support/seed/deliveries';
import { seedEvents } from '../support/seed/events';
import { minutesAgo } from '../support/time';

const fixture = consoleFixture();
const { api, institution, sql, endpoint, page } = fixture;

const words = async (): Promise<string> => visibleText(await page(`/endpoints/${endpoint.id}`));

it('the page of a failing endpoint says how the last attempt failed', async () => {
  const delivery = await endpoint.seedDelivery({ status: 'retrying', attempts: 2 });
  await sql('UPDATE webhook_endpoints SET consecutive_failures = 2, first_failed_at = $2, failing_since = $2 WHERE id = $1', [endpoint.id, minutesAgo(5)]);
  const attempt = (number: number, code: number | null, error: string | null) => sql(
    `INSERT INTO webhook_attempts (delivery_id, institution_id, endpoint_id, number, cycle, started_at, duration_ms, response_code, error_class, resent)
     VALUES ($1, $2, $3, $4::int, 1, now() + $4::int * interval '1 second' - interval '1 minute', 5, $5, $6, false)`,
    [delivery, institution.id, endpoint.id, number, code, error],
  );
  await attempt(1, 503, 'http');
  expect(await words()).toContain('The last 2 attempts failed, the last one with HTTP 503; it has been failing since');
  await attempt(2, null, 'timeout');
  expect(await words()).toContain('The last 2 attempts failed, the last one with timeout; it has been failing since');
});

it('the page of a failing endpoint leads to its last attempt, with the beginning of the response, and says when its secret was rotated', async () => {
  const delivery = await endpoint.seedDelivery({ status: 'retrying', attempts: 2 });
  await seedDeliveryAttempt(api, delivery, { number: 1, startedAt: minutesAgo(3), responseCode: 401, responseBody: `${hostile} signature does not match` });
  expect([await page(`/endpoints/${endpoint.id}`), await words()].map((text) => /The last attempt|Secret rotated never/.exec(text)?.[0])).toEqual([undefined, 'Secret rotated never']);
  await sql('UPDATE webhook_endpoints SET consecutive_failures = 2, failing_since = $2, secret_rotated_at = $2 WHERE id = $1', [endpoint.id, minutesAgo(5)]);
  expect(await page(`/endpoints/${endpoint.id}`)).toContain(`<a href="/console/deliveries/${delivery}#attempt-1">The last attempt</a> was answered with HTTP 401: <code>${escaped} signature does not match</code>`);
  expect(await words()).toContain('Secret rotated 5 min ago');
  await seedDeliveryAttempt(api, delivery, { number: 2, startedAt: minutesAgo(1), responseCode: null, errorClass: 'timeout', responseBody: null });
  expect(await words()).toContain('The last attempt ended with timeout.');
});

it('reactivating an endpoint says how many deliveries were given up when it was disabled, and what sends them', async () => {
  const [eventId = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(30) });
  await endpoint.seedDelivery({ status: 'held', eventId, createdAt: minutesAgo(30) });
  await sql("UPDATE webhook_endpoints SET updated_at = now() - interval '1 hour' WHERE id = $1", [endpoint.id]);
  await disableGoneEndpoint(api.api.domain, { endpoint_id: endpoint.id, institution_id: institution.id, response_code: 410, started_at: new Date(), ended_at: new Date() });
  const { text } = await fixture.session.postAndFollow(`/console/endpoints/${endpoint.id}/resume`);
  expect(text).toContain('“Count missed events…” finds what it missed. 1 delivery was given up when it was disabled: “Count dead deliveries…” sends it again.');
});

it('the page of a delivery that was late and replayed names its attempts, and no workflow for its cycle', async () => {
  const delivery = await endpoint.seedDelivery({ status: 'delivered', cycle: 2, attempts: 3, createdAt: minutesAgo(30), deliveredAt: minutesAgo(10) });
  const text = visibleText(await page(`/deliveries/${delivery}`));
  expect(text).toContain('That was 20 min after it was created; the attempts below say how its earlier cycles went.');
  expect(text).toContain('Workflow none was needed in cycle 2');
});

it('a replay names what its endpoint is, and not what it may be', async () => {
  const [eventId = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(30) });
  const delivery = await endpoint.seedDelivery({ status: 'dead', eventId });
  const rejection = async (): Promise<string> => String((await api.call('POST', `/webhooks/deliveries/${delivery}/replay`, { key: institution.apiKey, body: {} })).body.message);
  for (const status of ['paused', 'disabled']) {
    await transact(api.api.domain, institution.caller, (tx) => tx.sql('UPDATE webhook_endpoints SET status = $2 WHERE id = $1', [endpoint.id, status]));
    expect(await rejection()).toBe(`The endpoint of this delivery is ${status}; set its status to active first.`);
  }
  await sql("UPDATE webhook_endpoints SET status = 'active', deleted_at = now() WHERE id = $1", [endpoint.id]);
  expect(await rejection()).toBe('The endpoint of this delivery is deleted: nothing is sent to it any more.');
});

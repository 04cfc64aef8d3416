import { disableGoneEndpoint } from '../../domain/webhooks/disableEndpoint';
import { transact } from '../../domain/transact';
import { seedDelivery, seedDeliveryAttempt } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { minutesAgo } from '../support/time';
import { consoleFixture, escaped, hostile, rowIds, visibleText } from '../support/consoleFixture';

const fixture = consoleFixture();
const { api, institution, sql, page } = fixture;

/** The event that a command would have emitted. */
async function commitEvent(): Promise<{ id: string; createdAt: Date }> {
  await transact(api.api.domain, institution.caller, async (tx) => tx.emit('exam.published', { exam_id: 'exm_1', faculty_id: 'fac_1', app: 'svc' }));
  const { data } = await api.call('GET', '/events', { key: institution.apiKey });
  const last = data.items.at(-1);
  return { id: last.id, createdAt: new Date(last.created_at) };
}

describe('a delivery', () => {
  it('shows its attempts, newest first, with what was answered, and its payload', async () => {
    const event = await commitEvent();
    const next = new Date(Date.now() + 120_000);
    const id = await fixture.endpoint.seedDelivery({
      eventId: event.id, eventType: 'exam.published', status: 'retrying', attempts: 2, responseCode: 500, firstAttemptAt: minutesAgo(5), nextAttemptAt: next, deadlineAt: new Date(Date.now() + 3_600_000),
    });
    await sql("UPDATE open_deliveries SET retried_by = 'workflow' WHERE id = $1", [id]);
    await seedDeliveryAttempt(api, id, { number: 1, startedAt: minutesAgo(5), responseCode: null, errorClass: 'timeout', error: `no answer within 10 s ${hostile}`, responseBody: null, durationMs: 10_000, connectMs: 12 });
    await seedDeliveryAttempt(api, id, { number: 2, startedAt: minutesAgo(4), connectMs: null, responseBody: `${hostile}\n\u001b broke` });
    const text = await page(`/deliveries/${id}`);
    const words = visibleText(text);
    expect(words).toMatch(/The last of 2 attempts failed, with HTTP 500\. The next one is due in (1|2) min/);
    expect(words).toMatch(/Next attempt in .* Attempt 2 HTTP 500 4 min ago .* 31 ms in total, on an open connection, error class http Response of attempt 2 .* Attempt 1 timeout 5 min ago .* 10\.0 s in total, 12 ms to connect, error class timeout no answer within 10 s/);
    expect(text).toContain(`${escaped}\n\ufffd broke`);
    expect(text).not.toContain(hostile);
    expect(text).toContain('&quot;exam_id&quot;: &quot;exm_1&quot;');
    expect(text).toContain(`href="${api.settings.temporalUiUrl}/namespaces/${api.settings.temporalNamespace}/workflows/${id}"`);
  });

  it.each([
    ['dns', { connectMs: null, responseCode: null }, '31 ms in total, no connection was made, error class dns'],
    ['blocked', { connectMs: null, responseCode: null }, '31 ms in total, no connection was made, error class blocked'],
    ['tls', { connectMs: null, responseCode: null }, '31 ms in total, no connection was made, error class tls'],
    // Refused, or lost on a connection that was open: the line below says it.
    ['connect', { connectMs: null, responseCode: null }, '31 ms in total, error class connect'],
    // No connection in time, or no answer on one that was open.
    ['timeout', { connectMs: null, responseCode: null }, '31 ms in total, error class timeout'],
    ['timeout', { connectMs: null, responseCode: 200 }, '31 ms in total, on an open connection, error class timeout'],
    ['connect', { connectMs: 7, responseCode: null }, '31 ms in total, 7 ms to connect, error class connect'],
    ['http', { connectMs: null, responseCode: null }, '31 ms in total, on an open connection, error class http'],
  ] as const)('says of an attempt that failed with %s what is known of its connection (%j)', async (errorClass, known, line) => {
    const id = await fixture.endpoint.seedDelivery({ status: 'dead', attempts: 1 });
    await seedDeliveryAttempt(api, id, { ...known, errorClass, error: 'What went wrong', responseBody: null });
    expect(visibleText(await page(`/deliveries/${id}`))).toContain(`${line} What went wrong`);
  });

  it.each([
    ['workflow', 3, 'retrying', (id: string) => `${id}%3A3`],
    ['backlog', 1, 'retrying', (_id: string, endpoint: string) => `${endpoint}%3A4`],
    [null, 1, 'held', (_id: string, endpoint: string) => `${endpoint}%3A4`],
  ] as const)('whose waiting is that of %s (cycle %d, %s) leads to the workflow that waits', async (retriedBy, cycle, status, workflow) => {
    const id = await fixture.endpoint.seedDelivery({ status, cycle, attempts: 1 });
    await sql('UPDATE open_deliveries SET retried_by = $2 WHERE id = $1', [id, retriedBy]);
    await sql('UPDATE webhook_endpoints SET backlog_run = 4, backlog_open = true WHERE id = $1', [fixture.endpoint.id]);
    expect(await page(`/deliveries/${id}`)).toContain(`/workflows/${workflow(id, fixture.endpoint.id)}"`);
  });

  it('that was never retried has no workflow', async () => {
    const id = await fixture.endpoint.seedDelivery({ status: 'delivered', attempts: 1, responseCode: 200, deliveredAt: new Date() });
    expect(visibleText(await page(`/deliveries/${id}`))).toContain('Workflow none was needed');
  });

  it.each([
    ['pending', {}, 'The first attempt is due now.'],
    ['pending', { claimedBy: 'w', claimedUntil: minutesAgo(-1) }, 'An attempt is being made at this moment.'],
    ['pending', { claimedBy: 'a process that ended', claimedUntil: minutesAgo(1) }, 'The first attempt is due now.'],
    ['pending', { cycle: 2, attempts: 12 }, 'It is replayed: the first attempt of cycle 2 is due now, after 12 attempts before.'],
    ['pending', { attempts: 1, firstAttemptAt: minutesAgo(5) }, 'The next attempt is due now.'],
    ['pending', { cycle: 2, attempts: 13, firstAttemptAt: minutesAgo(5) }, 'The next attempt is due now.'],
    ['delivered', { attempts: 3, responseCode: 204, deliveredAt: new Date() }, 'with HTTP 204, with attempt 3.'],
    ['dead', { attempts: 12, responseCode: 503 }, 'It was given up after 12 attempts, the last one with HTTP 503.'],
    ['dead', {}, 'It was given up before an attempt could be made.'],
    ['cancelled', { attempts: 1 }, 'It was cancelled after 1 attempt.'],
  ] as const)('that is %s with %j says so in a sentence', async (status, fields, sentence) => {
    const id = await fixture.endpoint.seedDelivery({ status, ...fields });
    expect(visibleText(await page(`/deliveries/${id}`))).toContain(sentence);
  });

  it.each([
    ["UPDATE webhook_endpoints SET status = 'paused', paused_at = now() WHERE id = $1", 'its endpoint is paused; it is sent when the endpoint is resumed'],
    ["UPDATE webhook_endpoints SET circuit = 'open', circuit_opened_at = now(), probe_at = now() WHERE id = $1", 'failed so often in a row that only one delivery is tried at a time'],
    ["UPDATE institutions SET status = 'suspended', suspended_at = now() WHERE id = (SELECT institution_id FROM webhook_endpoints WHERE id = $1)", 'its institution is not approved'],
  ])('that is held says what holds it (%#)', async (change, reason) => {
    const id = await fixture.endpoint.seedDelivery({ status: 'held' });
    await sql(change, [fixture.endpoint.id]);
    await sql('UPDATE open_deliveries SET held_at = now() WHERE id = $1', [id]);
    const words = visibleText(await page(`/deliveries/${id}`));
    expect(words).toMatch(/It is held since (now|1 s ago) /);
    expect(words).toContain(reason);
  });

  it('whose event was pruned says so', async () => {
    expect(await page(`/deliveries/${await fixture.endpoint.seedDelivery()}`)).toContain('The event was pruned after 30 days, so its payload is no longer kept');
  });

  it('that does not exist is not found', async () => {
    expect((await fixture.session.get('/console/deliveries/whd_none')).status).toBe(404);
  });
});

describe('an event', () => {
  it('shows to whom it was to be delivered, and what it says', async () => {
    const event = await commitEvent();
    const delivery = await fixture.endpoint.seedDelivery({ eventId: event.id, eventType: 'exam.published' });
    const text = await page(`/events/${event.id}`);
    expect(rowIds(text)).toEqual([fixture.endpoint.id]);
    expect(text).toContain(`href="/console/deliveries/${delivery}"`);
    expect(text).toContain('&quot;exam_id&quot;: &quot;exm_1&quot;');
  });

  it('shows failures first, and folds the endpoints that were not there', async () => {
    const event = await commitEvent();
    await sql('DELETE FROM event_queue WHERE event_id = $1', [event.id]);
    const seed = (name: string, fields: Parameters<typeof seedEndpoint>[3] = {}) => seedEndpoint(api, institution, `https://${name}.north.example/`, { events: ['exam.*'], createdAt: minutesAgo(60), description: name, ...fields });
    const [other, delivered, dead, later, deleted] = [await seed('other', { events: ['student.*'] }), await seed('delivered'), await seed('dead'), await seed('later', { createdAt: new Date(Date.now() + 60_000) }), await seed('deleted', { deletedAt: minutesAgo(30) })];
    await seedDelivery(api, institution, delivered, { eventId: event.id, eventType: 'exam.published', status: 'delivered', attempts: 1, responseCode: 200, deliveredAt: new Date() });
    await seedDelivery(api, institution, dead, { eventId: event.id, eventType: 'exam.published', status: 'dead' });
    await fixture.endpoint.seedDelivery({ eventId: event.id, eventType: 'exam.published', status: 'held' });
    const text = await page(`/events/${event.id}`);
    expect(rowIds(text)).toEqual([dead, fixture.endpoint.id, delivered, other, ...[later, deleted].toSorted((one, other) => text.indexOf(one) - text.indexOf(other))]);
    const [, folded = ''] = text.split('<details class="others"');
    expect(rowIds(folded).toSorted()).toEqual([later, deleted].toSorted());
    expect(folded).toContain('2 endpoints created later or deleted before');
    expect(visibleText(text)).toMatch(/Delivered to 1 of 3 endpoints; 1 more does not subscribe to it .+ dead https:\/\/dead\.north\.example\//);
  });

  it('has its type and time in the heading', async () => {
    const event = await commitEvent();
    expect(await page(`/events/${event.id}`)).toMatch(/<h1>exam\.published <span class="when"><time datetime="[^"]+" title="[^"]+">[^<]+ UTC\)<\/time><\/span><\/h1>/);
  });

  it('that was pruned is known by its deliveries', async () => {
    const delivery = await fixture.endpoint.seedDelivery({ eventId: 'evt_pruned' });
    const text = await page('/events/evt_pruned');
    expect(text).toContain(`href="/console/deliveries/${delivery}"`);
    expect(text).toContain('so its payload is no longer kept');
    expect((await fixture.session.get('/console/events/evt_none')).status).toBe(404);
  });
});

describe('an endpoint', () => {
  it('shows what it subscribes to, its backlog by status and what holds it', async () => {
    for (const status of ['pending', 'held', 'held', 'dead', 'dead', 'dead', 'delivered'] as const) await fixture.endpoint.seedDelivery({ status });
    await sql("UPDATE open_deliveries SET held_at = now() - interval '2 hours' WHERE status = 'held' AND endpoint_id = $1", [fixture.endpoint.id]);
    await sql("UPDATE webhook_endpoints SET circuit = 'open', circuit_opened_at = now() - interval '3 minutes', probe_at = now() + interval '1 minute', backlog_run = 2, consecutive_failures = 21, description = $2 WHERE id = $1", [fixture.endpoint.id, hostile]);
    const text = await page(`/endpoints/${fixture.endpoint.id}`);
    const words = visibleText(text);
    expect(text).toContain(escaped);
    expect(text).not.toContain(hostile);
    expect(words).toContain('Pending 1 Retrying 0 Held 2 Dead 3 Held since 2 h ago');
    expect(words).toContain('The circuit has been open since 3 min ago');
    expect(words).toMatch(/The next probe is due in (59 s|1 min)/);
    expect(words).toContain('student.* license.*');
    expect(text).toContain(`/workflows/${fixture.endpoint.id}%3A2"`);
  });

  it('says of a probe whose time has come that it is due, and of an open circuit with nothing that waits that there is no probe', async () => {
    const words = async (): Promise<string> => visibleText(await page(`/endpoints/${fixture.endpoint.id}`));
    await sql("UPDATE webhook_endpoints SET circuit = 'open', circuit_opened_at = now() - interval '13 hours', probe_at = now() - interval '2 minutes' WHERE id = $1", [fixture.endpoint.id]);
    await fixture.endpoint.seedDelivery({ status: 'dead' });
    expect(await words()).toMatch(/Nothing waits, so there is no probe: the next delivery is sent as one at once\. What was given up \(1 dead\) is not sent by a success, nor by a test: replay it once the receiver works\.(?!.*all of them are sent)/);
    await fixture.endpoint.seedDelivery({ status: 'held' });
    expect(await words()).toContain('A probe is due now. After the first success all of them are sent.');
    expect(await words()).not.toContain('The next probe is due');
  });

  it('shows how its attempts went in the last hour and day', async () => {
    const [old, recent] = [await fixture.endpoint.seedDelivery(), await fixture.endpoint.seedDelivery()];
    for (let number = 1; number <= 10; number += 1) {
      await seedDeliveryAttempt(api, recent, { number, durationMs: number * 10, ...(number === 1 ? {} : { responseCode: 200, errorClass: null }) });
    }
    await seedDeliveryAttempt(api, old, { number: 1, startedAt: minutesAgo(120), durationMs: 5_000 });
    await seedDeliveryAttempt(api, old, { number: 2, startedAt: minutesAgo(1500), durationMs: 9_000 });
    const words = visibleText(await page(`/endpoints/${fixture.endpoint.id}`));
    expect(words).toContain('Last hour Success 90 % Attempts 10 Latency of responses p50 55 ms Latency of responses p95');
    expect(words).toContain('Last 24 hours Attempts 11 Failed 2 18.2 % Latency of responses p50 (estimated) 55 ms Latency of responses p95 (estimated) 3.6 s');
    expect(words).toContain('Last 30 days Attempts 12 Failed 3 25 % Latency of responses p50 (estimated) 60 ms Latency of responses p95 (estimated) 7.0 s');
  });

  it('draws its attempts and their latency by the hour and by 24 hours, with the same numbers in words and in a table', async () => {
    await sql("UPDATE institutions SET time_zone = 'Asia/Kolkata' WHERE id = $1", [fixture.institution.id]);
    const delivery = await fixture.endpoint.seedDelivery();
    for (const number of [1, 2, 3]) await seedDeliveryAttempt(api, delivery, { number, startedAt: minutesAgo(180), durationMs: 40, ...(number === 1 ? {} : { responseCode: 200, errorClass: null }) });
    const text = await page(`/endpoints/${fixture.endpoint.id}`);
    const hour = new Date(Math.floor(minutesAgo(180).getTime() / 3_600_000) * 3_600_000);
    const from = `${hour.toISOString().slice(11, 16)} UTC`;
    const kolkata = `${new Date(hour.getTime() + 330 * 60_000).toISOString().slice(11, 16)} Asia/Kolkata`;
    expect(text.match(/<svg class="plot"/g)).toHaveLength(4);
    expect(text).toMatch(new RegExp(`aria-label="Attempts by the hour: 3 attempts, 1 failed; most in the hour from \\d+ \\w+, ${from}, with 3 attempts."`));
    expect(text).toContain('aria-label="Latency by 24 hours: over the whole time p50 ≤ 50 ms, p95 ≤ 50 ms; the highest p95 is ≤ 50 ms."');
    expect(text).toMatch(new RegExp(`${from} to .*: 3 attempts, 1 failed; p50 ≤ 50 ms, p95 ≤ 50 ms</title>`));
    expect(visibleText(text)).toMatch(new RegExp(`Hour from Attempts Failed p50 p95 \\d+ \\w+, ${from} \\d+ \\w+, ${kolkata} 3 1 ≤ 50 ms ≤ 50 ms There were no attempts in the other 23`));
    expect(text).not.toMatch(/ style=|<style/);
  });

  it('says of a time without attempts, or without responses, that there were none', async () => {
    const words = visibleText(await page(`/endpoints/${fixture.endpoint.id}`));
    expect(words).toContain('Last 24 hours There were no attempts in the last 24 hours.');
    expect(words).toContain('Last 30 days There were no attempts in the last 30 days.');
    await seedDeliveryAttempt(api, await fixture.endpoint.seedDelivery(), { responseCode: null, errorClass: 'timeout' });
    const silent = visibleText(await page(`/endpoints/${fixture.endpoint.id}`));
    expect(silent).toContain('Its receiver never responded, so there is no latency.');
    expect(silent).toContain('Attempts 1 Latency of responses p50 – Latency of responses p95 –');
  });

  it('shows its rate limit, signature scheme, public keys and the names of its headers, never a value', async () => {
    const { key, id } = { key: fixture.institution.apiKey, id: fixture.endpoint.id };
    expect(visibleText(await page(`/endpoints/${id}`))).toContain('Rate limit none Custom headers none Signature hmac');
    await api.call('PATCH', `/webhooks/endpoints/${id}`, { key, body: { rate_limit: 25, headers: { 'X-Gateway-Key': 'hush-hush' }, signature_scheme: 'ed25519' } });
    const { data: before } = await api.call('GET', `/webhooks/endpoints/${id}`, { key });
    const { data: after } = await api.call('POST', `/webhooks/endpoints/${id}/rotate-secret`, { key });
    const text = await page(`/endpoints/${id}`);
    expect(visibleText(text)).toMatch(/Rate limit 25 deliveries per second Custom headers x-gateway-key Values are never shown\. Signature ed25519, in addition to hmac/i);
    expect(visibleText(text)).toContain(`Public key ${after.public_key} Previous public key ${before.public_key}`);
    expect(visibleText(text)).toContain('The secret before signs, too, until in');
    expect(text).not.toContain('hush-hush');
  });

  it('shows when it will be disabled, and at how many percent its owner was warned', async () => {
    await sql("UPDATE webhook_endpoints SET failing_since = now() - interval '50 hours', consecutive_failures = 30 WHERE id = $1", [fixture.endpoint.id]);
    expect(visibleText(await page(`/endpoints/${fixture.endpoint.id}`))).toMatch(/Disabled if it goes on failing in (21|22) h/);
    await sql('UPDATE webhook_endpoints SET warned_percent = 50 WHERE id = $1', [fixture.endpoint.id]);
    expect(visibleText(await page(`/endpoints/${fixture.endpoint.id}`))).toMatch(/Its owner was warned at 50 % of the 72 hours .* it will be disabled in (21|22) h/);
    await sql('UPDATE webhook_endpoints SET resting_since = now() WHERE id = $1', [fixture.endpoint.id]);
    expect(visibleText(await page(`/endpoints/${fixture.endpoint.id}`))).not.toContain('isabled i');
  });

  it.each([
    ["status = 'disabled', disabled_reason = 'answered 410 Gone'", 'Disabled (answered 410 Gone): it receives no deliveries until it is reactivated.', 'Reactivate'],
    ["status = 'disabled', disabled_reason = 'The receiver responded with 410 Gone.'", 'Disabled (the receiver responded with 410 Gone): it receives', 'Reactivate'],
    ["status = 'paused', paused_at = now()", 'Paused now', 'Resume'],
    ['consecutive_failures = 2', 'The last 2 attempts failed', 'Pause'],
    ['last_success_at = now()', 'It is active and accepts its deliveries.', 'Pause'],
  ])('with %s says so, and what can be done', async (change, sentence, button) => {
    await sql(`UPDATE webhook_endpoints SET ${change} WHERE id = $1`, [fixture.endpoint.id]);
    const text = await page(`/endpoints/${fixture.endpoint.id}`);
    expect(visibleText(text)).toContain(sentence);
    expect(text).toContain(`>${button}</button>`);
  });

  it('that was disabled says when, also after it was changed since; where that is not stored it says so', async () => {
    const { api, endpoint, institution } = fixture;
    const moment = new Date();
    await disableGoneEndpoint(api.api.domain, { endpoint_id: endpoint.id, institution_id: institution.id, response_code: 410, started_at: moment, ended_at: moment });
    await sql('UPDATE webhook_endpoints SET updated_at = $2 WHERE id = $1', [endpoint.id, minutesAgo(30)]);
    const words = async (): Promise<string> => visibleText(await page(`/endpoints/${endpoint.id}`));
    expect(await words()).toMatch(/Disabled \(the receiver responded with 410 Gone\): it receives no deliveries until it is reactivated\. It was disabled (now|\d+ s ago) \(/);
    await sql('DELETE FROM events WHERE institution_id = $1', [institution.id]);
    expect(await words()).toContain('it is not known when');
  });

  it('that was disabled and is active again says when it was disabled, and both forms that send again begin no later', async () => {
    const { api, endpoint, institution } = fixture;
    const twoDaysAgo = minutesAgo(2 * 1_440);
    await transact(api.api.domain, institution.caller, async (tx) => tx.emit('endpoint.disabled', { endpoint_id: endpoint.id, reason: 'gone', failing_since: null }));
    await sql("UPDATE events SET created_at = $2 WHERE institution_id = $1 AND type = 'endpoint.disabled'", [institution.id, twoDaysAgo]);
    const text = await page(`/endpoints/${endpoint.id}`);
    expect(visibleText(text)).toContain('It was last disabled 2 d ago (');
    const from = twoDaysAgo.toISOString().slice(0, 16);
    for (const id of ['recover-since', 'replay-dead-since']) expect(text).toMatch(new RegExp(`id="${id}"[^>]* value="${from}`));
  });

  it('that was made active again after failures says so, and not that nothing was sent', async () => {
    await sql("UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = 'No attempt has succeeded for 72 hours.', consecutive_failures = 22, failing_since = now() - interval '73 hours', last_failure_at = now() - interval '1 hour' WHERE id = $1", [fixture.endpoint.id]);
    await fixture.session.post(`/console/endpoints/${fixture.endpoint.id}/resume`);
    const words = visibleText(await page(`/endpoints/${fixture.endpoint.id}`));
    expect(words).toContain('It was made active again after failures, and no attempt was made since. The last one failed 1 h ago (');
    expect(words).toContain(' reactivated ');
    expect(words).not.toMatch(/nothing sent yet|not received a delivery/);
    await sql('UPDATE webhook_endpoints SET last_success_at = now() WHERE id = $1', [fixture.endpoint.id]);
    expect(visibleText(await page(`/endpoints/${fixture.endpoint.id}`))).toContain('It is active and accepts its deliveries.');
  });

  it('that is paused says that what is held for 30 days is given up', async () => {
    await sql("UPDATE webhook_endpoints SET status = 'paused', paused_at = now() WHERE id = $1", [fixture.endpoint.id]);
    expect(visibleText(await page(`/endpoints/${fixture.endpoint.id}`))).toContain('Those held for 30 days are given up.');
  });

  it('says a time in a sentence once, by the clocks of the institution; pointing at it shows UTC', async () => {
    await sql("UPDATE institutions SET time_zone = 'Asia/Kolkata' WHERE id = $1", [fixture.institution.id]);
    await sql("UPDATE webhook_endpoints SET status = 'paused', paused_at = '2026-11-20T18:45:10Z' WHERE id = $1", [fixture.endpoint.id]);
    expect(await page(`/endpoints/${fixture.endpoint.id}`)).toMatch(/Paused <time datetime="2026-11-20T18:45:10.000Z" title="20 Nov 2026, 18:45:10 UTC">[^<(]+ \(21 Nov 2026, 00:15:10 Asia\/Kolkata\)<\/time>: deliveries/);
  });

  it('that was deleted can be read, and nothing be done with it', async () => {
    await sql('UPDATE webhook_endpoints SET deleted_at = now() WHERE id = $1', [fixture.endpoint.id]);
    const text = await page(`/endpoints/${fixture.endpoint.id}`);
    expect(visibleText(text)).toContain('it no longer receives deliveries');
    expect(text).not.toContain(`action="/console/endpoints/${fixture.endpoint.id}/`);
  });
});

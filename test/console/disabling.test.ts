import { disableGoneEndpoint } from '../../domain/webhooks/disableEndpoint';
import { consoleFixture, visibleText } from '../support/consoleFixture';
import { openSandboxOf } from '../support/sandboxes';
import { seedDelivery, seedDeliveryAttempt } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { seedEvents } from '../support/seed/events';
import { minutesAgo } from '../support/time';

const fixture = consoleFixture();
const { api, institution, sql } = fixture;

const shown = async (id: string): Promise<string> => visibleText(await fixture.page(`/endpoints/${id}`));

it('an endpoint whose time to be disabled is past says what it waits for: 10 attempts within 24 hours, and how many there are', async () => {
  const { id } = fixture.endpoint;
  await sql("UPDATE webhook_endpoints SET failing_since = now() - interval '73 hours', consecutive_failures = 30, warned_percent = 90 WHERE id = $1", [id]);
  const delivery = await fixture.endpoint.seedDelivery();
  await seedDeliveryAttempt(api, delivery, { number: 1, startedAt: minutesAgo(25 * 60) });
  await seedDeliveryAttempt(api, delivery, { number: 2, startedAt: minutesAgo(5) });
  expect(await shown(id)).toMatch(/Disabled if it goes on failing due 1 h( 1 min)? ago \(.+? UTC\) ?; waits until 10 attempts were made within 24 hours \(1 so far\)/);
  expect(await shown(id)).toContain('Unless an attempt succeeds before, it will be disabled once 10 attempts were made within 24 hours (1 so far).');
});

it('an endpoint that fails says when it is disabled with the whole condition: the time, and 10 attempts in the 24 hours before', async () => {
  const { id } = fixture.endpoint;
  await sql("UPDATE webhook_endpoints SET failing_since = now() - interval '50 hours', consecutive_failures = 30, warned_percent = 50 WHERE id = $1", [id]);
  const delivery = await fixture.endpoint.seedDelivery();
  await seedDeliveryAttempt(api, delivery, { number: 1, startedAt: minutesAgo(5) });
  const condition = 'or later, with at least 10 attempts in the 24 hours before (1 in the last 24 hours)';
  expect((await shown(id)).split(condition)).toHaveLength(3);
  for (let number = 2; number <= 12; number += 1) await seedDeliveryAttempt(api, delivery, { number, startedAt: minutesAgo(4) });
  expect(await shown(id)).toContain('(10 or more in the last 24 hours)');
});

it('an open circuit says when the first and the last of the held deliveries are given up, and that a pause stops that', async () => {
  const { id } = fixture.endpoint;
  await sql("UPDATE webhook_endpoints SET circuit = 'open', circuit_opened_at = now() - interval '1 hour', probe_at = now() + interval '1 minute' WHERE id = $1", [id]);
  expect(await shown(id)).not.toContain('12 hours');
  await fixture.endpoint.seedDelivery({ status: 'held', createdAt: minutesAgo(60), deadlineAt: minutesAgo(-661) });
  expect(await shown(id)).toMatch(/An open circuit does not stop the 12 hours of a delivery: the held one is given up in 11 h \(.+? UTC\) ?\. A pause of the endpoint stops that time\. What was given up can be replayed for 30 days from its event\./);
  await fixture.endpoint.seedDelivery({ status: 'held', createdAt: minutesAgo(30), deadlineAt: minutesAgo(-721) });
  expect(await shown(id)).toMatch(/the first of the 2 held ones is given up in 11 h \(.+? UTC\) ?, the last one in 12 h \(.+? UTC\) ?\. A pause of the endpoint stops that time\./);
  await sql("UPDATE webhook_endpoints SET status = 'paused', paused_at = now(), resting_since = now() WHERE id = $1", [id]);
  expect(await shown(id)).not.toContain('An open circuit does not stop');
});

describe('an open circuit that holds everything', () => {
  const stays = /If nothing new happens, probes end in 11 h \(.+? UTC\) with the last held delivery, and it stays active: from \d+ \w+ \d{4}, [\d:]+ UTC on it is disabled once 10 attempts of later events have failed within 24 hours\. Nor is its owner warned by email before that many have failed\./;
  const failFor = (hours: number): Promise<unknown> => sql(
    "UPDATE webhook_endpoints SET circuit = 'open', circuit_opened_at = now() - interval '1 hour', probe_at = now() + interval '1 minute', consecutive_failures = 30, failing_since = now() - $2 * interval '1 hour' WHERE id = $1",
    [fixture.endpoint.id, hours],
  );

  it('says that probes end with the last held delivery and the endpoint stays active, where no attempt counts once its time to be disabled comes', async () => {
    await failFor(2);
    await fixture.endpoint.seedDelivery({ status: 'held', createdAt: minutesAgo(60), deadlineAt: minutesAgo(-661) });
    expect(await shown(fixture.endpoint.id)).toMatch(stays);
    expect(await shown(fixture.endpoint.id)).toMatch(/or later, if later events fail; if nothing new happens it stays active/);
    expect(await shown(fixture.endpoint.id)).not.toContain('in the last 24 hours)');
  });

  it('says so where everything was given up: nothing is probed then', async () => {
    await failFor(2);
    await fixture.endpoint.seedDelivery({ status: 'dead', attempts: 30, createdAt: minutesAgo(800) });
    const text = await shown(fixture.endpoint.id);
    expect(text).toMatch(/If nothing new happens, nothing is probed, and it stays active: from \d+ \w+ \d{4}, [\d:]+ UTC on it is disabled once 10 attempts of later events have failed within 24 hours\./);
    expect(text).toMatch(/or later, if later events fail; if nothing new happens it stays active/);
    await failFor(50);
    expect(await shown(fixture.endpoint.id)).not.toContain('If nothing new happens');
  });

  it('does not say so where probes are made in the 24 hours before, nor where something else waits', async () => {
    const { id } = fixture.endpoint;
    await failFor(50);
    await fixture.endpoint.seedDelivery({ status: 'held', createdAt: minutesAgo(60), deadlineAt: minutesAgo(-661) });
    expect(await shown(id)).not.toContain('If nothing new happens');
    await failFor(2);
    expect(await shown(id)).toMatch(stays);
    await fixture.endpoint.seedDelivery({ status: 'retrying', createdAt: minutesAgo(5), nextAttemptAt: minutesAgo(-5), deadlineAt: minutesAgo(-715) });
    expect(await shown(id)).not.toContain('If nothing new happens');
  });
});

it('the attempts of an endpoint of a sandbox are counted by its clock', async () => {
  const sandbox = await openSandboxOf(api, institution);
  await sandbox.advance(30 * 86_400);
  const now = (await sandbox.now()).getTime();
  const before = (minutes: number): Date => new Date(now - minutes * 60_000);
  const id = await seedEndpoint(api, sandbox, 'https://hooks.sandbox.example/in', { failingSince: before(73 * 60), consecutiveFailures: 30 });
  const delivery = await seedDelivery(api, sandbox, id, { createdAt: before(73 * 60) });
  await seedDeliveryAttempt(api, delivery, { number: 1, startedAt: before(25 * 60) });
  await seedDeliveryAttempt(api, delivery, { number: 2, startedAt: before(5) });
  expect(await shown(id)).toContain('waits until 10 attempts were made within 24 hours (1 so far)');
});

it('an event that an endpoint did not receive because it was disabled says since when it is', async () => {
  const now = new Date();
  await disableGoneEndpoint(api.api.domain, { endpoint_id: fixture.endpoint.id, institution_id: institution.id, response_code: 410, started_at: now, ended_at: now });
  const [disabled] = await sql<{ at: Date }>("SELECT created_at AS at FROM events WHERE institution_id = $1 AND type = 'endpoint.disabled'", [institution.id]);
  const [event = ''] = await seedEvents(api, institution, { type: 'student.created', createdAt: new Date() });
  const { data } = await api.platform('GET', `/events/${event}`);
  expect(data.endpoints).toMatchObject([{ outcome: 'disabled', at: disabled?.at.toISOString(), reason: expect.stringContaining('It is still disabled: the receiver responded with 410 Gone.') }]);
  expect(visibleText(await fixture.page(`/events/${event}`))).toMatch(/It is still disabled: the receiver responded with 410 Gone\. ?Disabled (now|\d+ s ago) /);
  expect(visibleText(await fixture.page(`/endpoints/${fixture.endpoint.id}`))).toContain('Disabled (the receiver responded with 410 Gone): it receives no deliveries');
});

it('the last change of a disabled endpoint is that it was disabled, after the last call that changed it', async () => {
  const { id } = fixture.endpoint;
  const { status } = await api.call('PATCH', `/webhooks/endpoints/${id}`, { key: institution.apiKey, body: { description: 'Library' } });
  expect(status).toBe(200);
  const soon = new Date(Date.now() + 1_000);
  await disableGoneEndpoint(api.api.domain, { endpoint_id: id, institution_id: institution.id, response_code: 410, started_at: soon, ended_at: soon });
  const log = visibleText(await fixture.page(`/institutions/${institution.id}/audit-log?target=${id}`));
  expect(log).toMatch(/Service webhooks disableGoneEndpoint PATCH webhook-endpoint Fields: status \(disabled by the service: its receiver answered 410 Gone\) id we_/);
  expect(await shown(id)).toMatch(/Last change it was disabled by the service (now|in \d+ s|\d+ s ago) \(.+? UTC\) The last call before: description was set .+? API key “test”/);
  await sql("UPDATE webhook_endpoints SET status = 'active', disabled_reason = NULL WHERE id = $1", [id]);
  expect(await shown(id)).toMatch(/Last change description was set/);
});

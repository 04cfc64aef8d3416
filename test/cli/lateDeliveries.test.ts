import { apiFixture } from '../support/apiFixture';
import { commandLine } from '../support/commandLine';
import { endpointForEachTest } from '../support/seed/endpoints';
import { seedDeliveryAttempt } from '../support/seed/deliveries';
import { addStaffMember } from '../support/staff';
import { seedEvents } from '../support/seed/events';
import { minutesAgo } from '../support/time';

const fixture = apiFixture();
const { api, institution } = fixture;
const endpoint = endpointForEachTest(fixture);

it('deliveries show says of a delivery that was replayed with which ref, in which cycle and by whom', async () => {
  const cli = commandLine({ PLATFORM_URL: api.platformUrl, PLATFORM_TOKEN: api.settings.platformToken });
  const [eventId = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(10) });
  const delivery = await endpoint.seedDelivery({ eventId, status: 'dead', attempts: 1, responseCode: 500, createdAt: minutesAgo(10) });
  expect(await cli.text('deliveries', 'show', delivery)).not.toMatch(/sent_by|replayed_by/);
  await api.call('POST', `/webhooks/deliveries/${delivery}/replay`, { key: institution.apiKey, body: { ref: 'HELP-2041' } });
  const shown = await cli.text('deliveries', 'show', delivery);
  expect(shown).toMatch(/^sent_by +cycle 2: ref “HELP-2041” at \S+Z$/m);
  expect(shown).toMatch(new RegExp(`^replayed_by  .+ \\(${institution.keyId}\\) at \\S+Z$`, 'm'));
  expect((await cli.json('deliveries', 'show', delivery)).sent_by).toEqual([{ cycle: 2, ref: 'HELP-2041', at: expect.any(String) }]);
});

it('explain says of a delivery that waited for the rate limit of its endpoint what it is and since when, by the clocks of --time-zone', async () => {
  const cli = commandLine({ PLATFORM_URL: api.platformUrl, PLATFORM_TOKEN: api.settings.platformToken });
  await api.call('PATCH', `/webhooks/endpoints/${endpoint.id}`, { key: institution.apiKey, body: { rate_limit: 1 } });
  const [eventId = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(10) });
  const delivered = minutesAgo(-1);
  const delivery = await endpoint.seedDelivery({ eventId, status: 'delivered', attempts: 1, responseCode: 200, createdAt: minutesAgo(10), deliveredAt: delivered });
  for (let number = 1; number <= 9; number += 1) await seedDeliveryAttempt(api, delivery, { number, startedAt: new Date(delivered.getTime() - number * 1_000), responseCode: 200 });
  expect(await cli.text('explain', eventId, '--time-zone', 'Asia/Singapore')).toMatch(
    /It waited for the rate limit: its endpoint takes at most 1 delivery per second \(rate_limit, set at \d{4}-\d\d-\d\dT[\d:.]+\+08:00 by API key “test” key_\w+ \(request req_\w+\)\)\./,
  );
});

it('explain says of a delivery that was held while its endpoint failed from when to when, by the clocks of --time-zone', async () => {
  const cli = commandLine({ PLATFORM_URL: api.platformUrl, PLATFORM_TOKEN: api.settings.platformToken });
  const [eventId = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(10) });
  const other = await endpoint.seedDelivery({ status: 'dead', attempts: 20 });
  for (let number = 1; number <= 20; number += 1) await seedDeliveryAttempt(api, other, { number, startedAt: minutesAgo(number / 2) });
  await endpoint.seedDelivery({ eventId, status: 'delivered', attempts: 1, responseCode: 200, createdAt: minutesAgo(10), deliveredAt: new Date() });
  expect(await cli.text('explain', eventId, '--time-zone', 'Asia/Singapore')).toMatch(
    /Its endpoint failed from \d{4}-\d\d-\d\dT[\d:.]+\+08:00 to \d{4}-\d\d-\d\dT[\d:.]+\+08:00 \(20 failed attempts\), and the delivery was held until it answered again\./,
  );
});

it('deliveries list --late has what was delivered a minute or more after it was created, with how long after', async () => {
  const cli = commandLine({ PLATFORM_URL: api.platformUrl, PLATFORM_TOKEN: api.settings.platformToken });
  const createdAt = minutesAgo(10);
  const delivered = { status: 'delivered', attempts: 1, responseCode: 200, createdAt, deliveredAt: minutesAgo(2) } as const;
  const late = await endpoint.seedDelivery(delivered);
  await endpoint.seedDelivery({ ...delivered, deliveredAt: new Date(createdAt.getTime() + 59_999) });
  await endpoint.seedDelivery({ ...delivered, cycle: 2, attempts: 2 });
  const list = ['deliveries', 'list', institution.id, '--endpoint', endpoint.id] as const;
  const { items } = await cli.json(...list, '--late');
  expect(items.map(({ id }: { id: string }) => id)).toEqual([late]);
  expect(await cli.text(...list, '--late')).toMatch(new RegExp(`${late} .* 8 min`));
  expect((await cli.json(...list)).items).toHaveLength(3);
});

it('deliveries show of a cancelled one says who cancelled it, and when', async () => {
  const cli = commandLine({ PLATFORM_URL: api.platformUrl, PLATFORM_TOKEN: api.settings.platformToken });
  const sam = await addStaffMember(api, 'support', 'Sam Support');
  const delivery = await endpoint.seedDelivery({ status: 'retrying', attempts: 1, responseCode: 503, errorClass: 'http', nextAttemptAt: new Date() });
  expect((await api.platform('POST', `/institutions/${institution.id}/deliveries/${delivery}/cancel`, { key: sam.token })).status).toBe(200);
  expect((await cli.run('deliveries', 'show', delivery)).err).toMatch(new RegExp(`^It was cancelled by Sam Support \\(${sam.id}\\) at \\S+Z\\. Why it ended: institution explain evt_\\w+\\n$`));
});

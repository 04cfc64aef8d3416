import { consoleFixture, visibleText } from '../support/consoleFixture';
import { openSandboxOf } from '../support/sandboxes';
import { seedDeliveryAttempt } from '../support/seed/deliveries';
import { minutesAgo } from '../support/time';

const fixture = consoleFixture();
const { api, institution, page } = fixture;

it('an institution that is suspended says that its deliveries are held, and who suspended it by which request, also of its sandbox', async () => {
  const sandbox = await openSandboxOf(api, institution);
  const { headers } = await api.platform('POST', `/institutions/${institution.id}/suspend`);
  for (const id of [institution.id, sandbox.id]) {
    const text = await page(`/institutions/${id}`);
    expect(text).toContain('its deliveries are held until it is approved again');
    expect(visibleText(text)).toContain(`request ${headers.get('x-request-id') ?? ''} Platform platform`);
  }
});

it('a delivery that was sent before its endpoint got another address says that the address shown is the new one, and who set it', async () => {
  const sentAt = async (startedAt: Date): Promise<string> => {
    const id = await fixture.endpoint.seedDelivery({ status: 'delivered', attempts: 1, responseCode: 200, deliveredAt: startedAt });
    await seedDeliveryAttempt(api, id, { number: 1, startedAt, responseCode: 200 });
    return `/deliveries/${id}`;
  };
  const [before, after] = [await sentAt(minutesAgo(5)), await sentAt(minutesAgo(-1))];
  const note = 'This is its address now: it was set after the first attempt.';
  expect(visibleText(await page(before))).not.toContain(note);
  const { headers } = await api.call('PATCH', `/webhooks/endpoints/${fixture.endpoint.id}`, { key: institution.apiKey, body: { url: 'https://elsewhere.north.example/' } });
  expect(visibleText(await page(before))).toMatch(new RegExp(`https://elsewhere.north.example/ ${note}.+ request ${headers.get('x-request-id') ?? ''} API key`));
  expect(visibleText(await page(after))).not.toContain(note);
});

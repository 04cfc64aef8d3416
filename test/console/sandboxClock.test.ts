import { consoleFixture, visibleText } from '../support/consoleFixture';
import { openSandboxOf, type TestSandbox } from '../support/sandboxes';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEvents } from '../support/seed/events';
import { seedEndpoint } from '../support/seed/endpoints';

const { api, institution, page } = consoleFixture();
const day = 86_400;

const notice = (days: number): RegExp => new RegExp(`The clock of this sandbox is ${days} d ahead of the real time\\. It shows .+ UTC ?\\. Times and ages are by this clock\\.`);

/** A sandbox whose clock is 160 days ahead, with an endpoint and a dead delivery of its present. */
async function movedSandbox(): Promise<{ sandbox: TestSandbox; endpoint: string; delivery: string }> {
  const sandbox = await openSandboxOf(api, institution);
  for (const days of [80, 80]) expect((await sandbox.advance(days * day)).status).toBe(200);
  const now = await sandbox.now();
  const minutesAgo = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);
  const endpoint = await seedEndpoint(api, sandbox, 'https://hooks.sandbox.example/in', { createdAt: minutesAgo(90), lastFailureAt: minutesAgo(4) });
  const [eventId = ''] = await seedEvents(api, sandbox, { createdAt: minutesAgo(7) });
  const delivery = await seedDelivery(api, sandbox, endpoint, { status: 'dead', attempts: 1, eventId, createdAt: minutesAgo(7) });
  return { sandbox, endpoint, delivery };
}

describe('the pages of a sandbox whose clock was moved', () => {
  it('show its time and how far it is ahead, and ages by its clock', async () => {
    const { sandbox, endpoint, delivery } = await movedSandbox();
    const { data: student } = await sandbox.call('POST', '/students', { full_name: 'Ada' });
    const pages: [path: string, age: RegExp][] = [
      [`/institutions/${sandbox.id}`, /4 min ago/], [`/institutions/${sandbox.id}/deliveries`, /7 min ago/], [`/deliveries/${delivery}`, /7 min ago/],
      [`/institutions/${sandbox.id}/events`, /(now|\d+ s ago)/], [`/endpoints/${endpoint}`, /4 min ago/], [`/search?q=${student.id}`, /Created (now|\d+ s ago)/],
    ];
    for (const [path, age] of pages) {
      const words = visibleText(await page(path));
      expect([path, words]).toEqual([path, expect.stringMatching(notice(160))]);
      expect([path, words]).toEqual([path, expect.stringMatching(age)]);
      // A license, and an event that can be replayed, end by that clock, too.
      const ends = path.startsWith('/search') ? expect.anything() : path.startsWith('/deliveries') ? ['in 30 d'] : null;
      expect([path, words.match(/in \d+ d\b/g)]).toEqual([path, ends]);
    }
  });

  it('say of the change of an endpoint that its time is the real one', async () => {
    const { sandbox, endpoint } = await movedSandbox();
    const [event = ''] = await seedEvents(api, sandbox, { createdAt: await sandbox.now(), type: 'student.created' });
    expect((await sandbox.call('PATCH', `/webhooks/endpoints/${endpoint}`, { events: ['exam.*'] })).status).toBe(200);
    expect(visibleText(await page(`/events/${event}`))).toMatch(/Its subscriptions were changed after the event, first by .+ Changed \(real time, not that of the sandbox\) (now|\d+ s ago) /);
  });

  it('have its time and the real time in the footer', async () => {
    const { sandbox } = await movedSandbox();
    const words = visibleText(await page(`/institutions/${sandbox.id}`));
    const [, shown = '', real = ''] = /As of (.+? UTC) by the clock of this sandbox; the real time is (.+? UTC)/.exec(words) ?? [];
    expect((Date.parse(shown) - Date.parse(real)) / 86_400_000).toBeCloseTo(160, 2);
    expect(visibleText(await page(`/institutions/${institution.id}`))).not.toContain('the real time is');
  });

  it('count what would be replayed up to its time', async () => {
    const { endpoint } = await movedSandbox();
    const text = await page(`/endpoints/${endpoint}/replay-dead?since=2026-01-01T00:00`);
    expect(visibleText(text)).toContain('1 dead delivery created after');
  });

  it('show the audit log and keys by the real time', async () => {
    const { sandbox } = await movedSandbox();
    await sandbox.call('POST', '/groups', { name: 'Robotics' });
    const log = visibleText(await page(`/institutions/${sandbox.id}/audit-log?operation=createGroup`));
    expect(log).toContain('The clock of this sandbox is 160 d ahead of the real time.');
    expect(log).not.toContain('Times and ages are by this clock');
    expect(log).toContain('The times of this log are the real time, not those of the clock of this sandbox.');
    expect(log).toMatch(/Target (now|\d+ s ago) /);
    const [, keyId = ''] = /(key_\w+)/.exec(log) ?? [];
    expect(visibleText(await page(`/search?q=${keyId}`))).toMatch(/Created (now|\d+ (s|min) ago)/);
  });
});

it('the pages of any other institution, and of a sandbox whose clock shows the real time, say nothing of clocks', async () => {
  const sandbox = await openSandboxOf(api, institution);
  for (const { id } of [institution, sandbox]) expect(visibleText(await page(`/institutions/${id}`))).not.toContain('The clock of this sandbox');
});

import { disableGoneEndpoint } from '../../domain/webhooks/disableEndpoint';
import { consoleFixture, rowIds, visibleText } from '../support/consoleFixture';
import { seedEvents } from '../support/seed/events';
import { minutesAgo } from '../support/time';

const fixture = consoleFixture();
const { api, institution, page, sql, endpoint, call } = fixture;

const counted = (since: Date, type = ''): Promise<string> => page(`/endpoints/${endpoint.id}/recover?since=${since.toISOString()}&type=${type}`);

/** Has the endpoint subscribe to this alone, since before the tests' events, without a call that changes it. */
const subscribedTo = (...events: string[]): Promise<unknown> => sql('UPDATE webhook_endpoints SET events = $2, created_at = $3 WHERE id = $1', [endpoint.id, events, minutesAgo(300)]);

describe('the count of missed events of a type that the endpoint does not subscribe to', () => {
  it('says so, how many such events have no delivery, what the school does first, and offers no recovery', async () => {
    await subscribedTo('exam.published', 'exam.assigned');
    await seedEvents(api, institution, { createdAt: minutesAgo(30), type: 'exam.graded', count: 3 });
    await seedEvents(api, institution, { createdAt: minutesAgo(29), type: 'exam.assigned' });
    const text = await counted(minutesAgo(60), 'exam.graded');
    expect(visibleText(text)).toMatch(/It does not subscribe to exam\.graded, so none is recovered\. 3 such events without a delivery to it happened after .+? UTC\./);
    expect(visibleText(text)).toContain(`The school adds exam.graded to events of the endpoint first, with its key and the whole list: PATCH /v1/webhooks/endpoints/${endpoint.id} . The console cannot. Then count again.`);
    expect(text).not.toContain('>Recover them<');
    expect(visibleText(text)).not.toContain('Every event that this endpoint subscribes to');
  });

  it('counts only those without a delivery, and names the numbers of the types of a prefix', async () => {
    await subscribedTo('student.created');
    const [delivered = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(30), type: 'exam.graded', count: 3 });
    await seedEvents(api, institution, { createdAt: minutesAgo(29), type: 'exam.published' });
    await endpoint.seedDelivery({ status: 'delivered', eventId: delivered, createdAt: minutesAgo(30) });
    expect(visibleText(await counted(minutesAgo(60), 'exam.graded'))).toContain('2 such events without a delivery');
    expect(visibleText(await counted(minutesAgo(60), 'exam.*'))).toMatch(/It does not subscribe to exam\.\*, so none is recovered\. 3 such events .+? UTC: exam\.graded 2, exam\.published 1\./);
    expect(visibleText(await counted(minutesAgo(10), 'exam.graded'))).toContain('so none is recovered. No such event without a delivery to it happened after');
  });
});

describe('the count of missed events', () => {
  it('says which types are counted, the number of each, and lists the events with links to them', async () => {
    await subscribedTo('student.*', 'merits.*');
    const ids = [
      ...(await seedEvents(api, institution, { createdAt: minutesAgo(30), type: 'merits.credited', count: 2 })),
      ...(await seedEvents(api, institution, { createdAt: minutesAgo(20), type: 'student.updated' })),
    ];
    const text = await counted(minutesAgo(60));
    expect(visibleText(text)).toContain('Counted are the types that it subscribes to now: student.*, merits.*. Of these: merits.credited 2, student.updated 1.');
    expect(rowIds(text)).toEqual(ids);
    for (const id of ids) expect(text).toContain(`href="/console/events/${id}"`);
    expect(visibleText(await counted(minutesAgo(60), 'merits.*'))).toContain('Counted are the types that it subscribes to now: merits.credited. Of these: merits.credited 2.');
  });

  it('lists the oldest 20 where there are more', async () => {
    await subscribedTo('exam.graded');
    const ids = await seedEvents(api, institution, { createdAt: minutesAgo(30), count: 23 });
    const text = await counted(minutesAgo(60));
    expect([visibleText(text).includes('The oldest 20 of them'), rowIds(text)]).toEqual([true, ids.slice(0, 20)]);
  });

  it('names events of types that the endpoint does not subscribe to only if its subscriptions were changed, also before the range', async () => {
    await subscribedTo('exam.graded', 'exam.assigned');
    await seedEvents(api, institution, { createdAt: minutesAgo(30), type: 'exam.graded', count: 3 });
    await seedEvents(api, institution, { createdAt: minutesAgo(30), type: 'exam.assigned' });
    await seedEvents(api, institution, { createdAt: minutesAgo(20), type: 'exam.published' });
    expect(await counted(minutesAgo(60))).not.toContain('id="not-counted"');
    await call('PATCH', `/webhooks/endpoints/${endpoint.id}`, { events: ['exam.assigned'] });
    const text = await counted(minutesAgo(60));
    expect(visibleText(text)).toMatch(/1 event without a delivery .+? Counted are the types that it subscribes to now: exam\.assigned\. Of these: exam\.assigned 1\./);
    expect(visibleText(text)).toMatch(/Not counted: exam\.graded 3, exam\.published 1, faculty\.created 1, license\.generated 1\. These events have no delivery to the endpoint either, and it does not subscribe to them\. Its subscriptions were last changed .+? UTC\) : who changed them \. If they are wanted, the school adds their types to events of the endpoint first/);
    const since = new Date();
    await seedEvents(api, institution, { createdAt: new Date(since.getTime() + 1), type: 'exam.graded' });
    expect(visibleText(await counted(since))).toContain('Not counted: exam.graded 1.');
  });

  it('names events of the types of a chosen prefix that the endpoint does not subscribe to, whether or not its subscriptions were changed', async () => {
    await subscribedTo('exam.assigned');
    await seedEvents(api, institution, { createdAt: minutesAgo(30), type: 'exam.graded', count: 3 });
    await seedEvents(api, institution, { createdAt: minutesAgo(30), type: 'student.created' });
    const words = visibleText(await counted(minutesAgo(60), 'exam.*'));
    expect(words).toContain('Every event that this endpoint subscribes to');
    expect(words).toContain('Not counted: exam.graded 3. These events have no delivery to the endpoint either');
    expect(words).not.toContain('last changed');
  });

  it('says "or more" where the range has more events than are looked at', async () => {
    await subscribedTo('exam.graded');
    await sql(`INSERT INTO events (id, institution_id, type, created_at, body)
      SELECT 'evt_bulk' || n || $1::text, $1, 'student.updated', $2::timestamptz + n * interval '1 ms', '{}' FROM generate_series(2, 50001) n`, [institution.id, minutesAgo(30)]);
    await seedEvents(api, institution, { createdAt: minutesAgo(31), count: 2 });
    expect(visibleText(await counted(minutesAgo(60)))).toContain('Of these: exam.graded 2 or more.');
    expect(visibleText(await counted(minutesAgo(60), 'student.updated'))).toMatch(/so none is recovered\. 49,998 or more such events without a delivery/);
  });
});

describe('the form that counts missed events', () => {
  const from = async (): Promise<number> => Date.parse(`${/id="recover-since"[^>]* value="([^"]+)"/.exec(await page(`/endpoints/${endpoint.id}`))?.[1] ?? ''}Z`);

  it('begins a minute or less before the endpoint was disabled, also if that was today, and after it is active again', async () => {
    const now = new Date();
    await disableGoneEndpoint(api.api.domain, { endpoint_id: endpoint.id, institution_id: institution.id, response_code: 410, started_at: now, ended_at: now });
    const [disabled] = await sql<{ at: Date }>("SELECT created_at AS at FROM events WHERE institution_id = $1 AND type = 'endpoint.disabled'", [institution.id]);
    const isJustBefore = async (): Promise<boolean> => {
      const ahead = (disabled?.at.getTime() ?? NaN) - (await from());
      return ahead > 0 && ahead <= 60_000;
    };
    expect(await isJustBefore()).toBe(true);
    await call('PATCH', `/webhooks/endpoints/${endpoint.id}`, { status: 'active' });
    expect(await isJustBefore()).toBe(true);
  });

  it('begins a day ago where it is not known that the endpoint was disabled', async () => {
    const hours = (Date.now() - (await from())) / 3_600_000;
    expect([hours >= 24, hours < 25.1]).toEqual([true, true]);
  });
});

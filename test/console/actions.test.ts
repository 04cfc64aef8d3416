import { transact } from '../../domain/transact';
import { cookiesOf, signInToConsole } from '../support/console';
import { consoleFixture, rowIds, visibleText } from '../support/consoleFixture';
import { seedDelivery as seedDeliveryOf } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { seedEvents } from '../support/seed/events';
import { minutesAgo } from '../support/time';
import { changeDeliveries, deliveriesOf, type StoredDelivery } from '../support/deliveries';

const fixture = consoleFixture();
const { api, institution, sql, endpoint } = fixture;
const stored = async (id: string) => (await deliveriesOf(api, endpoint.id)).get(id);
const outboxRows = (workflowId: string) => sql<{ kind: string; name: string }>('SELECT kind, name FROM owed_workflows WHERE workflow_id = $1', [workflowId]);

/** A delivery whose event exists. */
async function seedDelivery(fields: Partial<StoredDelivery>): Promise<string> {
  await transact(api.api.domain, institution.caller, async (tx) => tx.emit('exam.published', { exam_id: 'exm_1', faculty_id: 'fac_1', app: 'svc' }));
  const { data } = await api.call('GET', '/events', { key: institution.apiKey, query: { limit: 200 } });
  return endpoint.seedDelivery({ eventId: data.items.at(-1).id, eventType: 'exam.published', ...fields });
}

const act = (path: string, fields: Record<string, string> = {}) => fixture.session.postAndFollow(`/console${path}`, fields);

describe('retry now', () => {
  it('has the workflow of a retrying delivery make an attempt, and says so once', async () => {
    const id = await seedDelivery({ status: 'retrying', attempts: 1 });
    await changeDeliveries(sql, "SET retried_by = 'workflow' WHERE id = $1", [id]);
    const after = await act(`/deliveries/${id}/retry`);
    expect([after.status, after.path]).toEqual([200, `/console/deliveries/${id}`]);
    expect(after.text).toContain('<p class="flash done" role="status">An attempt was requested; it starts immediately.</p>');
    expect(after.headers.getSetCookie()[0]).toMatch(/^console_flash=; path=\/console; expires=Thu, 01 Jan 1970/);
    expect(await outboxRows(id)).toEqual([{ kind: 'signal', name: 'retryNow' }]);
  });

  it('of an ended delivery is rejected with a message and the code', async () => {
    const id = await seedDelivery({ status: 'delivered', attempts: 1 });
    const { text, path } = await act(`/deliveries/${id}/retry`);
    expect(path).toBe(`/console/deliveries/${id}`);
    expect(text).toMatch(/<p class="flash refused" role="alert">[^<]*delivered[^<]*\(conflict\)<\/p>/);
  });
});

describe('replay', () => {
  it('sends an ended delivery again', async () => {
    const id = await seedDelivery({ status: 'dead', attempts: 12 });
    expect((await act(`/deliveries/${id}/replay`)).text).toContain('The delivery is sent again.');
    expect(await stored(id)).toMatchObject({ status: 'pending', cycle: 2, attempts: 12 });
  });

  it('is refused for a pruned event and a paused endpoint, each in its own words', async () => {
    const pruned = await endpoint.seedDelivery({ status: 'dead' });
    expect((await act(`/deliveries/${pruned}/replay`)).text).toContain('(event_pruned)');
    const id = await seedDelivery({ status: 'dead' });
    await act(`/endpoints/${endpoint.id}/pause`);
    expect((await act(`/deliveries/${id}/replay`)).text).toContain('(endpoint_inactive)');
    expect(await stored(id)).toMatchObject({ status: 'dead', cycle: 1 });
  });
});

describe('cancel', () => {
  it('asks on a page of its own, and changes nothing before', async () => {
    const id = await seedDelivery({ status: 'retrying', attempts: 1 });
    const { text } = await fixture.session.get(`/console/deliveries/${id}/cancel`);
    expect(text).toContain('<h1>Cancel this delivery?</h1>');
    expect(text).toContain(`action="/console/deliveries/${id}/cancel"`);
    expect(await stored(id)).toMatchObject({ status: 'retrying' });
  });

  it('gives an open delivery up; there is nothing to cancel afterwards', async () => {
    const id = await seedDelivery({ status: 'held' });
    expect((await act(`/deliveries/${id}/cancel`)).text).toContain('The delivery is cancelled.');
    expect(await stored(id)).toMatchObject({ status: 'cancelled' });
    expect((await act(`/deliveries/${id}/cancel`)).text).toContain('(conflict)');
    expect((await fixture.session.get(`/console/deliveries/${id}/cancel`)).text).toContain('This delivery can no longer be cancelled.');
  });
});

describe('pause and resume', () => {
  const status = async () => (await sql<{ status: string }>('SELECT status FROM webhook_endpoints WHERE id = $1', [endpoint.id]))[0]?.status;

  it('hold the deliveries of an endpoint and release them', async () => {
    expect((await act(`/endpoints/${endpoint.id}/pause`)).text).toContain('The endpoint is paused');
    expect(await status()).toBe('paused');
    const held = await seedDelivery({ status: 'held' });
    expect((await act(`/endpoints/${endpoint.id}/resume`)).text).toContain('The endpoint is active: its held deliveries are sent, oldest first.');
    expect(await status()).toBe('active');
    expect(await stored(held)).toMatchObject({ status: 'pending' });
    const { text } = await fixture.session.get(`/console/institutions/${institution.id}/audit-log?target=${endpoint.id}`);
    expect([text.includes('Fields: status (paused)'), text.includes('Fields: status (active)')]).toEqual([true, true]);
  });

  it('bring a disabled endpoint back, which holds nothing, and refuse to pause it', async () => {
    await sql("UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = 'failing' WHERE id = $1", [endpoint.id]);
    expect((await act(`/endpoints/${endpoint.id}/pause`)).text).toContain('(conflict)');
    expect((await act(`/endpoints/${endpoint.id}/resume`)).text).toContain('The endpoint is active again: it receives what happens from now on. “Count missed events…” finds what it missed.');
    expect(await status()).toBe('active');
  });
});

describe('replaying what is dead', () => {
  const since = '2026-01-01T00:00';

  it('shows how many match before it asks, and its progress afterwards', async () => {
    const ids = [await seedDelivery({ status: 'dead' }), await seedDelivery({ status: 'dead' })];
    await endpoint.seedDelivery({ status: 'dead' });
    const { text } = await fixture.session.get(`/console/endpoints/${endpoint.id}/replay-dead?since=${since}`);
    expect(text).toContain('<strong>2 dead deliveries</strong> created after 1 Jan 2026, 00:00:00 UTC');
    const begun = await act(`/endpoints/${endpoint.id}/replay-dead`, { since: '2026-01-01T00:00:00.000Z' });
    expect(begun.text).toContain('The replay of 2 deliveries has begun.');
    const replay = /\/replays\/([^?]+)\?matched=2$/.exec(begun.path)?.[1] ?? '';
    expect(await outboxRows(replay)).toEqual([{ kind: 'start', name: 'bulkReplay' }]);
    expect(await sql("SELECT target FROM audit_log WHERE institution_id = $1 AND operation = 'replayDeadDeliveries'", [institution.id])).toEqual([{ target: { id: endpoint.id, created: replay } }]);
    expect(begun.text).toContain('0 of 2');
    await sql('INSERT INTO webhook_replays (institution_id, delivery_id, ref, cycle, created_at) VALUES ($1, $2, $4, 2, now()), ($1, $3, $4, 2, now())', [institution.id, ...ids, replay]);
    await changeDeliveries(sql, "SET status = 'delivered' WHERE id = $1", [ids[0]]);
    const { text: progress } = await fixture.session.get(begun.path);
    expect(progress).toMatch(/Released<\/dt><dd><span class="big">2 of 2<\/span>/);
    expect(progress).toMatch(/Delivered by this replay<\/dt><dd><span class="big">1 of 2<\/span>/);
    expect(visibleText(progress)).toMatch(/Delivered by this replay 1 of 2 Given up 1 Workflow rpl_\w+ \(Temporal, opens in a new tab\) Request Begun by Staff “Sam Support” .+ Chosen by since, of all event types; .+ Sent 2 exam\.published .+ Their states now/);
  });

  it('of nothing asks nothing', async () => {
    const { text } = await fixture.session.get(`/console/endpoints/${endpoint.id}/replay-dead?since=${since}`);
    expect(text).toContain('No dead delivery of this endpoint was created after');
    expect(text).not.toContain('Replay them');
    expect((await act(`/endpoints/${endpoint.id}/replay-dead`, { since })).text).toContain('There was nothing to replay.');
  });

  it('since what is no time is refused in words', async () => {
    const { status, text } = await fixture.session.get(`/console/endpoints/${endpoint.id}/replay-dead?since=x`);
    expect(status).toBe(422);
    expect(text).toContain('must be a time such as 2026-11-20T09:30 (validation_error)');
    expect((await act(`/endpoints/${endpoint.id}/replay-dead`, { since: 'x' })).text).toContain('(validation_error)');
  });
});

describe('replaying a part of what is dead', () => {
  it('is narrowed by time, type and response, and its page says so', async () => {
    await seedDelivery({ status: 'dead', responseCode: 503 });
    await seedDelivery({ status: 'dead', responseCode: 404 });
    const query = new URLSearchParams({ since: '2026-01-01T00:00', until: '2099-01-01T00:00', type: 'exam.*', codes: '5xx, 429' });
    const { text } = await fixture.session.get(`/console/endpoints/${endpoint.id}/replay-dead?${query.toString()}`);
    expect(text).toContain('<strong>1 dead delivery</strong> created after 1 Jan 2026, 00:00:00 UTC, before 1 Jan 2099, 00:01:00 UTC, of exam.*, answered with 5xx, 429');
    expect(text).toContain('name="codes" value="5xx,429"');
    expect((await act(`/endpoints/${endpoint.id}/replay-dead`, Object.fromEntries(query))).text).toContain('The replay of 1 delivery has begun.');
    const [logged] = await sql<{ changed: string[] }>("SELECT changed FROM audit_log WHERE institution_id = $1 AND operation = 'replayDeadDeliveries'", [institution.id]);
    expect(logged?.changed).toEqual(['since', 'until', 'event_types', 'response_codes']);
    for (const wrong of [{ codes: '5' }, { type: 'exam.lost' }, { until: 'x' }]) {
      expect((await fixture.session.get(`/console/endpoints/${endpoint.id}/replay-dead?${new URLSearchParams({ since: '2026-01-01T00:00', ...wrong }).toString()}`)).status).toBe(422);
    }
  });
});

describe('the progress of a replay', () => {
  const words = async (): Promise<string> => visibleText((await fixture.session.get(`/console/endpoints/${endpoint.id}/replays/rpl_1?matched=3`)).text);

  it('says of an open circuit that what is released is held, and when the next probe is', async () => {
    expect(await words()).toContain('Released 0 of 3');
    expect(await words()).not.toContain('are held');
    await sql("UPDATE webhook_endpoints SET circuit = 'open', circuit_opened_at = now(), probe_at = now() + interval '30 seconds' WHERE id = $1", [endpoint.id]);
    expect(await words()).toMatch(/The circuit is open: released deliveries are held, and only the oldest one is tried\. The next probe is due in \d+ s/);
  });

  it('says of a paused endpoint that what is released is held until it is resumed', async () => {
    await sql("UPDATE webhook_endpoints SET status = 'paused', paused_at = now() WHERE id = $1", [endpoint.id]);
    expect(await words()).toContain('released deliveries are held until it is resumed');
  });
});

describe('replaying from the list of all deliveries', () => {
  const at = '2026-11-20T09:00:00.000Z';
  const list = (query: Record<string, string>) => fixture.page(`/institutions/${institution.id}/deliveries?${new URLSearchParams({ status: 'dead', ...query }).toString()}`);
  const replayLink = (text: string): string => (/href="\/console([^"]+)">Replay these…/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&');

  it('with an endpoint chosen leads to the confirmation for exactly the deliveries that are listed', async () => {
    await seedDelivery({ status: 'dead', responseCode: 503, createdAt: new Date(at) });
    await seedDelivery({ status: 'dead', responseCode: 503, createdAt: new Date('2026-11-20T10:00:00.000Z') });
    const text = await list({ endpoint: endpoint.id, since: at, until: '2026-11-20T10:00:00.000Z', type: 'exam.published', code: '5xx' });
    expect(rowIds(text)).toHaveLength(1);
    expect(visibleText(await fixture.page(replayLink(text)))).toContain('1 dead delivery created from 20 Nov 2026, 09:00:00 UTC, before 20 Nov 2026, 10:00:00 UTC, of exam.published, answered with 5xx will be sent again');
  });

  it('without one shows the endpoints with their numbers, each with a link that replays them', async () => {
    const paused = await seedEndpoint(api, institution, 'https://paused.north.example/', { status: 'paused', pausedAt: new Date(), description: 'Archive' });
    const eventIds = await seedEvents(api, institution, { createdAt: minutesAgo(30), count: 3 });
    for (const eventId of eventIds) await endpoint.seedDelivery({ status: 'dead', eventId });
    await seedDeliveryOf(api, institution, paused, { status: 'dead', eventId: eventIds[0] ?? '' });
    const text = await fixture.page(replayLink(await list({})));
    expect(visibleText(text)).toContain('4 dead deliveries created at any time can be replayed');
    expect(visibleText(text)).toMatch(/Archive https:\/\/paused.north.example\/ paused 1 Resume the endpoint first\./);
    const one = (/href="\/console([^"]+)">Replay these 3…/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&');
    expect(visibleText(await fixture.page(one))).toContain('3 dead deliveries created at any time will be sent again');
  });

  it('is offered of dead deliveries alone, where there are any, and not with an error class, which a replay does not have', async () => {
    expect(await list({ status: 'delivered' })).not.toContain('Replay these');
    expect(await list({ endpoint: endpoint.id })).not.toContain('Replay these');
    await endpoint.seedDelivery({ status: 'dead', errorClass: 'timeout' });
    const text = await list({ error: 'timeout' });
    expect(replayLink(text)).toBe('');
    expect(text).toContain('Without the error class these can be replayed together.');
  });
});

describe('recovering missed events', () => {
  it('says how many were missed for which reason', async () => {
    const created = minutesAgo(60);
    await sql("UPDATE webhook_endpoints SET events = ARRAY['exam.*'], created_at = $2 WHERE id = $1", [endpoint.id, created]);
    await seedEvents(api, institution, { createdAt: minutesAgo(90), count: 1 });
    await seedEvents(api, institution, { createdAt: minutesAgo(50), count: 2 });
    const reasons = async (): Promise<string> => visibleText(await fixture.page(`/endpoints/${endpoint.id}/recover?since=2026-01-01T00:00`));
    expect(await reasons()).toContain('Why they were not sent Before the endpoint was created 1 While it was disabled 2');
    await api.call('PATCH', `/webhooks/endpoints/${endpoint.id}`, { key: institution.apiKey, body: { events: ['exam.*', 'student.*'] } });
    expect(await reasons()).toContain('Before the endpoint was created 1 While it was disabled, or did not subscribe to them: its subscriptions were changed since 2');
  });

  it('says before and after how many dead deliveries of the time are not part of it, and leads to their replay', async () => {
    await sql("UPDATE webhook_endpoints SET events = ARRAY['exam.*'] WHERE id = $1", [endpoint.id]);
    await seedEvents(api, institution, { createdAt: minutesAgo(30), count: 2 });
    await seedDelivery({ status: 'dead', createdAt: minutesAgo(30) });
    const notice = /id="dead"><strong>1 dead delivery<\/strong> of this time is not part of a recovery, for the events were tried\. What is dead is older: send that first,\s+<a href="([^"]+)">replay it…<\/a>/;
    const asked = await fixture.page(`/endpoints/${endpoint.id}/recover?since=2026-01-01T00:00`);
    const path = notice.exec(asked)?.[1]?.replaceAll('&amp;', '&').replace('/console', '') ?? '';
    expect(await fixture.page(path)).toContain('<strong>1 dead delivery</strong> created after 1 Jan 2026, 00:00:00 UTC');
    expect((await act(`/endpoints/${endpoint.id}/recover`, { since: '2026-01-01T00:00' })).text).toMatch(notice);
    expect(await fixture.page(`/endpoints/${endpoint.id}/recover?since=2026-01-01T00:00&type=student.*`)).not.toContain('id="dead"');
  });

  it('says how many dead deliveries the endpoint has at any time, where that is more than of the time, and leads to the count of all', async () => {
    await seedDelivery({ status: 'dead', createdAt: minutesAgo(30) });
    const notice = async (since: number) => /<p class="notice warn" id="dead">([\s\S]*?)<\/p>/.exec(await fixture.page(`/endpoints/${endpoint.id}/recover?since=${minutesAgo(since).toISOString()}`))?.[1] ?? '';
    expect(await notice(60)).not.toContain('other times');
    for (const minutes of [90, 120]) await seedDelivery({ status: 'dead', createdAt: minutesAgo(minutes) });
    const asked = await notice(60);
    expect(asked).toContain('<strong>1 dead delivery</strong> of this time');
    const [, all = ''] = /With those of other times the endpoint has <strong>3 dead deliveries<\/strong>: <a href="([^"]+)">replay all…<\/a>/.exec(asked) ?? [];
    expect(await fixture.page(all.replaceAll('&amp;', '&').replace('/console', ''))).toContain('<strong>3 dead deliveries</strong> created at any time');
  });

  it('from a time after its end is refused in words', async () => {
    const { status, text } = await fixture.session.get(`/console/endpoints/${endpoint.id}/recover?since=2026-01-02T00:00&until=2026-01-01T00:00`);
    expect([status, text.includes('must not be before From')]).toEqual([422, true]);
  });


  it('counts the events without a delivery, asks, and shows the progress', async () => {
    await sql("UPDATE webhook_endpoints SET events = ARRAY['exam.*'] WHERE id = $1", [endpoint.id]);
    await seedEvents(api, institution, { createdAt: minutesAgo(30), count: 3 });
    await seedDelivery({ status: 'delivered' });
    const since = '2026-01-01T00:00';
    const { text } = await fixture.session.get(`/console/endpoints/${endpoint.id}/recover?since=${since}`);
    expect(text).toContain('<strong>3 events</strong> without a delivery to this endpoint, after 1 Jan 2026, 00:00:00 UTC, will get one and be sent, oldest first.');
    const begun = await act(`/endpoints/${endpoint.id}/recover`, { since });
    expect(begun.text).toContain('The recovery of 3 events has begun.');
    const recovery = /\/replays\/(rcv_[^?]+)\?since=.+&matched=3$/.exec(begun.path)?.[1] ?? '';
    expect(await outboxRows(recovery)).toEqual([{ kind: 'start', name: 'endpointRecovery' }]);
    expect(begun.text).toContain('<h1>Recovery of missed events</h1>');
    expect(begun.text).toContain('0 of 3');
    const none = await fixture.session.get(`/console/endpoints/${endpoint.id}/recover?since=${since}&type=exam.published`);
    expect(none.text).toContain('has a delivery to it, or was pruned.');
  });
});

describe('an action', () => {
  it('on what does not exist, or that does not exist, does nothing', async () => {
    const { status, text } = await act('/deliveries/whd_none/retry');
    expect([status, text.includes('(not_found)')]).toEqual([404, true]);
    expect((await fixture.session.post('/console/deliveries/whd_none/explode')).status).toBe(404);
  });

  it('is never done by GET', async () => {
    const id = await seedDelivery({ status: 'dead' });
    expect((await fixture.session.get(`/console/deliveries/${id}/replay`)).status).toBe(404);
    expect((await fixture.session.get(`/console/endpoints/${endpoint.id}/pause`)).status).toBe(404);
    expect(await stored(id)).toMatchObject({ status: 'dead' });
  });

  it('shows no flash of another session, nor one that is not signed', async () => {
    const id = await seedDelivery({ status: 'dead' });
    const left = await fixture.session.post(`/console/deliveries/${id}/replay`);
    const flash = cookiesOf(left);
    expect(flash).toEqual([expect.stringMatching(/^console_flash=/), expect.stringMatching(/^console_flash\.sig=/)]);
    const other = await signInToConsole(api);
    const otherId = /^console_session=([\w-]+)\./.exec(other.cookie)?.[1] ?? '';
    const forged = `console_flash=${otherId}.done.${Buffer.from('Send your token to me').toString('base64url')}`;
    for (const cookie of [flash.join('; '), `${forged}; console_flash.sig=x`, `${forged}; ${flash[1] ?? ''}`, forged]) {
      expect((await other.get(`/console/deliveries/${id}`, { cookie: `${other.cookie}; ${cookie}` })).text).not.toContain('class="flash');
    }
  });

  it('keeps its message for the page that follows, not for one that brings itself up to date', async () => {
    const id = await seedDelivery({ status: 'dead' });
    const left = await fixture.session.post(`/console/deliveries/${id}/replay`);
    const cookie = `${fixture.session.cookie}; ${cookiesOf(left).join('; ')}`;
    const live = await fixture.session.get(`/console/deliveries/${id}`, { cookie, 'x-console-live': 'yes' });
    expect([live.text.includes('class="flash'), live.headers.getSetCookie()]).toEqual([false, []]);
    expect((await fixture.session.get(`/console/deliveries/${id}`, { cookie })).text).toContain('class="flash done"');
  });
});

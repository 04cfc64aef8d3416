import { InstitutionEntity } from '../../db/entities/institution';
import { consoleFixture, escaped, hostile, rowIds, visibleText } from '../support/consoleFixture';
import { changeDeliveries } from '../support/deliveries';
import { minutesAgo } from '../support/time';
import { seedAuditLog } from '../support/seed/auditLog';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { seedEvents } from '../support/seed/events';

const fixture = consoleFixture();
const { api, institution, sql, endpoint, page } = fixture;

describe('the institutions', () => {
  it('are found by name, domain or id, with their open and dead deliveries', async () => {
    await api.api.domain.database.manager.update(InstitutionEntity, { id: institution.id }, { name: `Nordschule ${hostile}` });
    await endpoint.seedDelivery({ status: 'retrying' });
    await endpoint.seedDelivery({ status: 'pending' });
    await endpoint.seedDelivery({ status: 'dead' });
    for (const q of ['nordSCHULE', institution.id, institution.loginDomain]) {
      const text = await page(`/institutions?${new URLSearchParams({ q }).toString()}`);
      expect(rowIds(text)).toContain(institution.id);
      expect(text).toContain(`Nordschule ${escaped}`);
      expect(text).not.toContain(hostile);
      expect(text).toContain(`href="/console/institutions/${institution.id}/deliveries?status=open">2</a>`);
      expect(text).toContain(`href="/console/institutions/${institution.id}/deliveries?status=dead">1</a>`);
    }
    expect(await page('/institutions?q=%25')).toContain('No institution matches.');
  });

  it('come 25 a page, newest first, each once', async () => {
    for (let more = 0; more < 27; more += 1) await api.institution();
    const first = await page('/institutions');
    const older = /href="(\/console\/institutions\?before=[^"]+)">Older/.exec(first)?.[1] ?? '';
    const second = await page(older.replace('/console', ''));
    expect(rowIds(first)).toHaveLength(25);
    const all = [...rowIds(first), ...rowIds(second)];
    expect(new Set(all).size).toBe(all.length);
    expect(all).toEqual(all.toSorted().reverse());
  });
});

describe('a sandbox', () => {
  it('is marked in the list and on its page, which leads to its institution', async () => {
    const sandbox = await api.sandboxOf(institution);
    const listed = await page(`/institutions?q=${sandbox.id}`);
    expect(visibleText(listed)).toContain('North School (sandbox)');
    const mark = '<span class="badge badge-sandbox">sandbox</span>';
    expect(listed).toContain(mark);
    const shown = await page(`/institutions/${sandbox.id}`);
    expect(shown).toContain(mark);
    expect(shown).toContain(`Sandbox of <a href="/console/institutions/${institution.id}">${institution.id}</a>`);
    expect(await page(`/institutions/${institution.id}`)).not.toContain(mark);
  });
});

describe('an institution', () => {
  it('shows its endpoints with their health, and its newest deliveries', async () => {
    const failing = await seedEndpoint(api, institution, 'https://failing.north.example/', { consecutiveFailures: 3 });
    const paused = await seedEndpoint(api, institution, 'https://paused.north.example/', { status: 'paused', pausedAt: new Date() });
    const delivery = await seedDelivery(api, institution, failing, { status: 'retrying' });
    const words = visibleText(await page(`/institutions/${institution.id}`));
    expect(words).toMatch(new RegExp(`failing.north.example/ ${failing} failing 1 `));
    expect(words).toMatch(new RegExp(`paused.north.example/ ${paused} paused 0 `));
    expect(words).toContain(`${endpoint.id} nothing sent yet 0`);
    expect(words).toContain(`${delivery} retrying`);
  });

  it('calls an endpoint by its description, with the URL below it, and by the URL alone without one', async () => {
    const described = await seedEndpoint(api, institution, 'https://hooks.north.example/in', { description: 'Gradebook' });
    const delivery = await seedDelivery(api, institution, described);
    const words = visibleText(await page(`/institutions/${institution.id}`));
    expect(words).toContain(`Gradebook https://hooks.north.example/in ${described} nothing sent yet`);
    expect(words).toContain(`https://hooks.north.example/in ${endpoint.id} nothing sent yet`);
    expect(words).toMatch(new RegExp(`${delivery} pending Gradebook https://hooks.north.example/in 0`));
    expect(visibleText(await page(`/deliveries/${delivery}`))).toContain('Endpoint Gradebook https://hooks.north.example/in');
    expect(await page(`/endpoints/${described}`)).toContain('<h1>Gradebook</h1>');
    expect(visibleText(await page(`/deliveries/${delivery}/cancel`))).toContain('Nothing more will be sent to Gradebook (https://hooks.north.example/in)');
  });

  it('that does not exist is not found, in words', async () => {
    const { status, text } = await fixture.session.get('/console/institutions/ins_none');
    expect(status).toBe(404);
    expect(text).toContain('There is no institution ins_none. (not_found)');
  });
});

describe('the list of deliveries', () => {
  const list = async (query: Record<string, string>) => rowIds(await page(`/institutions/${institution.id}/deliveries?${new URLSearchParams(query).toString()}`));

  it('is filtered by status, endpoint, type and time', async () => {
    const other = await seedEndpoint(api, institution, 'https://other.north.example/');
    const statuses = ['pending', 'retrying', 'held', 'delivered', 'dead', 'cancelled'] as const;
    const ids = new Map<string, string>();
    for (const [index, status] of statuses.entries()) ids.set(status, await endpoint.seedDelivery({ status, createdAt: minutesAgo(60 - index) }));
    const claimed = await endpoint.seedDelivery({ status: 'pending', claimedBy: 'w1', claimedUntil: new Date(), createdAt: minutesAgo(70) });
    const elsewhere = await seedDelivery(api, institution, other, { status: 'delivered', eventType: 'student.created', createdAt: minutesAgo(10) });
    const one = (status: string): string => ids.get(status) ?? '';
    expect(await list({})).toEqual([elsewhere, ...statuses.toReversed().map(one), claimed]);
    for (const status of statuses.slice(1)) expect(await list({ status, endpoint: endpoint.id })).toEqual([one(status)]);
    expect(await list({ status: 'pending' })).toEqual([one('pending'), claimed]);
    expect(await list({ status: 'open' })).toEqual([one('held'), one('retrying'), one('pending'), claimed]);
    expect(await list({ endpoint: other })).toEqual([elsewhere]);
    expect(await list({ type: 'student.created' })).toEqual([elsewhere]);
    expect(await list({ status: 'open', type: 'student.created' })).toEqual([]);
    expect(await list({ since: minutesAgo(56.5).toISOString(), until: minutesAgo(20).toISOString() })).toEqual([one('cancelled'), one('dead')]);
    expect(await list({ status: 'open', until: minutesAgo(58.5).toISOString() })).toEqual([one('retrying'), one('pending'), claimed]);
    const otherInstitution = await api.institution();
    expect(rowIds(await page(`/institutions/${otherInstitution.id}/deliveries`))).toEqual([]);
  });

  it('is filtered by the code or class of the last response, and by error class', async () => {
    const [busy, missing, slow] = [
      await endpoint.seedDelivery({ status: 'dead', responseCode: 503, errorClass: 'http' }),
      await endpoint.seedDelivery({ status: 'retrying', responseCode: 404, errorClass: 'http' }),
      await endpoint.seedDelivery({ status: 'dead', responseCode: null, errorClass: 'timeout' }),
    ];
    await endpoint.seedDelivery({ status: 'delivered', responseCode: 200 });
    expect(await list({ code: '503' })).toEqual([busy]);
    expect(await list({ code: '4XX' })).toEqual([missing]);
    expect(await list({ error: 'timeout' })).toEqual([slow]);
    expect(await list({ status: 'open', error: 'http' })).toEqual([missing]);
    expect(await page(`/institutions/${institution.id}/deliveries?code=5`)).toContain('“5” is not a status code such as 503, nor a class such as 5xx, so this filter was ignored.');
  });

  it('has no two endpoints in its filter that read the same', async () => {
    const url = 'https://hooks.north.example/in';
    const [described, second, third] = [
      await seedEndpoint(api, institution, url, { description: 'Gradebook' }),
      await seedEndpoint(api, institution, url, { description: 'Reports' }),
      await seedEndpoint(api, institution, url, { description: 'Reports' }),
    ];
    const text = await page(`/institutions/${institution.id}/deliveries`);
    const options = Object.fromEntries([...text.matchAll(/<option value="(we_\w+)">([^<]+)</g)].map(([, id, words]) => [id, words]));
    expect(options).toEqual({
      [endpoint.id]: url,
      [described]: `Gradebook — ${url}`,
      [second]: `Reports — ${url} (…${second.slice(-6)})`,
      [third]: `Reports — ${url} (…${third.slice(-6)})`,
    });
  });

  it.each(['deliveries', 'events', 'audit-log'])('says above the list and at the field that Until must not be before From (%s)', async (name) => {
    const text = await page(`/institutions/${institution.id}/${name}?since=2026-11-20T10:00&until=2026-11-20T09:00`);
    expect(text).toMatch(/<input id="until"[^>]* aria-invalid="true" aria-describedby="range-problem"[^>]*><\/div>/);
    expect(text).toMatch(/<p class="notice warn" id="range-problem">(Created u|U)ntil must not be before (Created f|F)rom: nothing can match\.<\/p>/);
    expect(await page(`/institutions/${institution.id}/${name}?since=2026-11-20T09:00&until=2026-11-20T10:00`)).not.toContain('range-problem');
  });

  it.each(['deliveries', 'events', 'audit-log'])('keeps From and Until in one row of its filters (%s)', async (name) => {
    expect(await page(`/institutions/${institution.id}/${name}`)).toMatch(/<div class="range"><div class="field"><label for="since">[^<]+<\/label><input id="since"[^>]*><\/div><div class="field"><label for="until">/);
  });

  it.each(['deliveries', 'events', 'audit-log'])('includes the minute of Until, also after its form is sent once more (%s)', async (name) => {
    const at = new Date('2026-11-20T14:00:02.500Z');
    const [eventId = ''] = await seedEvents(api, institution, { createdAt: at });
    await endpoint.seedDelivery({ eventId, createdAt: at });
    await seedAuditLog(api, institution, { at });
    const path = `/institutions/${institution.id}/${name}`;
    const text = await page(`${path}?since=2026-11-20T14:00&until=2026-11-20T14:00`);
    expect(text.match(/id="row-/g)).toHaveLength(1);
    expect(text).toMatch(/<input id="until"[^>]* value="2026-11-20T14:00:00">/);
    expect(await page(`${path}?since=2026-11-20T13:00&until=2026-11-20T13:59`)).not.toContain('id="row-');
  });

  it('has its times in UTC and by the clocks of the institution, by which a time without a zone is read', async () => {
    await sql("UPDATE institutions SET time_zone = 'Asia/Kolkata' WHERE id = $1", [institution.id]);
    const id = await endpoint.seedDelivery({ createdAt: new Date('2026-11-20T18:45:10Z') });
    const text = await page(`/institutions/${institution.id}/deliveries`);
    expect(visibleText(text)).toContain('20 Nov 2026, 18:45:10 UTC 21 Nov 2026, 00:15:10 Asia/Kolkata');
    expect(text).toContain('>Created from (Asia/Kolkata)</label>');
    expect(await list({ since: '2026-11-21T00:15:00', until: '2026-11-21T00:16:00' })).toEqual([id]);
    expect(await list({ since: '2026-11-20T18:45:00Z', until: '2026-11-21T00:15:00' })).toEqual([]);
  });

  it.each<Record<string, string>>([{}, { status: 'dead' }, { status: 'retrying' }, { type: 'exam.graded' }])('filtered by %j comes 50 a page, each once, and keeps its filters', async (query) => {
    const status = query.status === 'retrying' ? 'retrying' : 'dead';
    const all = new Set<string>();
    // Many of one moment: their order is that of their ids.
    for (let nth = 0; nth < 120; nth += 1) all.add(await endpoint.seedDelivery({ status, createdAt: minutesAgo(Math.floor(nth / 40)) }));
    const seen: string[] = [];
    let path: string | undefined = `/institutions/${institution.id}/deliveries?${new URLSearchParams(query).toString()}`;
    while (path !== undefined) {
      const text = await page(path);
      seen.push(...rowIds(text));
      path = /href="\/console([^"]+)">Older/.exec(text)?.[1]?.replaceAll('&amp;', '&');
      if (path !== undefined) expect(Object.fromEntries(new URL(path, 'http://x').searchParams)).toMatchObject(query);
    }
    expect(seen).toHaveLength(120);
    expect(new Set(seen)).toEqual(all);
  });

  it('looks at so many only, and says how far it has looked', async () => {
    await sql(
      `INSERT INTO webhook_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, created_at)
       SELECT 'whd_many' || n, $1, $2, 'evt_many' || n || $1, 'exam.graded', now() - n * interval '1 second', 'delivered', now() - n * interval '1 second'
         FROM generate_series(1, 20100) n`,
      [institution.id, endpoint.id],
    );
    await changeDeliveries(sql, "SET status = 'cancelled' WHERE id = 'whd_many20050'");
    const text = await page(`/institutions/${institution.id}/deliveries?status=cancelled`);
    expect(rowIds(text)).toEqual([]);
    expect(text).toContain('No delivery matches among those searched so far.');
    const older = /href="\/console([^"]+)">Older/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(rowIds(await page(older))).toEqual(['whd_many20050']);
  });

  it('says which filters it could not read', async () => {
    const text = await page(`/institutions/${institution.id}/deliveries?${new URLSearchParams({ since: `yesterday${hostile}`, status: 'lost', before: 'x' }).toString()}`);
    expect(text).toContain(`“yesterday${escaped}” is not a time such as 2026-11-20T09:30, so this filter was ignored.`);
    expect(text).toContain('“lost” is not a status, so this filter was ignored.');
  });
});

it.each(['/search?q=a%00@b.org', '/institutions?q=a%00b', '/institutions?before=ins_%00', '/institutions/I/audit-log?actor=a%00', '/institutions/I/audit-log?before=2026-11-20T09:30:00Z_aud_%00'])(
  'control characters in the filters of %s are left out',
  async (path) => {
    const { status } = await fixture.session.get(`/console${path.replace('/I/', `/${institution.id}/`)}`);
    expect(status).toBe(200);
  },
);

it.each(['/events/evt_%00', '/endpoints/E/replays/rpl_%00', '/institutions/ins_%00/deliveries'])('a path with a control character, %s, is not found', async (path) => {
  const { status } = await fixture.session.get(`/console${path.replace('/E/', `/${endpoint.id}/`)}`);
  expect(status).toBe(404);
});

describe('the list of events', () => {
  const list = async (query: Record<string, string>) => rowIds(await page(`/institutions/${institution.id}/events?${new URLSearchParams(query).toString()}`));

  it('is filtered by type and time, with the states of the deliveries', async () => {
    const [old = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(60) });
    const [published = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(30), type: 'exam.published' });
    const delivery = await endpoint.seedDelivery({ eventId: old, status: 'dead' });
    expect(await list({ type: 'exam.graded' })).toEqual([old]);
    expect(await list({ since: minutesAgo(45).toISOString(), until: minutesAgo(15).toISOString() })).toEqual([published]);
    const text = await page(`/institutions/${institution.id}/events?type=exam.graded`);
    expect(text).toContain(`href="/console/deliveries/${delivery}"><span class="badge badge-dead">dead</span>`);
    expect(await page(`/institutions/${institution.id}/events?type=exam.lost`)).toContain('“exam.lost” is not an event type, so this filter was ignored.');
  });

  it('comes 50 a page, each once, and keeps its filters', async () => {
    const ids = await seedEvents(api, institution, { createdAt: minutesAgo(60), count: 120 });
    const seen: string[] = [];
    let path: string | undefined = `/institutions/${institution.id}/events?type=exam.graded`;
    while (path !== undefined) {
      const text = await page(path);
      seen.push(...rowIds(text));
      path = /href="\/console([^"]+)">Older/.exec(text)?.[1]?.replaceAll('&amp;', '&');
      if (path !== undefined) expect(path).toContain('type=exam.graded');
    }
    expect(seen).toEqual(ids.toReversed());
  });
});

describe('the events about something', () => {
  const about = (name: string) => page(`/institutions/${institution.id}/events?${new URLSearchParams({ about: name }).toString()}`);

  it('are those that name it, by id and of a person also by login email', async () => {
    const { data } = await fixture.call('POST', '/students', { full_name: 'Ada' });
    await fixture.call('POST', '/students', { full_name: 'Grace' });
    await fixture.call('PATCH', `/students/${data.id}`, { full_name: 'Ada Lovelace' });
    for (const name of [data.id, data.login_email]) {
      const words = visibleText(await about(String(name)));
      expect([words.match(/student\.created evt_/g), words.match(/student\.updated evt_/g)]).toEqual([['student.created evt_'], ['student.updated evt_']]);
    }
    expect(visibleText(await about('stu_none'))).toContain('No event matches.');
  });

  it('are looked for among 20,000 at a time, and the page says how far it has looked', async () => {
    const [old = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(60), type: 'student.created' });
    await sql('UPDATE events SET body = regexp_replace(body, \'stu_\\w+\', \'stu_rare\') WHERE id = $1', [old]);
    await seedEvents(api, institution, { createdAt: minutesAgo(50), count: 20_000 });
    const newest = await about('stu_rare');
    expect(visibleText(newest)).toMatch(/No event matches among those searched so far\. Searched back to .+ “Older” searches further\./);
    const older = /href="\/console([^"]+)">Older/.exec(newest)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(rowIds(await page(older))).toEqual([old]);
  });
});

describe('an event', () => {
  it('says where more endpoints or changes were there than it read', async () => {
    const [event = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(60) });
    expect(await page(`/events/${event}`)).not.toContain('Only ');
    await seedAuditLog(api, institution, { at: new Date(Date.now() + 1_000), count: 2_001, operation: 'updateWebhookEndpoint' });
    await sql(
      `INSERT INTO webhook_endpoints (id, institution_id, url, events, status, secret_sealed, created_at, updated_at)
       SELECT 'we_' || $1 || n, $1, url, events, status, secret_sealed, created_at, updated_at FROM webhook_endpoints CROSS JOIN generate_series(1, 200) n WHERE id = $2`,
      [institution.id, endpoint.id],
    );
    const words = visibleText(await page(`/events/${event}`));
    expect(words).toContain('Only 200 endpoints are named: first those with a delivery, last the deleted ones.');
    expect(words).toContain('Only the first 2,000 changes of endpoints and cancellations since the event were read, up to ');
  });
});

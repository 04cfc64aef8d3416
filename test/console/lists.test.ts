import { InstitutionEntity } from '../../db/entities/institution';
import { ago, consoleDesk, escaped, hostile, idsIn, wordsOf } from '../support/consoleFixture';
import { plantDelivery } from '../support/deliveries';
import { plantEndpoint } from '../support/endpoints';

const desk = consoleDesk();
const { customer, page } = desk;
const { planted, sql } = customer;

describe('the institutions', () => {
  it('are found by name, domain or id, with their open and dead deliveries', async () => {
    await customer.api.api.domain.database.manager.update(InstitutionEntity, { id: customer.north.id }, { name: `Nordschule ${hostile}` });
    await planted({ status: 'retrying' });
    await planted({ status: 'pending' });
    await planted({ status: 'dead' });
    for (const q of ['nordSCHULE', customer.north.id, customer.north.loginDomain]) {
      const text = await page(`/institutions?${new URLSearchParams({ q }).toString()}`);
      expect(idsIn(text)).toContain(customer.north.id);
      expect(text).toContain(`Nordschule ${escaped}`);
      expect(text).not.toContain(hostile);
      expect(text).toContain(`href="/console/institutions/${customer.north.id}/deliveries?status=open">2</a>`);
      expect(text).toContain(`href="/console/institutions/${customer.north.id}/deliveries?status=dead">1</a>`);
    }
    expect(await page('/institutions?q=%25')).toContain('No institution matches.');
  });

  it('come 25 a page, newest first, each once', async () => {
    for (let more = 0; more < 27; more += 1) await customer.api.institution();
    const first = await page('/institutions');
    const older = /href="(\/console\/institutions\?before=[^"]+)">Older/.exec(first)?.[1] ?? '';
    const second = await page(older.replace('/console', ''));
    expect(idsIn(first)).toHaveLength(25);
    const all = [...idsIn(first), ...idsIn(second)];
    expect(new Set(all).size).toBe(all.length);
    expect(all).toEqual(all.toSorted().reverse());
  });
});

describe('an institution', () => {
  it('shows its endpoints with their health, and its newest deliveries', async () => {
    const failing = await plantEndpoint(customer.api, customer.north, 'https://failing.north.example/', { consecutiveFailures: 3 });
    const paused = await plantEndpoint(customer.api, customer.north, 'https://paused.north.example/', { status: 'paused', pausedAt: new Date() });
    const delivery = await plantDelivery(customer.api, customer.north, failing, { status: 'retrying' });
    const words = wordsOf(await page(`/institutions/${customer.north.id}`));
    expect(words).toMatch(new RegExp(`failing.north.example/ ${failing} failing 1 `));
    expect(words).toMatch(new RegExp(`paused.north.example/ ${paused} paused 0 `));
    expect(words).toContain(`${customer.endpointId} nothing sent yet 0`);
    expect(words).toContain(`${delivery} retrying`);
  });

  it('that is suspended says that its deliveries are held', async () => {
    await customer.api.platform('POST', `/institutions/${customer.north.id}/suspend`);
    expect(await page(`/institutions/${customer.north.id}`)).toContain('its deliveries are held until it is approved again');
  });

  it('that does not exist is not found, in words', async () => {
    const { status, text } = await desk.supporter.get('/console/institutions/ins_none');
    expect(status).toBe(404);
    expect(text).toContain('There is no institution ins_none. (not_found)');
  });
});

describe('the list of deliveries', () => {
  const list = async (query: Record<string, string>) => idsIn(await page(`/institutions/${customer.north.id}/deliveries?${new URLSearchParams(query).toString()}`));

  it('is filtered by status, endpoint, type and time', async () => {
    const other = await plantEndpoint(customer.api, customer.north, 'https://other.north.example/');
    const statuses = ['pending', 'retrying', 'held', 'delivered', 'dead', 'cancelled'] as const;
    const ids = new Map<string, string>();
    for (const [index, status] of statuses.entries()) ids.set(status, await planted({ status, createdAt: ago(60 - index) }));
    const claimed = await planted({ status: 'pending', claimedBy: 'w1', claimedUntil: new Date(), createdAt: ago(70) });
    const elsewhere = await plantDelivery(customer.api, customer.north, other, { status: 'delivered', eventType: 'student.created', createdAt: ago(10) });
    const one = (status: string): string => ids.get(status) ?? '';
    expect(await list({})).toEqual([elsewhere, ...statuses.toReversed().map(one), claimed]);
    for (const status of statuses.slice(1)) expect(await list({ status, endpoint: customer.endpointId })).toEqual([one(status)]);
    expect(await list({ status: 'pending' })).toEqual([one('pending'), claimed]);
    expect(await list({ status: 'open' })).toEqual([one('held'), one('retrying'), one('pending'), claimed]);
    expect(await list({ endpoint: other })).toEqual([elsewhere]);
    expect(await list({ type: 'student.created' })).toEqual([elsewhere]);
    expect(await list({ status: 'open', type: 'student.created' })).toEqual([]);
    expect(await list({ since: ago(56.5).toISOString(), until: ago(20).toISOString() })).toEqual([one('cancelled'), one('dead')]);
    expect(await list({ status: 'open', until: ago(58.5).toISOString() })).toEqual([one('retrying'), one('pending'), claimed]);
    const south = await customer.api.institution();
    expect(idsIn(await page(`/institutions/${south.id}/deliveries`))).toEqual([]);
  });

  it.each<Record<string, string>>([{}, { status: 'dead' }, { status: 'retrying' }, { type: 'exam.graded' }])('filtered by %j comes 50 a page, each once, and keeps its filters', async (query) => {
    const status = query.status === 'retrying' ? 'retrying' : 'dead';
    const all = new Set<string>();
    // Many of one moment: their order is that of their ids.
    for (let nth = 0; nth < 120; nth += 1) all.add(await planted({ status, createdAt: ago(Math.floor(nth / 40)) }));
    const seen: string[] = [];
    let path: string | undefined = `/institutions/${customer.north.id}/deliveries?${new URLSearchParams(query).toString()}`;
    while (path !== undefined) {
      const text = await page(path);
      seen.push(...idsIn(text));
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
      [customer.north.id, customer.endpointId],
    );
    await sql("UPDATE webhook_deliveries SET status = 'cancelled' WHERE id = 'whd_many20050'");
    const text = await page(`/institutions/${customer.north.id}/deliveries?status=cancelled`);
    expect(idsIn(text)).toEqual([]);
    expect(text).toContain('None matches among those that were looked at.');
    const older = /href="\/console([^"]+)">Older/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(idsIn(await page(older))).toEqual(['whd_many20050']);
  });

  it('says which filters it could not read', async () => {
    const text = await page(`/institutions/${customer.north.id}/deliveries?${new URLSearchParams({ since: `yesterday${hostile}`, status: 'lost', before: 'x' }).toString()}`);
    expect(text).toContain(`“yesterday${escaped}” is no time such as 2026-11-20T09:30, so it was left out.`);
    expect(text).toContain('“lost” is no status, so it was left out.');
  });
});

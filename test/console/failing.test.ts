import { transact } from '../../domain/transact';
import { consoleFixture, rowIds, visibleText } from '../support/consoleFixture';
import { seedDelivery, seedDeliveryAttempt } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { minutesAgo } from '../support/time';

const fixture = consoleFixture();
const { api, institution } = fixture;

const page = async (query = '') => (await fixture.session.get(`/console/failing${query}`)).text;

/** The rows of the page and of all after it, as text, by the id of their endpoint. */
async function rowOf(id: string, query = ''): Promise<string | undefined> {
  for (let path: string | undefined = query; path !== undefined; ) {
    const text = await page(path);
    const row = new RegExp(`<tr role="row" id="row-${id}">([\\s\\S]*?)</tr>`).exec(text)?.[1];
    if (row !== undefined) return visibleText(row);
    path = /href="\/console\/failing([^"]+)">Older/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  return undefined;
}

describe('the page of what does not work', () => {
  it('has the endpoints of all schools that fail or whose circuit is open, with their school, and no others', async () => {
    const other = await api.institution();
    const url = 'https://hooks.north.example/in';
    const failing = await seedEndpoint(api, institution, url, { failingSince: minutesAgo(9), consecutiveFailures: 3, description: 'Gradebook' });
    const open = await seedEndpoint(api, other, url, { circuit: 'open', circuitOpenedAt: minutesAgo(5), probeAt: minutesAgo(1) });
    const healthy = await seedEndpoint(api, other, url);
    expect(await rowOf(failing)).toMatch(/Gradebook .*North School failing 9 min ago .* 3 failures since 0 0 never/);
    expect(await rowOf(open)).toContain('circuit open');
    expect(await rowOf(healthy)).toBeUndefined();
    expect([await rowOf(failing, '?state=open'), await rowOf(open, '?state=open') === undefined]).toEqual([undefined, false]);
  });

  it('says how the last attempt at each failed, as the platform API does', async () => {
    const failing = { failingSince: minutesAgo(9), consecutiveFailures: 2 };
    const [refusing, slow] = [await seedEndpoint(api, institution, 'https://a.north.example/in', failing), await seedEndpoint(api, institution, 'https://b.north.example/in', failing)];
    const toRefusing = await seedDelivery(api, institution, refusing);
    await seedDeliveryAttempt(api, toRefusing, { number: 1, responseCode: 500, startedAt: minutesAgo(8) });
    await seedDeliveryAttempt(api, toRefusing, { number: 2, responseCode: 401, startedAt: minutesAgo(2) });
    await seedDeliveryAttempt(api, await seedDelivery(api, institution, slow), { responseCode: null, errorClass: 'timeout' });
    expect([await rowOf(refusing), await rowOf(slow)]).toEqual([expect.stringMatching(/failing HTTP 401/), expect.stringMatching(/failing timeout/)]);
    const { items } = (await api.platform('GET', '/failing-endpoints', { query: { limit: 200 } })).data;
    expect(items).toEqual(expect.arrayContaining([expect.objectContaining({ id: refusing, last_error: 'HTTP 401' }), expect.objectContaining({ id: slow, last_error: 'timeout' })]));
  });

  it('says how many deliveries to each were given up, with a link to them, as the platform API and the command line do', async () => {
    const disabled = await seedEndpoint(api, institution, 'https://hooks.north.example/in', { status: 'disabled' });
    for (const status of ['dead', 'dead', 'delivered'] as const) await seedDelivery(api, institution, disabled, { status });
    const other = await seedEndpoint(api, institution, 'https://b.north.example/in', { status: 'paused' });
    expect([await rowOf(disabled), await rowOf(other)]).toEqual([expect.stringMatching(/ 0 2 never/), expect.stringMatching(/ 0 0 never/)]);
    const { items } = (await api.platform('GET', '/failing-endpoints', { query: { state: 'any', limit: 200 } })).data;
    expect(items).toEqual(expect.arrayContaining([expect.objectContaining({ id: disabled, dead: 2 }), expect.objectContaining({ id: other, dead: 0 })]));
  });

  it('has those first of which something is given up first, unless a pause stops that, where one page has all of them', async () => {
    const open = { circuit: 'open', circuitOpenedAt: minutesAgo(5), probeAt: minutesAgo(1) } as const;
    const seed = async (deadlineAt: Date | undefined) => {
      const id = await seedEndpoint(api, institution, 'https://hooks.north.example/in', open);
      if (deadlineAt !== undefined) await seedDelivery(api, institution, id, { status: 'held', heldAt: minutesAgo(5), deadlineAt });
      return id;
    };
    const soon = await seed(minutesAgo(-60));
    const later = await seed(minutesAgo(-120));
    const paused = await seed(minutesAgo(-30));
    await fixture.sql('UPDATE webhook_endpoints SET resting_since = now() WHERE id = $1', [paused]);
    const none = await seed(undefined);
    const text = await page('?state=open');
    expect(text).toContain('First those of which something is given up first');
    expect(rowIds(text).filter((id) => [soon, later, paused, none].includes(id))).toEqual([soon, later, none, paused]);
  });

  it('has the disabled endpoints with why and since when, and the paused ones with since when, each alone by its state', async () => {
    const url = 'https://hooks.north.example/in';
    const disabled = await seedEndpoint(api, institution, url, { status: 'disabled', disabledReason: 'The endpoint answered 410 Gone.' });
    const longAgo = await seedEndpoint(api, institution, url, { status: 'disabled' });
    const paused = await seedEndpoint(api, institution, url, { status: 'paused', pausedAt: minutesAgo(7) });
    await transact(api.api.domain, institution.caller, async (tx) => tx.emit('endpoint.disabled', { endpoint_id: disabled, reason: 'gone', failing_since: null }));
    expect(await rowOf(disabled)).toMatch(/ disabled The endpoint answered 410 Gone\. (?:now|\d+ s ago) /);
    expect(await rowOf(longAgo)).toMatch(/ disabled not known 0 0 never/);
    expect(await rowOf(paused)).toMatch(/ paused 7 min ago .* 0 0 never/);
    const shownIn = async (state: string) => Promise.all([disabled, paused].map(async (id) => (await rowOf(id, `?state=${state}`)) !== undefined));
    expect([await shownIn('disabled'), await shownIn('paused'), await shownIn('failing'), await shownIn('open')]).toEqual([[true, false], [false, true], [false, false], [false, false]]);
  });

  it('says how an attempt failed of no endpoint whose last attempt succeeded', async () => {
    const paused = await seedEndpoint(api, institution, 'https://hooks.north.example/in', { status: 'paused', pausedAt: minutesAgo(7) });
    await seedDeliveryAttempt(api, await seedDelivery(api, institution, paused), { responseCode: 204, errorClass: null });
    expect(await rowOf(paused)).not.toContain('HTTP');
  });

  it('says how many deliveries are held, and when the first of them is given up unless a pause stops that', async () => {
    const url = 'https://hooks.north.example/in';
    const open = await seedEndpoint(api, institution, url, { circuit: 'open', circuitOpenedAt: minutesAgo(5), probeAt: minutesAgo(1) });
    const paused = await seedEndpoint(api, institution, url, { status: 'paused', pausedAt: minutesAgo(7) });
    for (const [id, minutes] of [[open, -125], [open, -245], [paused, -125]] as const) await seedDelivery(api, institution, id, { status: 'held', heldAt: minutesAgo(5), deadlineAt: minutesAgo(minutes) });
    expect([await rowOf(open), await rowOf(paused)]).toEqual([expect.stringMatching(/ 2 first given up in 2 h/), expect.stringMatching(/ 1 not given up meanwhile/)]);
  });

  it('has the number of its endpoints in its heading, and says that another state is none', async () => {
    const numberIn = async () => Number(/<h1>Not working \((\d+)\)<\/h1>/.exec(await page('?state=paused'))?.[1]);
    const before = await numberIn();
    await seedEndpoint(api, institution, 'https://hooks.north.example/in', { status: 'paused', pausedAt: minutesAgo(7) });
    expect(await numberIn()).toBeGreaterThan(before);
    expect(visibleText(await page('?state=broken'))).toContain('“broken” is not a state of an endpoint, so this filter was ignored.');
  });

  it('is linked from every page', async () => {
    expect((await fixture.session.get('/console/institutions')).text).toContain('<a href="/console/failing">Not working</a>');
  });
});

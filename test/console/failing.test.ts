import { consoleFixture, visibleText } from '../support/consoleFixture';
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

describe('the page of what fails now', () => {
  it('has the endpoints of all schools that fail or whose circuit is open, with their school, and no others', async () => {
    const other = await api.institution();
    const url = 'https://hooks.north.example/in';
    const failing = await seedEndpoint(api, institution, url, { failingSince: minutesAgo(9), consecutiveFailures: 3, description: 'Gradebook' });
    const open = await seedEndpoint(api, other, url, { circuit: 'open', circuitOpenedAt: minutesAgo(5), probeAt: minutesAgo(1) });
    const healthy = await seedEndpoint(api, other, url);
    expect(await rowOf(failing)).toMatch(/Gradebook .*North School failing 9 min ago .* 3 failures since never/);
    expect(await rowOf(open)).toContain('circuit open');
    expect(await rowOf(healthy)).toBeUndefined();
    expect([await rowOf(failing, '?circuit=open'), await rowOf(open, '?circuit=open') === undefined]).toEqual([undefined, false]);
  });

  it('says how the last attempt at each failed, as the platform API does, and that disabled ones are elsewhere', async () => {
    const failing = { failingSince: minutesAgo(9), consecutiveFailures: 2 };
    const [refusing, slow] = [await seedEndpoint(api, institution, 'https://a.north.example/in', failing), await seedEndpoint(api, institution, 'https://b.north.example/in', failing)];
    const toRefusing = await seedDelivery(api, institution, refusing);
    await seedDeliveryAttempt(api, toRefusing, { number: 1, responseCode: 500, startedAt: minutesAgo(8) });
    await seedDeliveryAttempt(api, toRefusing, { number: 2, responseCode: 401, startedAt: minutesAgo(2) });
    await seedDeliveryAttempt(api, await seedDelivery(api, institution, slow), { responseCode: null, errorClass: 'timeout' });
    expect([await rowOf(refusing), await rowOf(slow)]).toEqual([expect.stringMatching(/failing HTTP 401/), expect.stringMatching(/failing timeout/)]);
    const { items } = (await api.platform('GET', '/failing-endpoints', { query: { limit: 200 } })).data;
    expect(items).toEqual(expect.arrayContaining([expect.objectContaining({ id: refusing, last_error: 'HTTP 401' }), expect.objectContaining({ id: slow, last_error: 'timeout' })]));
    expect(visibleText(await page())).toContain('Disabled ones are not here.');
  });

  it('is linked from every page', async () => {
    expect((await fixture.session.get('/console/institutions')).text).toContain('<a href="/console/failing">Failing now</a>');
  });
});

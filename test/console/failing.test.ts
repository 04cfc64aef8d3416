import { consoleFixture, visibleText } from '../support/consoleFixture';
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

  it('is linked from every page', async () => {
    expect((await fixture.session.get('/console/institutions')).text).toContain('<a href="/console/failing">Failing now</a>');
  });
});

import { consoleFixture, rowIds, visibleText } from '../support/consoleFixture';
import { seedEndpoint } from '../support/seed/endpoints';

const { api, institution, call, page } = consoleFixture();

it('lists break a URL behind its slashes and before its dots, not inside its words', async () => {
  await seedEndpoint(api, institution, 'https://hooks.north.example/gradebook/webhook-endpoints');
  expect(await page(`/institutions/${institution.id}`)).toContain('>https://<wbr>hooks<wbr>.north<wbr>.example/<wbr>gradebook/<wbr>webhook-endpoints</a>');
});

it('the list of events says of a text that is no id why no event is about it', async () => {
  const about = async (text: string): Promise<string> => visibleText(await page(`/institutions/${institution.id}/events?about=${text}`));
  expect(await about('SIS-5')).toContain("No event matches. “SIS-5” is no id: only whole ids are searched, such as stu_… or exm_…, and login emails; not names, nor a student_id of the school&#39;s own.");
  expect(await about('Nobody@North.example')).toContain('No event matches. Nobody of this institution has the login email nobody@north.example.');
  for (const known of ['stu_01jd4k6f2mep2s5xg5yhc8m1zr', 'STU_01JD4K6F2MEP2S5XG5YHC8M1ZR', 'ada@north.example']) expect(await about(known)).not.toContain('is no id');
});

it('the filters About and Target take an id and a login email in any case, as the search box does', async () => {
  const { data } = await call('POST', '/students', { full_name: 'Grace' });
  await call('POST', `/students/${data.id}/suspend`);
  const listed = async (list: string, field: string, typed: string): Promise<number> => rowIds(await page(`/institutions/${institution.id}/${list}?${new URLSearchParams({ [field]: typed }).toString()}`)).length;
  for (const typed of [data.id, data.login_email].map(String)) {
    for (const [list, field] of [['events', 'about'], ['audit-log', 'target']] as const) {
      const expected = await listed(list, field, typed);
      expect([typed, list, expected > 1]).toEqual([typed, list, true]);
      expect([typed, list, await listed(list, field, typed.toUpperCase()), await listed(list, field, ` <${typed}>, `)]).toEqual([typed, list, expected, expected]);
    }
  }
  expect(await page(`/institutions/${institution.id}/events`)).toContain('<label for="about">About</label><input id="about" name="about" value="" placeholder="id or login email"');
});

it('the audit log takes a request id and an actor in any case, and says that nobody has a login email', async () => {
  const { headers } = await call('POST', '/groups', { name: 'a' });
  const log = (query: Record<string, string>): Promise<string> => page(`/institutions/${institution.id}/audit-log?${new URLSearchParams(query).toString()}`);
  expect(rowIds(await log({ request: String(headers.get('x-request-id')).toUpperCase() }))).toHaveLength(1);
  expect(rowIds(await log({ actor: institution.keyId.toUpperCase() })).length).toBeGreaterThan(0);
  expect(visibleText(await log({ target: 'Nobody@north.example' }))).toContain('No call matches. Nobody of this institution has the login email nobody@north.example.');
});

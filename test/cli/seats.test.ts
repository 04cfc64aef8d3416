import { commandLine, parseCard, type CommandLine } from '../support/commandLine';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { signInToApp } from '../support/seatSignIn';

let api: TestApi;
let cli: CommandLine;
let institution: TestInstitution;

beforeAll(async () => {
  api = await startTestApi();
  cli = commandLine({ PLATFORM_URL: api.platformUrl, PLATFORM_TOKEN: api.settings.platformToken });
  institution = await api.institution();
});

afterAll(() => api.stop());

it('search of a seat has app, platform and times, why it ended, and which seat took its place', async () => {
  const { data: { id } } = await api.call('POST', '/students', { key: institution.apiKey, body: {} });
  for (const device of ['one', 'two', 'three']) await signInToApp(api, institution, id, 'svcapp', device);
  const [oldest, , newest] = (await api.api.domain.database.sql<{ id: string }>('SELECT id FROM seats WHERE user_id = $1 ORDER BY created_at, id', [id])).map((seat) => seat.id);
  const [, card = ''] = (await cli.text('search', oldest ?? '')).split('\n\n');
  const { signed_in_at, last_seen_at, ended_at, ...facts } = parseCard(card);
  expect(facts).toEqual({
    id: oldest, app: 'svcapp', platform: 'linux', status: 'evicted', replaced_by: newest,
    ended_because: `a sign-in on another device took its place, as a person has two seats in an app: ${newest}`,
  });
  for (const moment of [signed_in_at, last_seen_at, ended_at]) expect(moment).toMatch(/^\d{4}-\d\d-\d\dT/);
});

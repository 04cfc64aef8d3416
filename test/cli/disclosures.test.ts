import { commandLine, parseTable, type CommandLine } from '../support/commandLine';
import { disclosuresOf, requestOf, type ListedDisclosure } from '../support/disclosures';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { addStaffMember } from '../support/staff';
import { seedGuardian } from '../support/seed/guardians';

let api: TestApi;
let cli: CommandLine;
let institution: TestInstitution;
let student: { id: string; login_email: string };

beforeAll(async () => {
  api = await startTestApi();
  cli = commandLine({ PLATFORM_URL: api.platformUrl, PLATFORM_TOKEN: api.settings.platformToken });
  institution = await api.institution();
  await api.api.domain.database.sql("UPDATE institutions SET time_zone = 'Asia/Kolkata' WHERE id = $1", [institution.id]);
});

afterAll(() => api.stop());

beforeEach(async () => {
  student = (await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Ada' } })).data;
});

const read = async (): Promise<string> => requestOf(await api.call('GET', `/students/${student.id}`, { key: institution.apiKey }));

/** What the command lists, of these requests alone: tests read to wait until others are on record. */
const listed = async (requests: readonly string[], ...words: string[]): Promise<ListedDisclosure[]> =>
  (await cli.json('disclosures', ...words)).items.filter(({ request_id }: ListedDisclosure) => requests.includes(request_id));

it('disclosures has of a person, by id or login email, the list that the institution has, with the names of keys and staff', async () => {
  const sam = await addStaffMember(api, 'support', 'Sam');
  await api.platform('GET', '/search', { key: sam.token, query: { q: student.id } });
  await read();
  const own = (await disclosuresOf(api, institution, student.id)).toReversed();
  expect(own.map(({ operation, actor }) => [operation, actor])).toEqual(expect.arrayContaining([['getStudent', { kind: 'key', id: institution.keyId, name: 'test' }], ['search', { kind: 'staff', id: sam.id, name: 'Sam' }]]));
  const requests = own.map(({ request_id }) => request_id);
  expect(await Promise.all([listed(requests, student.id), listed(requests, student.login_email.toUpperCase())])).toEqual([own, own]);
});

it('disclosures shows the times by the clocks of the school, and the parameters of each call without the texts', async () => {
  const byId = await read();
  const byEmail = requestOf(await api.call('GET', `/students/${student.login_email}`, { key: institution.apiKey }));
  await disclosuresOf(api, institution, student.id);
  const [head = [], ...rows] = parseTable(await cli.text('disclosures', student.id, '--by', institution.keyId, '--time-zone', 'school'));
  const cells = rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])));
  const rowOf = (request: string) => cells.find(({ request_id }) => request_id === request);
  const said = { at: expect.stringMatching(/\+05:30$/), 'actor.kind': 'key', 'actor.id': institution.keyId, 'actor.name': 'test', what: 'record', operation: 'getStudent' };
  expect([rowOf(byId), rowOf(byEmail)]).toMatchObject([{ ...said, query: `id=${student.id}` }, { ...said, query: 'id' }]);
});

it('disclosures narrows the list by reader and time, and has with --lists those of many people instead', async () => {
  const request = await read();
  const many = requestOf(await api.call('GET', '/students', { key: institution.apiKey }));
  await disclosuresOf(api, institution, student.id);
  const all = (...words: string[]): Promise<string[]> => listed([request, many], student.id, ...words).then((reads) => reads.map(({ request_id }) => request_id));
  expect(await Promise.all([all('--since', '1h'), all('--by', institution.keyId), all('--until', '1h'), all('--by', 'platform'), all('--lists')])).toEqual([[request], [request], [], [], [many]]);
});

it('disclosures is for people of any kind', async () => {
  const link = await seedGuardian(api, institution, student.id, 'augusta@mail.example');
  const [{ guardian_id: guardian } = { guardian_id: '' }] = await api.api.domain.database.sql<{ guardian_id: string }>('SELECT guardian_id FROM guardian_links WHERE id = $1', [link]);
  expect(await Promise.all([guardian, institution.adminId].map((id) => listed([], id)))).toEqual([[], []]);
});

it('disclosures of what is nobody, and by the role support, ends with an error', async () => {
  expect(await cli.run('disclosures', `nobody@${institution.loginDomain}`)).toMatchObject({ code: 2, err: 'usage: No person of an institution has this id or login email.\n' });
  expect(await cli.run('disclosures', institution.keyId)).toMatchObject({ code: 1, err: expect.stringMatching(/^not_found: No such person in this institution\. It is named by id \(stu_…, fac_…, usr_… or dev_…\) or login email\. \(req_\w+\)\n$/) });
  const { token } = await addStaffMember(api, 'support');
  const support = commandLine({ PLATFORM_URL: api.platformUrl, PLATFORM_TOKEN: token });
  expect(await support.run('disclosures', student.id)).toMatchObject({ code: 1, err: expect.stringMatching(/^forbidden: /) });
  const other = await api.institution();
  expect((await api.platform('GET', `/institutions/${other.id}/people/${student.id}/disclosures`)).status).toBe(404);
});

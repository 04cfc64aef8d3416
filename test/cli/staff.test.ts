import { startTestApi, type TestApi } from '../support/api';
import { commandLine, parseCard, parseTable, type CommandLine } from '../support/commandLine';
import { addStaffMember } from '../support/staff';

let api: TestApi;
let cli: CommandLine;

beforeAll(async () => {
  api = await startTestApi();
  cli = commandLine({ PLATFORM_URL: api.platformUrl, PLATFORM_TOKEN: api.settings.platformToken });
});

afterAll(() => api.stop());

const asPerson = (token: string): CommandLine => commandLine({ PLATFORM_URL: api.platformUrl, PLATFORM_TOKEN: token });

it('people are added, listed, shown, changed and revoked, by their id or their email', async () => {
  const person = await cli.json('staff', 'add', '--name', 'Ada Ops', '--email', 'Ada@platform.example', '--role', 'support');
  expect(person).toMatchObject({ name: 'Ada Ops', email: 'ada@platform.example', role: 'support', status: 'active', created_by: 'platform' });
  expect(await cli.json('staff', 'show', person.id)).toEqual(person);
  expect(parseCard(await cli.text('staff', 'show', 'ADA@platform.example'))).toMatchObject({ id: person.id, role: 'support' });
  expect(await cli.json('staff', 'update', 'ada@platform.example', '--role', 'operator')).toEqual({ ...person, role: 'operator' });
  const [head, row] = parseTable(await cli.text('staff', 'list', '--limit', '1'));
  expect(head).toEqual(['id', 'name', 'email', 'role', 'status', 'signs_in_with', 'created_at']);
  expect(row?.slice(0, 5)).toEqual([person.id, 'Ada Ops', 'ada@platform.example', 'operator', 'active']);
  expect(await cli.text('staff', 'revoke', 'ada@platform.example')).toBe(`${person.id} is revoked.\n`);
  expect(await cli.json('staff', 'show', person.id)).toMatchObject({ status: 'revoked' });
});

it('a personal token is created, shown once, listed without itself, and revoked', async () => {
  const sam = await addStaffMember(api);
  const created = await cli.run('staff', 'tokens', 'create', sam.email, '--name', 'Laptop', '--days', '1', '--json');
  expect([created.code, created.err]).toEqual([0, 'The token is shown this once: keep it now.\n']);
  const { id, staff_token: token } = JSON.parse(created.out);
  expect((await asPerson(token).json('institutions', 'list')).items).toEqual([]);
  const listed = await cli.run('staff', 'tokens', 'list', sam.id);
  expect(listed.out).not.toContain(token);
  expect(parseTable(listed.out)[1]?.slice(0, 4)).toEqual([id, 'Laptop', 'active', token.slice(-4)]);
  expect(await cli.text('staff', 'tokens', 'revoke', sam.id, id)).toBe(`${id} is revoked.\n`);
  expect(await asPerson(token).run('institutions', 'list')).toMatchObject({ code: 1, err: expect.stringMatching(/^unauthorized: /) });
});

it('what was done with the staff is in the audit log of no institution', async () => {
  const sam = await addStaffMember(api, 'operator', 'Olga');
  const { id } = await asPerson(sam.token).json('staff', 'add', '--name', 'Ben', '--email', 'ben@platform.example', '--role', 'support');
  expect((await cli.json('audit', '--target', id)).items).toMatchObject([{ operation: 'addStaff', actor: { kind: 'staff', id: sam.id, name: 'Olga' }, changed: ['name', 'email', 'role'] }]);
});

it('an email that nobody has, an update of nothing and an unknown command in the group are wrong usage', async () => {
  expect(await cli.run('staff', 'show', 'nobody@platform.example')).toEqual({ code: 2, out: '', err: 'usage: Nobody of the staff has this email.\n' });
  expect(await cli.run('staff', 'update', 'stf_1')).toMatchObject({ code: 2, err: 'usage: Give --name, --email or --role.\n' });
  expect(await cli.run('staff', 'tokens', 'lsit')).toMatchObject({ code: 2, err: expect.stringContaining("unknown command 'lsit' of 'institution staff tokens' (did you mean list?); there are list, create, revoke") });
});

it('the role support learns who it is, and has its own tokens by its email, by its id and without either', async () => {
  const sam = await addStaffMember(api);
  const own = asPerson(sam.token);
  expect(await own.json('staff', 'whoami')).toMatchObject({ id: sam.id, name: sam.name, email: sam.email, role: 'support' });
  for (const named of [[sam.email.toUpperCase()], [sam.id], []]) {
    const created = await own.json('staff', 'tokens', 'create', ...named, '--name', 'Next');
    expect(created).toMatchObject({ staff_id: sam.id, created_by: sam.id });
    expect((await own.json('staff', 'tokens', 'list', ...named)).items).toContainEqual(expect.objectContaining({ id: created.id, staff_id: sam.id }));
  }
  expect(await own.text('staff', 'tokens', 'revoke', sam.email, sam.tokenId)).toBe(`${sam.tokenId} is revoked.\n`);
});

it('the email of somebody else is forbidden to the role support, and the platform token is nobody', async () => {
  const [sam, ben] = [await addStaffMember(api), await addStaffMember(api)];
  for (const command of [['tokens', 'list', ben.email], ['tokens', 'create', ben.email, '--name', 'x'], ['tokens', 'list', 'nobody@platform.example']]) {
    expect(await asPerson(sam.token).run('staff', ...command)).toMatchObject({ code: 1, err: expect.stringMatching(/^forbidden: /) });
  }
  expect(await cli.run('staff', 'whoami')).toMatchObject({ code: 1, err: expect.stringMatching(/^not_found: The platform token belongs to no person/) });
});

it('the message to the role support that asks for the audit log without an institution says to name one', async () => {
  const sam = await addStaffMember(api);
  expect(await asPerson(sam.token).run('audit', '--target', 'we_01jd4k6f2mep2s5xg5yhc8m1zr')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^forbidden: .* This is about the writes that belong to no institution: name one first for its own, as in: institution audit "North School" --since 24h \(req_\w+\)\n$/),
  });
});

it('the role support has none of it but its own tokens', async () => {
  const sam = await addStaffMember(api);
  const own = asPerson(sam.token);
  expect(await own.run('staff', 'list')).toMatchObject({ code: 1, err: expect.stringMatching(/^forbidden: /) });
  expect((await own.json('staff', 'tokens', 'list', sam.id)).items).toMatchObject([{ id: sam.tokenId }]);
});

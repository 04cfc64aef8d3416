import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlock, requirePython, writePrograms, type ProgramFolder } from '../support/documents';
import { workflowFixture } from '../support/workflowFixture';

const { api, institution, call } = workflowFixture();

let programs: ProgramFolder;

beforeAll(() => {
  requirePython();
  programs = writePrograms('docs/coming-from.md', ['users.csv', 'oneroster.py', 'classes.csv', 'enrollments.csv', 'classes.py']);
});

afterAll(() => programs.remove());

const [header = ''] = codeBlock('docs/coming-from.md', 'users.csv').split('\n');

const sync = (variables: Record<string, string> = {}): Promise<string> =>
  programs.run('oneroster.py', { environment: { BASE_URL: api.baseUrl, API_KEY: institution.apiKey, ...variables } });

/** A line of a student. */
const line = (sourcedId: string, { status = 'active', enabled = 'true', org = 'org-1', name = 'Ada' } = {}): string =>
  `${sourcedId},${status},2026-08-20T00:00:00Z,${enabled},${org},student,${sourcedId},${name},Lovelace,,07`;

const studentIds = async (): Promise<string[]> => (await call('GET', '/students')).data.items.map(({ student_id }: { student_id: string }) => student_id).sort();

it('docs/coming-from.md oneroster.py creates the current students of a users.csv, and nobody twice', async () => {
  programs.write('users.csv', codeBlock('docs/coming-from.md', 'users.csv'));
  expect(await sync()).toMatch(/^u-1 student1\.\S+@\S+\nu-2 student2\.\S+@\S+\n2 created, 0 failed, 0 known before, 2 left out\n$/);
  expect(await sync()).toBe('0 created, 0 failed, 2 known before, 2 left out\n');
  const { data } = await call('GET', '/students');
  expect(data.items.map((student: { student_id: string; full_name: string }) => [student.student_id, student.full_name]).sort()).toEqual([
    ['u-1', 'Ada Lovelace'],
    ['u-2', 'Alan Turing'],
  ]);
});

it('docs/coming-from.md oneroster.py names the students that are refused, creates the others, and ends with an error', async () => {
  const refused = 'u-8,active,2026-08-20T00:00:00Z,true,org-1,student,eight,Katherine,Johnson,not-an-address,07\n';
  programs.write('users.csv', codeBlock('docs/coming-from.md', 'users.csv') + refused);
  await expect(sync()).rejects.toThrow(/u-8 validation_error: [\s\S]*2 created, 1 failed, 0 known before, 2 left out/);
});

it('docs/coming-from.md oneroster.py creates a student whom an earlier run was refused, once the cause is gone', async () => {
  const { data: other } = await call('POST', '/students', { full_name: 'Mary Jackson', personal_email: 'shared@example.org' });
  programs.write('users.csv', `${header}\nu-9,active,2026-08-20T00:00:00Z,true,org-1,student,nine,Dorothy,Vaughan,shared@example.org,07\n`);
  for (const run of ['first', 'second']) expect([run, await sync().catch(String)]).toEqual([run, expect.stringMatching(/u-9 conflict: [\s\S]*0 created, 1 failed/)]);
  await call('PATCH', `/students/${other.id}`, { personal_email: 'mary@example.org' });
  expect(await sync()).toMatch(/^u-9 \S+@\S+\n1 created, 0 failed/);
  expect((await call('GET', '/students?student_id=u-9')).data.items).toHaveLength(1);
});

it('docs/coming-from.md oneroster.py reads a whole institution before it creates anybody', async () => {
  const users = Array.from({ length: 230 }, (_, nth) => `s-${nth},active,2026-08-20T00:00:00Z,true,org-1,student,s${nth},Student,${nth},,07`);
  programs.write('users.csv', [header, ...users, ''].join('\n'));
  expect(await sync()).toMatch(/\n230 created, 0 failed, 0 known before, 0 left out\n$/);
  expect(await sync()).toBe('0 created, 0 failed, 230 known before, 0 left out\n');
});

it('docs/coming-from.md oneroster.py creates one student of two lines with one sourcedId, and says so', async () => {
  programs.write('users.csv', [header, line('s-1'), line('s-1', { org: 'org-2' }), ''].join('\n'));
  expect(await sync()).toMatch(/^s-1 is there twice; the first line counts\ns-1 \S+@\S+\n1 created, 0 failed, 0 known before, 1 left out\n$/);
  expect(await studentIds()).toEqual(['s-1']);
});

it('docs/coming-from.md oneroster.py leaves out who is disabled or to be deleted, in whichever case a spreadsheet writes it', async () => {
  const leavers = [line('s-2', { enabled: 'FALSE' }), line('s-3', { status: 'ToBeDeleted' }), line('s-4', { enabled: ' false ' })];
  programs.write('users.csv', [header, line('s-1', { enabled: 'TRUE' }), ...leavers, ''].join('\n'));
  expect(await sync()).toMatch(/1 created, 0 failed, 0 known before, 3 left out\n$/);
  expect(await studentIds()).toEqual(['s-1']);
});

it.each([
  ['a quote that is not closed', [line('s-2', { name: '"Ada' }), line('s-3')], 'line 4: a quote is missing or too many, there or above; a field with commas begins and ends with one'],
  ['a comma outside of quotes', [line('s-2', { name: 'Lovelace, Ada' })], 'line 3: the first line has 11 fields, this one 12; a field with commas begins and ends with a quote'],
  ['a line with too few fields', ['s-2,active'], 'line 3: the first line has 11 fields, this one 2; a field with commas begins and ends with a quote'],
  ['a line without a sourcedId', [line('')], 'line 3: sourcedId is empty'],
  ['an enabledUser that is neither', [line('s-2', { enabled: 'FALSCH' })], 'line 3: enabledUser is FALSCH, neither true nor false'],
])('docs/coming-from.md oneroster.py refuses a file before it creates anybody: %s', async (_case, lines, message) => {
  programs.write('users.csv', [header, line('s-1'), ...lines, ''].join('\n'));
  await expect(sync()).rejects.toThrow(`ended with 1: users.csv, ${message}\n`);
  expect(await studentIds()).toEqual([]);
});

it('docs/coming-from.md oneroster.py refuses a file of another kind or encoding before it creates anybody', async () => {
  programs.write('users.csv', 'student_id;full_name\nS-1;Ada\n');
  await expect(sync()).rejects.toThrow('ended with 1: users.csv lacks the column sourcedId; it has student_id;full_name: separate columns with commas\n');
  programs.write('users.csv', `${header.replace(',role,', ',')}\n`);
  await expect(sync()).rejects.toThrow('; OneRoster 1.2 has it in roles.csv: join it by userSourcedId\n');
  writeFileSync(join(programs.folder, 'users.csv'), Buffer.from([header, line('s-1', { name: 'Jos\u00e9' }), ''].join('\n'), 'latin1'));
  await expect(sync()).rejects.toThrow('ended with 1: users.csv is not UTF-8: save it as CSV in UTF-8\n');
  rmSync(join(programs.folder, 'users.csv'));
  await expect(sync()).rejects.toThrow('ended with 1: users.csv cannot be read: ');
  expect(await studentIds()).toEqual([]);
});

it('docs/coming-from.md oneroster.py says what the service answers to a wrong key, and that an address is wrong', async () => {
  programs.write('users.csv', codeBlock('docs/coming-from.md', 'users.csv'));
  await expect(sync({ API_KEY: `${institution.apiKey}x` })).rejects.toThrow(/^oneroster\.py ended with 1: 401 \{"success":false,"error":"invalid_api_key",/);
  await expect(sync({ BASE_URL: api.baseUrl.replace(/\/v1$/, '') })).rejects.toThrow('ended with 1: BASE_URL is the address of the API and ends with /v1.\n');
  await expect(sync({ BASE_URL: 'http://127.0.0.1:9/v1' })).rejects.toThrow(/^oneroster\.py ended with 1: <urlopen error /);
});

describe('docs/coming-from.md classes.py', () => {
  const classes = (...args: string[]): Promise<string> => programs.run('classes.py', { args, environment: { BASE_URL: api.baseUrl, API_KEY: institution.apiKey } });
  const groups = async (): Promise<{ id: string; name: string; faculty_id: string; member_count: number }[]> => (await call('GET', '/groups')).data.items;
  const enrollment = (user: string, role = 'student', primary = ''): string => `e-${user},active,2026-08-20T00:00:00Z,c-1,org-1,${user},${role},${primary},,`;
  const [enrollmentsHeader = ''] = codeBlock('docs/coming-from.md', 'enrollments.csv').split('\n');

  beforeEach(async () => {
    for (const name of ['users.csv', 'classes.csv', 'enrollments.csv']) programs.write(name, codeBlock('docs/coming-from.md', name));
    for (const kept of ['groups.json', 'memberships.txt']) rmSync(join(programs.folder, kept), { force: true });
    await sync();
  });

  it('makes a group of each class with its teacher and students, and nothing twice', async () => {
    for (const _run of ['first', 'second']) expect(await classes()).toBe('1 groups, 1 teachers, 2 memberships, 0 students not found, 0 classes refused\n');
    const { data: teachers } = await call('GET', '/faculty?faculty_id=u-4');
    expect(teachers.items).toHaveLength(1);
    expect(await groups()).toMatchObject([{ name: 'Algebra 9b', faculty_id: teachers.items[0].id, member_count: 2 }]);
  });

  it('makes the members and the owner those of the file, the primary teacher before others, and names who is not there', async () => {
    await classes();
    const users = 'u-5,active,2026-08-20T00:00:00Z,true,org-1,teacher,jvn,John,Neumann,,\n';
    programs.write('users.csv', codeBlock('docs/coming-from.md', 'users.csv') + users);
    programs.write('enrollments.csv', [enrollmentsHeader, enrollment('u-2'), enrollment('u-9'), enrollment('u-4', 'teacher', 'false'), enrollment('u-5', 'teacher', 'true'), ''].join('\n'));
    expect(await classes()).toBe('u-9 of c-1 was not found: no student who is not suspended has this student_id\n1 groups, 1 teachers, 1 memberships, 1 students not found, 0 classes refused\n');
    const [owner] = (await call('GET', '/faculty?faculty_id=u-5')).data.items;
    const [member] = (await call('GET', '/students?student_id=u-2')).data.items;
    const [group] = await groups();
    expect([group?.faculty_id, group?.member_count]).toEqual([owner.id, 1]);
    const { data } = await call('GET', `/groups/${group?.id ?? ''}`);
    expect(data.members.map(({ id }: { id: string }) => id)).toEqual([member.id]);
  });

  it('changes nothing by a file that lacks more than a fifth of the students in classes, unless an option says that this is right', async () => {
    const write = (lines: readonly string[]): void => programs.write('enrollments.csv', [enrollmentsHeader, enrollment('u-4', 'teacher', 'true'), ...lines, ''].join('\n'));
    const five = ['u-1', 'u-2', 'u-91', 'u-92', 'u-93'].map((user) => enrollment(user));
    write(five);
    await classes();
    write(five.slice(2));
    await expect(classes()).rejects.toThrow('classes.py ended with 1: enrollments.csv has 3 students in classes, and had 5 the last time: no group was changed; if that is right, run with --many-leavers\n');
    expect(await groups()).toMatchObject([{ member_count: 2 }]);
    expect(await classes('--many-leavers')).toContain('1 groups, 1 teachers, 0 memberships, 3 students not found, 0 classes refused\n');
    expect(await groups()).toMatchObject([{ member_count: 0 }]);
    write(five.slice(0, 4));
    await classes();
    write(five.slice(0, 3));
    expect(await classes()).toContain(' 2 memberships');
  });

  it('makes another group of a class whose group was deleted, with the same members, and once', async () => {
    await classes();
    const [deleted] = await groups();
    await call('DELETE', `/groups/${deleted?.id ?? ''}`);
    expect(await classes()).toBe(`c-1: its group ${deleted?.id ?? ''} is gone, and it gets a new one\n1 groups, 1 teachers, 2 memberships, 0 students not found, 0 classes refused\n`);
    expect(await classes()).toBe('1 groups, 1 teachers, 2 memberships, 0 students not found, 0 classes refused\n');
    expect(await groups()).toMatchObject([{ name: 'Algebra 9b', member_count: 2 }]);
  });

  it('names the class that is refused, and goes on with the others', async () => {
    const [header = '', line = ''] = codeBlock('docs/coming-from.md', 'classes.csv').split('\n');
    programs.write('classes.csv', [header, line.replace('c-1', 'c-0').replace('Algebra 9b', 'A'.repeat(201)), line, ''].join('\n'));
    programs.write('enrollments.csv', `${codeBlock('docs/coming-from.md', 'enrollments.csv').trimEnd()}\n${enrollment('u-4', 'teacher').replace(',c-1,', ',c-0,')}\n`);
    await expect(classes()).rejects.toThrow(/^classes\.py ended with 2: c-0 of the teacher u-4 was refused: name .+\n1 groups, 1 teachers, 2 memberships, 0 students not found, 1 classes refused\n/);
    expect(await groups()).toMatchObject([{ name: 'Algebra 9b', member_count: 2 }]);
  });

  it.each(['users.csv', 'classes.csv', 'enrollments.csv'])('says which file is missing, and where it is to be, before it makes a group: %s', async (name) => {
    rmSync(join(programs.folder, name));
    await expect(classes()).rejects.toThrow(`classes.py ended with 1: ${name} is not in this folder: put users.csv, classes.csv and enrollments.csv of one export there.\n`);
    expect(await groups()).toEqual([]);
  });

  it('names a class without a teacher and ends with 2, and says what the service answers to what it refuses', async () => {
    programs.write('enrollments.csv', [enrollmentsHeader, enrollment('u-1'), ''].join('\n'));
    await expect(classes()).rejects.toThrow('classes.py ended with 2: c-1 has no teacher in users.csv and is left out\n0 groups, 0 teachers, 0 memberships, 0 students not found, 0 classes refused\n');
    programs.write('classes.csv', codeBlock('docs/coming-from.md', 'classes.csv').replace('Algebra 9b', 'A'.repeat(201)));
    programs.write('enrollments.csv', codeBlock('docs/coming-from.md', 'enrollments.csv'));
    await expect(classes()).rejects.toThrow(/^classes\.py ended with 2: c-1 of the teacher u-4 was refused: name must be at most 200 characters\n0 groups, /);
  });
});

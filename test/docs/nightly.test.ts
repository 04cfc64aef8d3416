import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installClient, type ClientProject } from '../support/clientPackage';
import { codeBlock, requirePython, writePrograms, type ProgramFolder } from '../support/documents';
import { putRosterSync } from '../support/rosterSync';
import { respondsWith, startStubServer, succeeds } from '../support/stubServer';
import { workflowFixture } from '../support/workflowFixture';

const { api, institution, call, sql } = workflowFixture();
const document = 'docs/coming-from.md';
const files = ['users.csv', 'classes.csv', 'enrollments.csv'];

let client: ClientProject;
let programs: ProgramFolder;

beforeAll(async () => {
  requirePython();
  client = await installClient();
});

afterAll(() => client.remove());

beforeEach(() => {
  programs = writePrograms(document, ['oneroster.py', 'classes.py', 'nightly.py', 'clever.py', 'canvas.py', 'roles.py']);
  putRosterSync(client, programs.folder);
});

afterEach(() => programs.remove());

const writeExport = (): void => {
  for (const name of files) programs.write(name, codeBlock(document, name));
};

const run = (name: string, variables: Record<string, string> = {}, args: readonly string[] = []): Promise<string> =>
  programs.run(name, { args, environment: { BASE_URL: api.baseUrl, API_KEY: institution.apiKey, ...variables } });

const students = async (): Promise<string[][]> =>
  (await call('GET', '/students')).data.items.map(({ student_id, full_name, status }: Record<string, string>) => [student_id, full_name, status]).sort();

/** Each group with the student_id of its members, and the faculty_id of its owner. */
async function groups(): Promise<unknown[]> {
  const { data } = await call('GET', '/groups');
  const everybody: { id: string; student_id: string }[] = (await call('GET', '/students')).data.items;
  return Promise.all(data.items.map(async ({ id, name, faculty_id }: Record<string, string>) => {
    const { members } = (await call('GET', `/groups/${id ?? ''}`)).data;
    const { faculty_id: owner } = (await call('GET', `/faculty/${faculty_id ?? ''}`)).data;
    return [name, owner, members.map((member: { id: string }) => everybody.find((one) => one.id === member.id)?.student_id).sort()];
  }));
}

const ofSample = [['u-1', 'Ada Lovelace', 'pending'], ['u-2', 'Alan Turing', 'pending']];

/** Each program with its name in the folder, and what it says of a line that was cut off. */
const nightly = [
  ['nightly.py', 'nightly.py', 'users.csv, line 6: the first line has 11 fields, this one 2'],
  ['nightly.ts of the roster sync', 'nightly.js', 'users.csv: Invalid Record Length: columns length is 11, got 2 on line 6; a field with commas begins and ends with a quote'],
] as const;

describe.each(nightly)('docs/coming-from.md %s', (_name, file, ofCutLine) => {
  it('makes students, teachers and groups those of the export, and nothing twice', async () => {
    writeExport();
    expect(await run(file)).toMatch(/2 students in the roster, 0 failures: [^\n]*\n1 groups, 1 teachers, 2 memberships, 0 students not found, 0 classes refused\n$/);
    expect(await run(file)).toMatch(/0 created[^\n]*\n1 groups, 1 teachers, 2 memberships, 0 students not found, 0 classes refused\n$/);
    expect([await students(), await groups()]).toEqual([ofSample, [['Algebra 9b', 'u-4', ['u-1', 'u-2']]]]);
  });

  it('renames who has another name, suspends who has left, and takes them out of the group', async () => {
    writeExport();
    await run(file);
    programs.write('users.csv', codeBlock(document, 'users.csv').replace('Ada,Lovelace', 'Augusta,King').replace('u-2,active', 'u-2,tobedeleted'));
    expect(await run(file)).toContain('u-2 of c-1 was not found');
    expect([await students(), await groups()]).toEqual([[['u-1', 'Augusta King', 'pending'], ['u-2', 'Alan Turing', 'suspended']], [['Algebra 9b', 'u-4', ['u-1']]]]);
  });

  it('goes on after a student whom the service refuses, and ends with 2', async () => {
    writeExport();
    programs.write('users.csv', codeBlock(document, 'users.csv').replace('alovelace@example.org', 'no-address'));
    await expect(run(file)).rejects.toThrow(new RegExp(`^${file} ended with 2: [^]*u-1[^]*1 groups, 1 teachers, 1 memberships, 1 students not found, 0 classes refused\n$`));
    expect(await students()).toEqual([['u-2', 'Alan Turing', 'pending']]);
  });

  it('refuses a file with a line of another length before anything is done, and ends with 75 where nothing answers', async () => {
    writeExport();
    programs.write('users.csv', `${codeBlock(document, 'users.csv')}u-5,active\n`);
    await expect(run(file)).rejects.toThrow(`${file} ended with 1: ${ofCutLine}`);
    writeExport();
    const server = await startStubServer([respondsWith(503, { success: false, error: 'unavailable', message: 'Later.' }, { 'retry-after': '0' })]);
    await expect(run(file, { BASE_URL: server.baseUrl })).rejects.toThrow(new RegExp(`^${file} ended with 75: `));
    await server.close();
    expect(await students()).toEqual([]);
  });

  it('does nothing about classes where the students are not synced: a wrong key, a cut users.csv', async () => {
    writeExport();
    await expect(run(file, { API_KEY: `${institution.apiKey}x` })).rejects.toThrow(/ ended with 1: (?!(\n|.)*classes)/);
    const header = codeBlock(document, 'users.csv').split('\n')[0] ?? '';
    const line = (nth: number): string => `x-${nth},active,,true,org-1,student,x,X,${nth},,\n`;
    programs.write('users.csv', `${header}\n${[1, 2, 3, 4, 5].map(line).join('')}`);
    programs.write('classes.csv', codeBlock(document, 'classes.csv').split('\n')[0] ?? '');
    await run(file);
    writeExport();
    programs.write('users.csv', `${codeBlock(document, 'users.csv')}${line(1)}`);
    await expect(run(file)).rejects.toThrow(/ ended with 1: (?!(\n|.)*classes)[\s\S]*4 of 5 students are not in the roster/);
    expect(await groups()).toEqual([]);
  });

  it('renames a teacher, goes on where that is not allowed, and names whom it suspends', async () => {
    writeExport();
    await run(file);
    programs.write('users.csv', codeBlock(document, 'users.csv').replace('Grace,Hopper', 'Grace,Murray').replace('u-2,active', 'u-2,tobedeleted'));
    const output = await run(file);
    expect(output).toContain('u-4 was renamed\n');
    expect(output).toContain('u-2 was suspended\n');
    expect((await call('GET', '/faculty?faculty_id=u-4')).data.items).toMatchObject([{ full_name: 'Grace Murray' }]);
    expect(await run(file)).not.toContain('renamed\n');
    await call('PATCH', `/faculty/${(await call('GET', '/faculty?faculty_id=u-4')).data.items[0].id}`, { faculty_id: 'u-5' });
    await sql('UPDATE users SET external_id = $2 WHERE id = $1', [institution.adminId, 'u-4']);
    expect(await run(file)).toMatch(/^u-4 was not renamed: [^\n]+\n(?:.*\n)*1 groups, 1 teachers, 1 memberships, 1 students not found, 0 classes refused\n$/m);
  });

  it('gives a class whose group was deleted another group, once', async () => {
    writeExport();
    await run(file);
    const [deleted] = (await call('GET', '/groups')).data.items;
    await call('DELETE', `/groups/${deleted.id}`);
    expect(await run(file)).toContain(`c-1: its group ${deleted.id} is gone, and it gets a new one\n1 groups, 1 teachers, 2 memberships`);
    expect(await run(file)).not.toContain('is gone');
    expect(await groups()).toEqual([['Algebra 9b', 'u-4', ['u-1', 'u-2']]]);
  });

  it('names a class that is refused and one without a teacher, and goes on with the others', async () => {
    writeExport();
    const [header = '', line = ''] = codeBlock(document, 'classes.csv').split('\n');
    const [, , , teacher = ''] = codeBlock(document, 'enrollments.csv').split('\n');
    programs.write('classes.csv', [header, line.replace('c-1', 'c-0').replace('Algebra 9b', 'A'.repeat(201)), line.replace('c-1', 'c-2'), line, ''].join('\n'));
    programs.write('enrollments.csv', `${codeBlock(document, 'enrollments.csv')}${teacher.replace('c-1', 'c-0')}\n`);
    await expect(run(file)).rejects.toThrow(/ ended with 2: [\s\S]*c-0 of the teacher u-4 was refused: .*at most 200 characters.*\nc-2 has no teacher in users.csv and is left out\n1 groups, 1 teachers, 2 memberships, 0 students not found, 1 classes refused\n$/);
    expect(await groups()).toEqual([['Algebra 9b', 'u-4', ['u-1', 'u-2']]]);
  });

  it('ends with 2 where a class has no teacher and all else is done, and leaves a group that the class has as it is', async () => {
    writeExport();
    const [header = '', line = ''] = codeBlock(document, 'classes.csv').split('\n');
    programs.write('classes.csv', [header, line, line.replace('c-1', 'c-2'), ''].join('\n'));
    await expect(run(file)).rejects.toThrow(/ ended with 2: [\s\S]*c-2 has no teacher in users.csv and is left out\n1 groups, 1 teachers, 2 memberships, 0 students not found, 0 classes refused\n$/);
    programs.write('enrollments.csv', codeBlock(document, 'enrollments.csv').replace(/^e-[13],.*\n/gm, ''));
    await expect(run(file)).rejects.toThrow(/ ended with 2: [\s\S]*c-1 has no teacher in users.csv and is left out\n/);
    expect(await groups()).toEqual([['Algebra 9b', 'u-4', ['u-1', 'u-2']]]);
  });

  it('changes no group by a file that lacks more than a fifth of the students in classes, unless an option says that this is right', async () => {
    writeExport();
    const enrollments = codeBlock(document, 'enrollments.csv');
    const nobody = ['u-91', 'u-92', 'u-93'].map((user) => `e,active,,c-1,org-1,${user},student,,,\n`);
    programs.write('enrollments.csv', enrollments + nobody.join(''));
    await run(file);
    programs.write('enrollments.csv', enrollments.replace(/^e-1,.*\n/m, ''));
    await expect(run(file)).rejects.toThrow(/ ended with 1: [\s\S]*enrollments\.csv has 1 students in classes, and had 5 the last time: no group was changed; if that is right, run with --many-leavers\n/);
    expect(await groups()).toEqual([['Algebra 9b', 'u-4', ['u-1', 'u-2']]]);
    await run(file, {}, ['--many-leavers']);
    expect(await groups()).toEqual([['Algebra 9b', 'u-4', ['u-2']]]);
  });

  it('shows by --dry-run whom a run would create, rename and suspend by tonight\'s users.csv, and changes nothing', async () => {
    writeExport();
    const dryRun = () => run(file, {}, ['--dry-run']);
    const end = 'Teachers and classes were not compared: a dry run is about students alone.\n';
    expect(await dryRun()).toBe(`u-1 would be created\nu-2 would be created\n2 students in the roster, nothing was changed: 2 would be created, 0 would be renamed, 0 would be suspended, 0 would be reactivated, 0 groups would be created or changed\n${end}`);
    expect(await students()).toEqual([]);
    await run(file);
    programs.write('users.csv', codeBlock(document, 'users.csv').replace('Ada,Lovelace', 'Augusta,King').replace('u-2,active', 'u-2,tobedeleted'));
    expect(await dryRun()).toMatch(new RegExp(`^u-2 would be suspended\nu-1 would be renamed\n1 students [^\n]*\n${end}$`));
    expect([await students(), await groups()]).toEqual([ofSample, [['Algebra 9b', 'u-4', ['u-1', 'u-2']]]]);
  });

  it('refuses an option that it does not know before anything is done', async () => {
    writeExport();
    await expect(run(file, {}, ['--dryrun'])).rejects.toThrow(`${file} ended with 1: --dryrun is not known: the arguments are --dry-run and --many-leavers\n`);
    await expect(run('classes.py', {}, ['--dry-run'])).rejects.toThrow('classes.py ended with 1: --dry-run is not known: the only argument is --many-leavers\n');
    expect(await students()).toEqual([]);
  });

  it('refuses a file that is missing, of another encoding or without a column, before anything is done', async () => {
    writeExport();
    programs.write('users.csv', codeBlock(document, 'users.csv').replace(',role,', ',part,'));
    await expect(run(file)).rejects.toThrow(/ ended with 1: users\.csv lacks the column role; .*OneRoster 1\.2 has it in roles\.csv/);
    writeFileSync(join(programs.folder, 'users.csv'), Buffer.from(codeBlock(document, 'users.csv').replace('Ada', 'Zo\u00eb'), 'latin1'));
    await expect(run(file)).rejects.toThrow(/ ended with 1: users\.csv is not UTF-8/);
    rmSync(join(programs.folder, 'users.csv'));
    await expect(run(file)).rejects.toThrow(/ ended with 1: users\.csv /);
    expect(await students()).toEqual([]);
  });
});

it('docs/coming-from.md classes.py waits as long as a 429 asks for, and ends with 75 after a 5xx', async () => {
  writeExport();
  programs.write('enrollments.csv', codeBlock(document, 'enrollments.csv').split('\n')[0] ?? '');
  const refused = respondsWith(429, { success: false, error: 'rate_limited', message: 'Wait.' }, { 'retry-after': '0' });
  const limited = await startStubServer([refused, succeeds({ items: [], next_cursor: null })]);
  await expect(run('classes.py', { BASE_URL: limited.baseUrl })).rejects.toThrow(/ ended with 2: c-1 has no teacher in users.csv and is left out\n0 groups, 0 teachers/);
  const broken = await startStubServer([respondsWith(500, { success: false })]);
  await expect(run('classes.py', { BASE_URL: broken.baseUrl })).rejects.toThrow(/^classes\.py ended with 75: HTTP Error 500/);
  await Promise.all([limited.close(), broken.close()]);
});

describe('docs/coming-from.md roles.py', () => {
  /** The sample of OneRoster 1.1 without its roles, as 1.2 has it. */
  const writeWithoutRoles = (): void => {
    writeExport();
    programs.write('users.csv', codeBlock(document, 'users.csv').replace(',role,', ',').replace(/(org-1),\w+,/g, '$1,'));
    programs.write('roles.csv', codeBlock(document, 'roles.csv'));
  };

  it.each(nightly)('gives users.csv the primary role of each user, before %s', async (_name, file) => {
    writeWithoutRoles();
    await expect(run(file)).rejects.toThrow('users.csv lacks the column role');
    for (const _time of ['first', 'second']) await run('roles.py');
    await run(file);
    expect([await students(), await groups()]).toEqual([ofSample, [['Algebra 9b', 'u-4', ['u-1', 'u-2']]]]);
  });

  it('leaves users.csv as it is by a file that was cut off, lacks a column, has no lines or is not there', async () => {
    writeWithoutRoles();
    const [header = ''] = codeBlock(document, 'roles.csv').split('\n');
    const withoutRoles = readFileSync(join(programs.folder, 'users.csv'), 'utf8');
    for (const [content, message] of [
      [`${codeBlock(document, 'roles.csv')}r-5,active\n`, 'roles.csv, record 6: it has other fields than the first line'],
      [header.replace('roleType', 'type'), 'roles.csv lacks the column roleType'],
      [header, 'users.csv or roles.csv has no lines'],
    ] as const) {
      programs.write('roles.csv', content);
      await expect(run('roles.py')).rejects.toThrow(`roles.py ended with 1: ${message}`);
    }
    rmSync(join(programs.folder, 'roles.csv'));
    await expect(run('roles.py')).rejects.toThrow('roles.py ended with 1: roles.csv cannot be read: No such file or directory');
    expect(readFileSync(join(programs.folder, 'users.csv'), 'utf8')).toBe(withoutRoles);
  });
});

describe('docs/coming-from.md clever.py', () => {
  const user = (role: string, id: string, sis_id: string, [first, last]: [string, string]) => ({ data: { id, name: { first, last }, roles: { [role]: { sis_id } } } });
  const page = (data: object[], next?: string) => respondsWith(200, { data, links: [{ rel: 'self', uri: '/' }, ...(next === undefined ? [] : [{ rel: 'next', uri: next }])] });

  it('writes the files that nightly.py reads, of every page of Clever', async () => {
    const clever = await startStubServer([
      page([user('student', 'c1', 'u-1', ['Ada', 'Lovelace'])], '/v3.0/users?role=student&limit=1000&starting_after=c1'),
      page([user('student', 'c2', 'u-2', ['Alan', 'Turing'])]),
      page([user('teacher', 'c4', 'u-4', ['Grace', 'Hopper']), user('teacher', 'c5', 'u-5', ['John', 'Neumann'])]),
      page([{ data: { id: 's1', name: 'Algebra 9b', students: ['c1', 'c2', 'hidden'], teacher: 'c4', teachers: ['c5', 'c4'] } }]),
    ]);
    await run('clever.py', { CLEVER_URL: new URL(clever.baseUrl).origin, CLEVER_TOKEN: 'district' });
    expect(clever.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      '/v3.0/users?role=student&limit=1000', '/v3.0/users?role=student&limit=1000&starting_after=c1', '/v3.0/users?role=teacher&limit=1000', '/v3.0/sections?limit=1000',
    ].map((url) => [url, 'Bearer district']));
    await clever.close();
    await run('nightly.py');
    expect([await students(), await groups()]).toEqual([ofSample, [['Algebra 9b', 'u-4', ['u-1', 'u-2']]]]);
  });

  it('leaves the files as they are when Clever refuses, or a student has no sis_id', async () => {
    writeExport();
    const refuses = await startStubServer([page([]), respondsWith(401, {})]);
    await expect(run('clever.py', { CLEVER_URL: new URL(refuses.baseUrl).origin, CLEVER_TOKEN: 'x' })).rejects.toThrow('clever.py ended with 1: Clever: HTTP Error 401');
    const lacks = await startStubServer([page([user('student', 'c1', '', ['Ada', 'Lovelace'])])]);
    await expect(run('clever.py', { CLEVER_URL: new URL(lacks.baseUrl).origin, CLEVER_TOKEN: 'x' })).rejects.toThrow('clever.py ended with 1: The student c1 has no sis_id.');
    await Promise.all([refuses.close(), lacks.close()]);
    await run('nightly.py');
    expect(await students()).toEqual(ofSample);
  });
});

describe('docs/coming-from.md canvas.py', () => {
  const write = (name: string, ...lines: string[]): void => writeFileSync(join(programs.folder, 'canvas', name), `${lines.join('\n')}\n`);

  beforeEach(() => {
    mkdirSync(join(programs.folder, 'canvas'));
    write('users.csv', 'user_id,login_id,first_name,last_name,email,status', 'u-1,ada,Ada,Lovelace,,active', 'u-2,alan,Alan,Turing,,active', 'u-3,gone,Gone,Student,,deleted', 'u-4,grace,Grace,Hopper,,active', 'u-6,idle,Idle,Student,,active');
    write('courses.csv', 'course_id,short_name,long_name,status', 'co-1,Alg,Algebra,active', 'co-2,Chess,Chess club,active');
    write('sections.csv', 'section_id,course_id,name,status', 'c-1,co-1,Algebra 9b,active');
    write('enrollments.csv', 'course_id,user_id,role,section_id,status', 'co-1,u-1,student,c-1,active', 'co-1,u-2,student,c-1,active', 'co-1,u-4,teacher,c-1,active', 'co-2,u-2,student,,active', 'co-2,u-1,ta,,active', 'co-2,u-4,teacher,,active', 'co-2,u-6,student,,completed');
  });

  it('writes the files that nightly.py reads, of sections and of courses without one', async () => {
    await run('canvas.py');
    await run('nightly.py');
    expect([await students(), (await groups()).sort()]).toEqual([ofSample, [['Algebra 9b', 'u-4', ['u-1', 'u-2']], ['Chess club', 'u-4', ['u-2']]]]);
  });

  it('refuses a record with other fields than the first line, and a file that is not there', async () => {
    write('users.csv', 'user_id,first_name,last_name,email,status', 'u-1,Lovelace, Ada,Lovelace,,active');
    await expect(run('canvas.py')).rejects.toThrow('canvas.py ended with 1: canvas/users.csv, record 2: it has other fields than the first line');
    rmSync(join(programs.folder, 'canvas/users.csv'));
    await expect(run('canvas.py')).rejects.toThrow('canvas.py ended with 1: canvas/users.csv cannot be read: No such file or directory');
  });
});

import { codeBlock, requirePython, writePrograms, type ProgramFolder } from '../support/documents';
import { workflowFixture } from '../support/workflowFixture';

const { api, institution, call } = workflowFixture();

let programs: ProgramFolder;

beforeAll(() => {
  requirePython();
  programs = writePrograms('docs/coming-from.md', ['users.csv', 'oneroster.py']);
});

afterAll(() => programs.remove());

const sync = (): Promise<string> => programs.run('oneroster.py', { environment: { BASE_URL: api.baseUrl, API_KEY: institution.apiKey } });

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
  const [header = ''] = codeBlock('docs/coming-from.md', 'users.csv').split('\n');
  programs.write('users.csv', `${header}\nu-9,active,2026-08-20T00:00:00Z,true,org-1,student,nine,Dorothy,Vaughan,shared@example.org,07\n`);
  for (const run of ['first', 'second']) expect([run, await sync().catch(String)]).toEqual([run, expect.stringMatching(/u-9 conflict: [\s\S]*0 created, 1 failed/)]);
  await call('PATCH', `/students/${other.id}`, { personal_email: 'mary@example.org' });
  expect(await sync()).toMatch(/^u-9 \S+@\S+\n1 created, 0 failed/);
  expect((await call('GET', '/students?student_id=u-9')).data.items).toHaveLength(1);
});

it('docs/coming-from.md oneroster.py reads a whole institution before it creates anybody', async () => {
  const users = Array.from({ length: 230 }, (_, nth) => `s-${nth},active,2026-08-20T00:00:00Z,true,org-1,student,s${nth},Student,${nth},,07`);
  const [header = ''] = codeBlock('docs/coming-from.md', 'users.csv').split('\n');
  programs.write('users.csv', [header, ...users, ''].join('\n'));
  expect(await sync()).toMatch(/\n230 created, 0 failed, 0 known before, 0 left out\n$/);
  expect(await sync()).toBe('0 created, 0 failed, 230 known before, 0 left out\n');
});

describe('docs/coming-from.md oneroster.py', () => {
  const [header = ''] = codeBlock('docs/coming-from.md', 'users.csv').split('\n');
  const line = (id: string, { status = 'active', enabled = 'true', name = 'One', more = '' } = {}): string => `${id},${status},,${enabled},org-1,student,${id},Test,${name},,07${more}`;
  const syncOf = (...lines: string[]): Promise<string> => {
    programs.write('users.csv', [header, ...lines, ''].join('\n'));
    return sync();
  };
  const createdOf = async (id: string): Promise<number> => (await call('GET', `/students?student_id=${id}`)).data.total;

  it('creates one student of an id that is there twice, and says so', async () => {
    expect(await syncOf(line('q-1'), line('q-1'))).toMatch(/^q-1 is there more than once: its first line counts\nq-1 \S+@\S+\n1 created, 0 failed, 0 known before, 1 left out\n$/);
    expect(await createdOf('q-1')).toBe(1);
  });

  it('leaves out who is disabled or deleted, however that is spelt', async () => {
    expect(await syncOf(line('q-2', { enabled: 'FALSE' }), line('q-3', { status: 'ToBeDeleted' }))).toBe('0 created, 0 failed, 0 known before, 2 left out\n');
  });

  it.each([
    ['a line with a field too many', [line('q-4'), line('q-5', { more: ',x' })], /users\.csv, line 3: it has 12 fields, the first line has 11: put a field with a comma in quotes/],
    ['a line with a field too few', [line('q-4'), 'q-5,active'], /users\.csv, line 3: it has 2 fields/],
    ['a quote that does not end', [line('q-4'), line('q-5', { name: '"One' }), line('q-6')], /users\.csv, after line \d: unexpected end of data; it must be CSV in UTF-8/],
  ])('creates nobody from a file with %s, and names the line', async (_what, lines, said) => {
    await expect(syncOf(...lines)).rejects.toThrow(said);
    expect(await createdOf('q-4')).toBe(0);
  });

  it('creates nobody from a file without one of its columns, and names it', async () => {
    programs.write('users.csv', 'id,name\n1,Ada\n');
    await expect(sync()).rejects.toThrow('users.csv lacks the column sourcedId');
  });

  it('says of a key that is refused what the service says', async () => {
    programs.write('users.csv', `${header}\n`);
    await expect(programs.run('oneroster.py', { environment: { BASE_URL: api.baseUrl, API_KEY: 'svc_live_wrong' } })).rejects.toThrow(/401 .*invalid_api_key/);
  });
});

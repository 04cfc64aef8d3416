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

// Every night from the three files of OneRoster: node nightly.ts, with BASE_URL and API_KEY. docs/coming-from.md explains it.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InstitutionClient, InstitutionError } from '@institution/client';
import { CsvError, parse } from 'csv-parse/sync';

type Line<Column extends string> = Record<Column, string>;
type User = Line<'sourcedId' | 'status' | 'enabledUser' | 'role' | 'givenName' | 'familyName' | 'email'>;
type Class = Line<'sourcedId' | 'status' | 'title'>;
type Enrollment = Line<'status' | 'classSourcedId' | 'userSourcedId' | 'role' | 'primary'>;

/** The program's status where the next try may succeed, and where some were refused or left out and all else is done; 1 is for what somebody has to correct first. */
const [runAgain, someRefused] = [75, 2];
/** Which group is which class, and how many students were in classes the last time: kept from night to night. */
const [knownPath, countedPath] = ['groups.json', 'memberships.txt'];

function refuse(message: string): never {
  console.error(message);
  process.exit(1);
}

const options = process.argv.slice(2);
const unknown = options.find((option) => !['--dry-run', '--many-leavers'].includes(option));
if (unknown !== undefined) refuse(`${unknown} is not known: the arguments are --dry-run and --many-leavers`);

const { API_KEY = '' } = process.env;
const BASE_URL = (process.env.BASE_URL ?? '').replace(/\/+$/, '');
if (API_KEY === '') refuse('Set API_KEY.');
if (!BASE_URL.endsWith('/v1')) refuse('BASE_URL is the address of the API and ends with /v1.');

function createClient(): InstitutionClient {
  try {
    return new InstitutionClient({ baseUrl: BASE_URL, apiKey: API_KEY });
  } catch (error) {
    return refuse(`Correct API_KEY and BASE_URL: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
const client = createClient();

function textOf(path: string): string {
  if (!existsSync(path)) refuse(`${path} is not in this folder: put users.csv, classes.csv and enrollments.csv of one export there.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch {
    return refuse(`${path} is not UTF-8: save it as CSV in UTF-8`);
  }
}

/** The lines of a file; refuses one that lacks a column, and one that was cut off. */
function read<Column extends string>(path: string, ...columns: Column[]): Line<Column>[] {
  const requireColumns = (given: string[]): string[] => {
    const missing = columns.find((column) => !given.includes(column));
    const hint = missing === 'role' ? '; OneRoster 1.2 has it in roles.csv: join it by userSourcedId' : '';
    if (missing !== undefined) refuse(`${path} lacks the column ${missing}; it has ${given.join(', ')}${given.length === 1 ? ': separate columns with commas' : hint}`);
    return given;
  };
  try {
    return parse<Line<Column>, Line<string>>(textOf(path), { bom: true, trim: true, skip_empty_lines: true, columns: requireColumns });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return refuse(`${path}: ${error.message}; a field with commas begins and ends with a quote`);
  }
}

const isCurrent = ({ status }: { status: string }): boolean => status.toLowerCase() !== 'tobedeleted';
const isRole = ({ role }: { role: string }, wanted: string): boolean => role.toLowerCase() === wanted;
const fullName = ({ givenName, familyName }: User): string => `${givenName} ${familyName}`;
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Writes the students who have not left as roster.csv, without a class. */
function writeRoster(users: readonly User[]): void {
  const roster = new Map<string, User>();
  for (const user of users) {
    if (user.sourcedId === '') refuse('users.csv has a line whose sourcedId is empty');
    // Excel writes FALSE.
    const enabled = user.enabledUser.toLowerCase();
    if (!['true', 'false', ''].includes(enabled)) refuse(`users.csv: enabledUser of ${user.sourcedId} is ${user.enabledUser}, neither true nor false`);
    if (!isRole(user, 'student') || !isCurrent(user) || enabled === 'false') continue;
    if (roster.has(user.sourcedId)) console.log(`${user.sourcedId} is there twice; the first line counts`);
    else roster.set(user.sourcedId, user);
  }
  const lines = [...roster.values()].map((user) => [user.sourcedId, fullName(user), '', user.email].map(quoted).join(','));
  writeFileSync('roster.csv', ['student_id,full_name,class,email', ...lines, ''].join('\n'));
}

/** Runs sync.ts. The classes go on where it has refused some students, and after nothing else. */
function syncStudents(): number {
  const sync = fileURLToPath(new URL(`sync${extname(import.meta.url)}`, import.meta.url));
  const { status } = spawnSync(process.execPath, [...process.execArgv, sync, 'roster.csv', 'state.sqlite', ...options], { stdio: 'inherit' });
  if (status !== 0 && status !== someRefused) process.exit(status ?? runAgain);
  return status;
}

/** The internal id of each student by their sourcedId; who left is not among them. */
async function studentIds(): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for await (const { student_id, id, status } of client.paginate('/students')) if (student_id !== null && status !== 'suspended') ids.set(student_id, id);
  return ids;
}

/** The institution's admin is renamed in the portal alone. */
async function renameTeacher(id: string, user: User): Promise<void> {
  const failed = await client.call('PATCH', '/faculty/{id}', { path: { id }, body: { full_name: fullName(user) } }).then(() => '', (error: unknown) => {
    if (!(error instanceof InstitutionError) || error.status !== 409) throw error;
    return error.message;
  });
  console.log(failed === '' ? `${user.sourcedId} was renamed` : `${user.sourcedId} was not renamed: ${failed}`);
}

async function teacherId(user: User): Promise<string> {
  const { items: [there] } = await client.call('GET', '/faculty', { query: { faculty_id: user.sourcedId } });
  if (there !== undefined) {
    if (there.full_name !== fullName(user)) await renameTeacher(there.id, user);
    return there.id;
  }
  // The key makes that a repeat after a lost answer creates nobody twice.
  const created = await client.call('POST', '/faculty', { body: { full_name: fullName(user), faculty_id: user.sourcedId }, idempotencyKey: `teacher/${user.sourcedId}` });
  return created.id;
}

/** Makes the group of a class that of the file, or a new one, and returns its id. */
async function groupOf({ sourcedId, title }: Class, owner: string, groups: Record<string, string>): Promise<string> {
  const known = groups[sourcedId];
  const body = { name: title, faculty_id: owner };
  if (known !== undefined) {
    const changed = await client.call('PATCH', '/groups/{id}', { path: { id: known }, body }).catch((error: unknown) => {
      if (!(error instanceof InstitutionError) || error.status !== 404) throw error;
    });
    if (changed !== undefined) return changed.id;
    console.log(`${sourcedId}: its group ${known} is gone, and it gets a new one`);
  }
  // A key of its own: that of the first one would answer the group that is gone.
  const { id } = await client.call('POST', '/groups', { body, idempotencyKey: known === undefined ? `class/${sourcedId}` : `class/${sourcedId}/${known}` });
  groups[sourcedId] = id;
  writeFileSync(knownPath, JSON.stringify(groups));
  return id;
}

/** Whether the error goes away without anybody's doing. */
const passes = ({ status }: InstitutionError): boolean => status === 0 || status === 429 || status >= 500;

/** Makes groups, their owners and members those of the files; returns how many classes were refused or left out. */
async function syncClasses(users: ReadonlyMap<string, User>, classes: readonly Class[], enrollments: readonly Enrollment[]): Promise<number> {
  const groups: Record<string, string> = existsSync(knownPath) ? JSON.parse(readFileSync(knownPath, 'utf8')) : {};
  const before = existsSync(countedPath) ? Number(readFileSync(countedPath, 'utf8')) : 0;
  const enrolled = enrollments.filter((one) => isRole(one, 'student')).length;
  if (before >= 5 && enrolled < (before * 4) / 5 && !options.includes('--many-leavers')) {
    refuse(`enrollments.csv has ${enrolled} students in classes, and had ${before} the last time: no group was changed; if that is right, run with --many-leavers`);
  }
  const ids = await studentIds();
  const teachers = new Map<string, string>();
  const missing = new Set<string>();
  let [members, refused, leftOut] = [0, 0, 0];
  for (const line of classes) {
    const ofClass = enrollments.filter(({ classSourcedId }) => classSourcedId === line.sourcedId);
    const taught = ofClass.filter((one) => isRole(one, 'teacher') && users.has(one.userSourcedId));
    // A group has one owner: the primary teacher, or the first.
    const source = (taught.find(({ primary }) => primary.toLowerCase() === 'true') ?? taught[0])?.userSourcedId ?? '';
    const teacher = users.get(source);
    if (teacher === undefined) {
      leftOut += 1;
      console.log(`${line.sourcedId} has no teacher in users.csv and is left out`);
      continue;
    }
    const wanted = [...new Set(ofClass.filter((one) => isRole(one, 'student')).map(({ userSourcedId }) => userSourcedId))].sort();
    const student_ids = wanted.flatMap((one) => ids.get(one) ?? []);
    try {
      const owner = teachers.get(source) ?? (await teacherId(teacher));
      teachers.set(source, owner);
      const id = await groupOf(line, owner, groups);
      await client.call('PATCH', '/groups/{id}', { path: { id }, body: { student_ids } });
    } catch (error) {
      if (!(error instanceof InstitutionError) || passes(error) || [401, 403].includes(error.status)) throw error;
      refused += 1;
      console.log(`${line.sourcedId} of the teacher ${source} was refused: ${error.message}`);
      continue;
    }
    for (const one of wanted.filter((id) => !ids.has(id))) {
      missing.add(one);
      console.log(`${one} of ${line.sourcedId} was not found: no student who is not suspended has this student_id`);
    }
    members += student_ids.length;
  }
  writeFileSync(countedPath, String(enrolled));
  console.log(`${Object.keys(groups).length} groups, ${teachers.size} teachers, ${members} memberships, ${missing.size} students not found, ${refused} classes refused`);
  return refused + leftOut;
}

async function main(): Promise<void> {
  const users = read('users.csv', 'sourcedId', 'status', 'enabledUser', 'role', 'givenName', 'familyName', 'email');
  const classes = read('classes.csv', 'sourcedId', 'status', 'title').filter(isCurrent);
  const enrollments = read('enrollments.csv', 'status', 'classSourcedId', 'userSourcedId', 'role', 'primary').filter(isCurrent);
  writeRoster(users);
  const failed = syncStudents();
  if (options.includes('--dry-run')) {
    console.log('Teachers and classes were not compared: a dry run is about students alone.');
    process.exitCode = failed;
    return;
  }
  const notDone = await syncClasses(new Map(users.filter(isCurrent).map((user) => [user.sourcedId, user])), classes, enrollments);
  process.exitCode = notDone > 0 ? someRefused : failed;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof InstitutionError && passes(error) ? runAgain : 1;
});

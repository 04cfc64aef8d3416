// The nightly roster sync: node sync.ts roster.csv state.sqlite, with BASE_URL and API_KEY. README.md explains it.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { InstitutionClient, InstitutionError, type Group, type Student } from '@institution/client';
import Database from 'libsql';
import { readRoster, type Row } from './roster.ts';

/** A student as the mirror has them. */
type MirroredStudent = { student_id: string; id: string; full_name: string | null; status: Student['status']; has_left: number };

/** A call that is to be made, as the outbox stores it. */
type Intent =
  | { kind: 'create students'; students: { student_id: string; full_name: string; personal_email?: string }[] }
  | { kind: 'change student'; id: string; changes: { full_name?: string; status?: 'active' | 'suspended' } }
  | { kind: 'create group'; class: string; student_ids: string[] }
  | { kind: 'replace members'; class: string; id: string; student_ids: string[] };

/** The program's status where the next try may succeed, and where some were refused and all else is done; 1 is for what somebody has to correct first. */
const [runAgain, someRefused] = [75, 2];

function refuse(message: string, status = 1): never {
  console.error(message);
  process.exit(status);
}

const isOption = (argument: string): boolean => argument.startsWith('-');
const options = process.argv.slice(2).filter(isOption);
const [rosterPath = 'roster.csv', statePath = 'state.sqlite', ...others] = process.argv.slice(2).filter((argument) => !isOption(argument));
const unknown = [...options.filter((option) => !['--many-leavers', '--dry-run'].includes(option)), ...others][0];
if (unknown !== undefined) refuse(`${unknown} is not known: the arguments are the path of the roster, then that of the state, --many-leavers and --dry-run`);
/** A dry run works on a copy of the state, and sends no call that changes anything. */
const dryRun = options.includes('--dry-run');

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

/** The description of the groups that this program made; it leaves all others alone. */
const ownGroup = 'Class of the roster';
/** The service keeps a key for 24 hours. A call that is older than this is planned again, with a new key. */
const keptMs = 23 * 3_600_000;
/** So many students of each kind of change are named, then the others are counted. */
const named = 20;
/** A change is visible up to this long after its `updated_at`. */
const overlapMs = 5 * 60_000;

function openState() {
  try {
    // A transaction that never ends: the lock goes with the process, however that ends.
    const lock = new Database(`${statePath}.lock`, { timeout: 0 });
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    const opened = new Database(dryRun ? ':memory:' : statePath, { timeout: 10_000 });
    opened.exec(readFileSync(new URL('schema.sql', import.meta.url), 'utf8'));
    if (dryRun && existsSync(statePath)) {
      opened.prepare('ATTACH ? AS stored').run(statePath);
      // Without the outbox: what its calls were to change is found by comparison.
      const tables = opened.prepare("SELECT name FROM stored.sqlite_master WHERE type = 'table' AND name NOT IN ('outbox', 'sqlite_sequence')").all() as { name: string }[];
      for (const { name } of tables) opened.exec(`INSERT INTO ${name} SELECT * FROM stored.${name}`);
      opened.exec('DETACH stored');
    }
    return { db: opened, lock };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') refuse(`Another run has ${statePath}: run it again when that has ended.`, runAgain);
    return refuse(`${statePath} cannot be opened: give the path of the roster, then that of the state`);
  }
}
const state = openState();
const { db } = state;

const run = (sql: string, ...values: (string | number | null)[]): void => void db.prepare(sql).run(...values);
const query = <R>(sql: string, ...values: (string | number)[]): R[] => db.prepare(sql).all(...values) as R[];
const inTransaction = (work: () => void): void => db.transaction(work).immediate();
const position = (name: string): string | undefined => query<{ value: string }>('SELECT value FROM positions WHERE name = ?', name)[0]?.value;
const setPosition = (name: string, value: string): void => run('INSERT OR REPLACE INTO positions VALUES (?, ?)', name, value);

/** What this run has changed at the service. */
const done = { created: 0, renamed: 0, suspended: 0, reactivated: 0, groups: 0 };
let failures = 0;
function report(message: string): void {
  failures += 1;
  console.error(message);
}

function storeStudent({ id, student_id, full_name, status }: Pick<Student, 'id' | 'student_id' | 'full_name' | 'status'>): void {
  // Students without a student_id are not of the roster.
  if (student_id === null) {
    run('DELETE FROM students WHERE id = ?', id);
    return;
  }
  // Who has another student_id than before is the same student, and has left or not as before.
  run('UPDATE OR REPLACE students SET student_id = ? WHERE id = ? AND student_id <> ?', student_id, id, student_id);
  run(
    `INSERT INTO students (student_id, id, full_name, status) VALUES (?, ?, ?, ?)
     ON CONFLICT (student_id) DO UPDATE SET id = excluded.id, full_name = excluded.full_name, status = excluded.status`,
    student_id, id, full_name, status,
  );
}

function storeClass({ name, id, updated_at }: Pick<Group, 'name' | 'id' | 'updated_at'>, members: readonly string[]): void {
  run('INSERT OR REPLACE INTO classes VALUES (?, ?, ?)', name, id, updated_at);
  run('DELETE FROM members WHERE class = ?', name);
  for (const member of members) run('INSERT OR IGNORE INTO members VALUES (?, ?)', name, member);
}

function storeGroup(group: Pick<Group, 'name' | 'id' | 'updated_at'>, members: readonly string[]): void {
  storeClass(group, members);
  done.groups += 1;
}

function noteChange({ student_id }: Pick<Student, 'student_id'>, change: 'created' | 'renamed' | 'suspended' | 'reactivated'): void {
  done[change] += 1;
  if (dryRun || done[change] <= named) console.log(`${student_id} ${dryRun ? 'would be' : 'was'} ${change}`);
}

function countUnnamed(): void {
  for (const [change, count] of Object.entries(done)) {
    if (change !== 'groups' && count > named && !dryRun) console.log(`and ${count - named} more ${count === named + 1 ? 'was' : 'were'} ${change}`);
  }
}

/** Sends one call with its key, and returns what its answer changes in the mirror. A dry run makes no call, and its answer itself. */
async function send(intent: Intent, idempotencyKey: string): Promise<() => void> {
  switch (intent.kind) {
    case 'create students': {
      const { students } = intent;
      const { results } = dryRun ? { results: students.map(({ student_id }) => ({ id: `new ${student_id}` })) } : await client.call('POST', '/students/bulk', { body: { students }, idempotencyKey });
      return () => {
        for (const [nth, result] of results.entries()) {
          const student = students[nth];
          if (student === undefined) continue;
          if ('id' in result) {
            storeStudent({ ...student, id: result.id, status: 'pending' });
            noteChange(student, 'created');
          } else report(`${student.student_id} was not created: ${result.error}: ${result.message}`);
        }
      };
    }
    case 'change student': {
      const mirrored = query<MirroredStudent>('SELECT * FROM students WHERE id = ?', intent.id);
      const [student] = dryRun ? mirrored.map((before) => ({ ...before, ...intent.changes })) : [await client.call('PATCH', '/students/{id}', { path: { id: intent.id }, body: intent.changes, idempotencyKey })];
      return () => {
        if (student === undefined) return;
        storeStudent(student);
        const { full_name, status } = intent.changes;
        if (full_name !== undefined) noteChange(student, 'renamed');
        if (status !== undefined) noteChange(student, status === 'active' ? 'reactivated' : status);
        if (status === 'active') run('UPDATE students SET has_left = 0 WHERE id = ?', intent.id);
      };
    }
    case 'create group': {
      const { class: name, student_ids } = intent;
      const group = dryRun ? { name, id: `new ${name}`, updated_at: '' } : await client.call('POST', '/groups', { body: { name, description: ownGroup, student_ids }, idempotencyKey });
      return () => storeGroup(group, student_ids);
    }
    case 'replace members': {
      const { class: name, id, student_ids } = intent;
      const group = dryRun ? { name, id, updated_at: '' } : await client.call('PATCH', '/groups/{id}', { path: { id }, body: { student_ids }, idempotencyKey });
      return () => storeGroup(group, student_ids);
    }
  }
}

/** What a refused call did not do, with whom it was about. */
function notDone(intent: Intent): string {
  switch (intent.kind) {
    case 'create students': return `${intent.students.length} students from ${intent.students[0]?.student_id} on were not created`;
    case 'change student': return `${query<{ student_id: string }>('SELECT student_id FROM students WHERE id = ?', intent.id)[0]?.student_id ?? intent.id} was not changed`;
    case 'create group': return `Class ${intent.class} was not created`;
    case 'replace members': return `Class ${intent.class} was not changed`;
  }
}

/** Makes every call of the outbox. A call leaves it in the transaction that stores its answer. */
async function flushOutbox(): Promise<void> {
  run('DELETE FROM outbox WHERE planned_at < ?', Date.now() - keptMs);
  for (;;) {
    const [next] = query<{ n: number; key: string; intent: string }>('SELECT n, key, intent FROM outbox ORDER BY n LIMIT 1');
    if (next === undefined) return;
    const intent: Intent = JSON.parse(next.intent);
    const store = await send(intent, next.key).catch((error: unknown) => {
      // The same call would be refused again. Any other failure ends the program, and the next run sends the call again.
      if (!(error instanceof InstitutionError) || ![400, 404, 422].includes(error.status)) throw error;
      return () => report(`${notDone(intent)}: ${error.message}`);
    });
    inTransaction(() => {
      store();
      run('DELETE FROM outbox WHERE n = ?', next.n);
    });
  }
}

/** Stores the calls that a comparison finds, each with its key, before any is sent. */
function plan(compare: () => Intent[]): void {
  inTransaction(() => {
    for (const intent of compare()) run('INSERT INTO outbox (key, planned_at, intent) VALUES (?, ?, ?)', randomUUID(), Date.now(), JSON.stringify(intent));
  });
}

/** Reads the feed to its end: statuses, and every event once. */
async function followFeed(): Promise<void> {
  for (let more = true; more; ) {
    const since = position('since');
    const { items, next_since, has_more } = await client.call('GET', '/events', { query: { limit: 200, ...(since === undefined ? {} : { since }) } }).catch((error: unknown) => {
      if (!(error instanceof InstitutionError) || error.code !== 'event_pruned') throw error;
      // The last run is too long ago: begin with the oldest event, and with a full copy.
      run("DELETE FROM positions WHERE name <> 'institution'");
      return { items: [], next_since: null, has_more: true };
    });
    inTransaction(() => {
      for (const { id, type, created_at, data } of items) {
        run('INSERT OR IGNORE INTO seen_events VALUES (?, ?, ?)', id, type, created_at);
        if (type === 'student.updated') run('UPDATE students SET status = ? WHERE id = ?', String(data.status), String(data.student_id));
      }
      if (next_since !== null) setPosition('since', next_since);
    });
    more = has_more;
  }
}

/** Copies what changed at the service since the last run; everything in the first. */
async function copyChanges(): Promise<void> {
  const newest = position('students');
  const updatedSince = newest === undefined ? {} : { updated_since: new Date(Date.parse(newest) - overlapMs).toISOString() };
  const students: Student[] = [];
  for await (const student of client.paginate('/students', { query: updatedSince })) students.push(student);
  inTransaction(() => {
    students.forEach(storeStudent);
    const latest = students.map(({ updated_at }) => updated_at).sort().at(-1);
    // Only after the whole walk: the list is newest first.
    if (latest !== undefined && latest > (newest ?? '')) setPosition('students', latest);
  });

  const known = new Map(query<{ id: string; updated_at: string }>('SELECT id, updated_at FROM classes').map(({ id, updated_at }) => [id, updated_at]));
  for await (const group of client.paginate('/groups')) {
    if (group.description !== ownGroup) continue;
    if (known.get(group.id) !== group.updated_at) {
      const { members, ...read } = await client.call('GET', '/groups/{id}', { path: { id: group.id } });
      inTransaction(() => storeClass(read, members.map(({ id }) => id)));
    }
    known.delete(group.id);
  }
  // Deleted by somebody else: the classes get new groups.
  inTransaction(() => {
    for (const id of known.keys()) run('DELETE FROM classes WHERE id = ?', id);
    run('DELETE FROM members WHERE class NOT IN (SELECT class FROM classes)');
  });
}

/** New, renamed, left and returned students. */
function compareStudents(roster: ReadonlyMap<string, Row>): Intent[] {
  const mirror = new Map(query<MirroredStudent>('SELECT * FROM students').map((row) => [row.student_id, row]));
  const intents: Intent[] = [];
  const created = [...roster.values()].filter(({ student_id }) => !mirror.has(student_id));
  for (let from = 0; from < created.length; from += 200) {
    const students = created.slice(from, from + 200).map(({ student_id, full_name, email }) => ({ student_id, full_name, ...(email ? { personal_email: email } : {}) }));
    intents.push({ kind: 'create students', students });
  }
  const active = [...mirror.values()].filter(({ status }) => status !== 'suspended');
  const leavers = active.filter(({ student_id }) => !roster.has(student_id));
  if (active.length >= 5 && leavers.length > active.length / 5 && !options.includes('--many-leavers')) {
    throw new Error(`${leavers.length} of ${active.length} students are not in the roster, and nobody was suspended; if that is right, run with --many-leavers`);
  }
  for (const { id } of leavers) {
    run('UPDATE students SET has_left = 1 WHERE id = ?', id);
    intents.push({ kind: 'change student', id, changes: { status: 'suspended' } });
  }
  for (const { student_id, id, full_name, status, has_left } of mirror.values()) {
    const row = roster.get(student_id);
    if (row === undefined) continue;
    const renamed = row.full_name === full_name ? {} : { full_name: row.full_name };
    // Students whom somebody else suspended stay suspended.
    const returned = status === 'suspended' && has_left === 1 ? { status: 'active' as const } : {};
    const changes = { ...renamed, ...returned };
    if (Object.keys(changes).length > 0) intents.push({ kind: 'change student', id, changes });
  }
  return intents;
}

/** Groups of new classes, and members that changed; the group of a class that is gone is emptied. */
function compareClasses(roster: ReadonlyMap<string, Row>): Intent[] {
  const wanted = new Map<string, string[]>();
  for (const { student_id, id } of query<{ student_id: string; id: string }>('SELECT student_id, id FROM students ORDER BY id')) {
    const name = roster.get(student_id)?.class;
    if (name) wanted.set(name, [...(wanted.get(name) ?? []), id]);
  }
  const classes = new Map(query<{ class: string; id: string }>('SELECT class, id FROM classes').map((row) => [row.class, row.id]));
  return [...new Set([...wanted.keys(), ...classes.keys()])].flatMap((name): Intent[] => {
    const student_ids = wanted.get(name) ?? [];
    const id = classes.get(name);
    if (id === undefined) return [{ kind: 'create group', class: name, student_ids }];
    const members = query<{ id: string }>('SELECT id FROM members WHERE class = ? ORDER BY id', name).map((member) => member.id);
    return String(members) === String(student_ids) ? [] : [{ kind: 'replace members', class: name, id, student_ids }];
  });
}

/** Refuses a mirror of another institution: what is not in it would not be created. */
async function requireOwnState(): Promise<void> {
  const { institution } = await client.call('GET', '/me');
  const mirrored = position('institution') ?? institution.id;
  if (mirrored !== institution.id) throw new Error(`${statePath} is the mirror of ${mirrored}, and API_KEY is a key of ${institution.id}: give each institution a file of its own.`);
  setPosition('institution', institution.id);
}

/** Refuses a mirror from before a reset: its students would not be created again. Students keep their id otherwise, erased ones too. */
async function requireKnownStudents(): Promise<void> {
  const [newest] = query<{ id: string }>('SELECT id FROM students ORDER BY id DESC LIMIT 1');
  if (newest === undefined) return;
  await client.call('GET', '/students/{id}', { path: { id: newest.id } }).catch((error: unknown) => {
    if (!(error instanceof InstitutionError) || error.status !== 404) throw error;
    throw new Error(`${statePath} has students whom the institution does not have, as after a reset of the sandbox: delete it, and run the sync again.`);
  });
}

async function turnOnUniqueStudentIds(): Promise<void> {
  const config = await client.call('GET', '/institution/config');
  if (config.unique_student_ids || dryRun) return;
  await client.call('PUT', '/institution/config', { body: { ...config, unique_student_ids: true } }).catch((error: unknown) => {
    if (!(error instanceof InstitutionError) || error.status !== 409) throw error;
    throw new Error(`${error.message}\nChange the student_id of all but one of them, for example in the portal, and run the sync again.`);
  });
}

/** Whether the error goes away without anybody's doing. */
const passes = ({ status }: InstitutionError): boolean => status === 0 || status === 429 || status >= 500;

/** What to do after an error that ended the program. */
function wayOut(error: InstitutionError): string {
  if (passes(error)) return 'Run it again.';
  switch (error.status) {
    case 401: return 'API_KEY is not valid there: take a key that is, and its own BASE_URL.';
    case 403: return 'Take a key with the scopes that README.md names.';
    case 404: return 'BASE_URL is the address of the API and ends with /v1.';
    default: return 'docs/errors.md says what to do.';
  }
}

async function sync(roster: ReadonlyMap<string, Row>): Promise<void> {
  await requireOwnState();
  await requireKnownStudents();
  await turnOnUniqueStudentIds();
  await flushOutbox();
  await followFeed();
  await copyChanges();
  plan(() => compareStudents(roster));
  await flushOutbox();
  plan(() => compareClasses(roster));
  await flushOutbox();
  await followFeed();
}

async function main(): Promise<void> {
  const roster = readRoster(rosterPath);
  await sync(roster).finally(countUnnamed);
  const { groups, ...students } = done;
  const would = dryRun ? 'would be ' : '';
  const changes = Object.entries(students).map(([what, count]) => `${count} ${would}${what}`).join(', ');
  const outcome = dryRun ? 'nothing was changed' : `${failures} ${failures === 1 ? 'failure' : 'failures'}`;
  console.log(`${roster.size} students in the roster, ${outcome}: ${changes}, ${groups} ${groups === 1 ? 'group' : 'groups'} ${would}created or changed`);
  if (failures > 0) process.exitCode = someRefused;
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  console.error(error instanceof InstitutionError ? `The sync is not finished: ${message.replace(/\.$/, '')}. ${wayOut(error)}` : message);
  process.exitCode = error instanceof InstitutionError && passes(error) ? runAgain : 1;
});

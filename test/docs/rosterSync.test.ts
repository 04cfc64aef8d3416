import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestInstitution } from '../support/api';
import { typeErrorsIn } from '../support/clientPackage';
import { eventsOf } from '../support/events';
import { eventually } from '../support/eventually';
import { startReceiver } from '../support/receiver';
import { createSync, rosterSyncFixture, rosterSyncExample, typescriptPrograms, type Roster, type Sync } from '../support/rosterSync';
import { seededRandom } from '../support/seededRandom';

const seed = Number(process.env.ROSTER_SEED ?? randomInt(1, 1_000_000_000));
/** How many calls are cut, and at how many the program is killed: in the first night, and in both. */
const inFirstNight = { cuts: 14, kills: 6 };
const inBothNights = { cuts: 26, kills: 14 };

const place = rosterSyncFixture();

/** Every item of a list, each checked against the document. */
async function all(institution: TestInstitution, path: string): Promise<Record<string, string>[]> {
  const items: Record<string, string>[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data } = await place.api.call('GET', path, { key: institution.apiKey, query: { limit: 200, cursor } });
    items.push(...data.items);
    cursor = data.next_cursor;
  }
  return items;
}

const sorted = <Item>(items: Iterable<Item>): Item[] => [...items].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** The service has exactly this roster, everybody once, and the mirror has what the service has. */
async function expectInStep({ institution, mirror }: Sync, roster: Roster, left: Roster): Promise<void> {
  const students = await all(institution, '/students');
  const wanted = [...roster].map(([id, { full_name }]) => [id, full_name, 'pending']);
  const gone = [...left].map(([id, { full_name }]) => [id, full_name, 'suspended']);
  expect(sorted(students.map(({ student_id, full_name, status }) => [student_id, full_name, status]))).toEqual(sorted([...wanted, ...gone]));

  const groups = await all(institution, '/groups');
  const idOf = new Map(students.map(({ id = '', student_id = '' }) => [id, student_id]));
  const members = await Promise.all(groups.map(async ({ id = '', name = '' }) => {
    const { data } = await place.api.call('GET', `/groups/${id}`, { key: institution.apiKey });
    return data.members.map((member: { id: string }) => [name, idOf.get(member.id)]);
  }));
  expect(groups.map(({ name }) => name).sort()).toEqual([...new Set([...roster.values(), ...left.values()].map((pupil) => pupil.class))].sort());
  expect(sorted(members.flat())).toEqual(sorted([...roster].map(([id, pupil]) => [pupil.class, id])));

  expect(sorted(mirror('SELECT student_id, id, full_name, status FROM students'))).toEqual(sorted(students.map(({ student_id, id, full_name, status }) => [student_id, id, full_name, status])));
  expect(sorted(mirror('SELECT class, id FROM classes'))).toEqual(sorted(groups.map(({ name, id }) => [name, id])));
  expect(sorted(mirror('SELECT m.class, s.student_id FROM members m JOIN students s ON s.id = m.id'))).toEqual(sorted(members.flat()));
  expect(mirror('SELECT * FROM outbox')).toEqual([]);
  const events = await place.api.api.domain.database.sql<{ id: string; type: string }>('SELECT id, type FROM events WHERE institution_id = $1', [institution.id]);
  expect(sorted(mirror('SELECT id, type FROM seen_events'))).toEqual(sorted(events.map(({ id, type }) => [id, type])));
}

/** How often each kind of event of students happened: nothing was done twice, or done and undone. */
async function changesOf({ institution }: Sync): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { type, data } of await eventsOf(place.api, institution)) {
    if (!type.startsWith('student.')) continue;
    const name = 'changed' in data ? `${type} ${String(data.changed)}` : type;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** What a run says of the students whom it creates. */
const createdOf = (roster: Iterable<readonly [id: string, ...unknown[]]>): string => [...roster].map(([id]) => `${id} was created\n`).join('');

const count = 240;
const classes = 8;
const classOf = (nth: number): string => `class ${nth % classes}`;

/** The first night: everybody is new; every tenth has a personal email. */
const firstNight: Roster = new Map(Array.from({ length: count }, (_, nth) => [
  `SIS-${nth}`,
  { full_name: `Student, ${nth}`, class: classOf(nth), ...(nth % 10 === 0 ? { email: `student.${nth}@example.org` } : {}) },
]));

/** The second: a tenth has left and as many are new, every twentieth has another name, every eighth another class. */
function secondNight(): { roster: Roster; left: Roster } {
  const roster: Roster = new Map();
  const left: Roster = new Map();
  for (const [nth, [id, pupil]] of [...firstNight].entries()) {
    if (nth % 10 === 3) left.set(id, pupil);
    else roster.set(id, { ...pupil, ...(nth % 20 === 4 ? { full_name: `Renamed ${nth}` } : {}), ...(nth % 8 === 5 ? { class: classOf(nth + 1) } : {}) });
  }
  for (let nth = count; nth < count * 1.1; nth += 1) roster.set(`SIS-${nth}`, { full_name: `New ${nth}`, class: nth % 2 === 0 ? 'class new' : classOf(nth) });
  return { roster, left };
}

describe.each(['sync.ts', 'sync.py'] as const)('%s', (name) => {
  it(`makes two nights of changes exactly once, with the network cut and the program killed at random (seed ${seed})`, async () => {
    const sync = await createSync(place, name);
    const random = seededRandom(seed);
    const first = await sync.runInterrupted(firstNight, random, inFirstNight);
    await expectInStep(sync, firstNight, new Map());
    expect(await changesOf(sync)).toEqual({ 'student.created': count });

    const { roster, left } = secondNight();
    const rest = { cuts: inBothNights.cuts - first.cuts, kills: inBothNights.kills - first.kills };
    expect(await sync.runInterrupted(roster, random, rest)).toEqual(rest);
    await expectInStep(sync, roster, left);
    const renamed = [...roster.values()].filter(({ full_name }) => full_name.startsWith('Renamed')).length;
    expect(await changesOf(sync)).toEqual({ 'student.created': count * 1.1, 'student.updated full_name': renamed, 'student.updated status': left.size });

    const before = await eventsOf(place.api, sync.institution);
    expect(await sync.run(roster)).toMatchObject({ code: 0, output: `${roster.size} students in the roster, 0 failures: 0 created, 0 renamed, 0 suspended, 0 reactivated, 0 groups created or changed\n` });
    expect(await eventsOf(place.api, sync.institution)).toHaveLength(before.length);
  });

  it('reactivates who comes back, and leaves those whom somebody else suspended', async () => {
    const sync = await createSync(place, name);
    const roster: Roster = new Map([...firstNight].slice(0, 6));
    const without: Roster = new Map([...roster].slice(1));
    const key = sync.institution.apiKey;
    expect(await sync.run(roster)).toEqual({ code: 0, output: `${createdOf(roster)}6 students in the roster, 0 failures: 6 created, 0 renamed, 0 suspended, 0 reactivated, 6 groups created or changed\n` });
    await place.api.call('POST', `/students/${String(sync.mirror("SELECT id FROM students WHERE student_id = 'SIS-5'")[0]?.[0])}/suspend`, { key });
    expect(await sync.run(without)).toMatchObject({ code: 0, output: expect.stringMatching(/^SIS-0 was suspended\n.*: 0 created, 0 renamed, 1 suspended, 0 reactivated, 1 group created or changed\n$/) });
    expect(await sync.run(roster)).toMatchObject({ code: 0, output: expect.stringMatching(/^SIS-0 was reactivated\n.*: 0 created, 0 renamed, 0 suspended, 1 reactivated, 1 group created or changed\n$/) });
    const students = await all(sync.institution, '/students');
    expect(sorted(students.map(({ student_id, status }) => [student_id, status]))).toEqual(['pending', 'pending', 'pending', 'pending', 'pending', 'suspended'].map((status, nth) => [`SIS-${nth}`, status]));
  });

  it('suspends nobody when more than a fifth of the students is missing from the roster, except with --many-leavers', async () => {
    const sync = await createSync(place, name);
    expect(await sync.run(new Map([...firstNight].slice(0, 60)))).toMatchObject({ code: 0 });
    const rest: Roster = new Map([...firstNight].slice(0, 30));
    const stopped = await sync.run(rest);
    expect([stopped.code, stopped.output.trim()]).toEqual([1, '30 of 60 students are not in the roster, and nobody was suspended; if that is right, run with --many-leavers']);
    expect((await all(sync.institution, '/students')).filter(({ status }) => status === 'suspended')).toEqual([]);
    expect(await sync.run(rest, '--many-leavers')).toMatchObject({ code: 0 });
    expect((await all(sync.institution, '/students')).filter(({ status }) => status === 'suspended')).toHaveLength(30);
  });

  it('suspends nobody in a small school, either, when more than a fifth is missing', async () => {
    const sync = await createSync(place, name);
    const roster: Roster = new Map([...firstNight].slice(0, 6));
    expect(await sync.run(roster)).toMatchObject({ code: 0 });
    expect(await sync.run(new Map([...roster].slice(2)))).toMatchObject({ code: 1, output: '2 of 6 students are not in the roster, and nobody was suspended; if that is right, run with --many-leavers\n' });
    expect((await all(sync.institution, '/students')).filter(({ status }) => status === 'suspended')).toEqual([]);
  });

  it.each([
    ['another separator', 'student_id;full_name;class\nS-1;Ada;7a\n', 'lacks the column student_id; it has student_id;full_name;class: separate columns with commas'],
    ['no column of classes', 'student_id,full_name\nS-1,Ada\n', 'lacks the column class; it has student_id, full_name'],
    ['a line without a student_id', 'student_id,full_name,class\nS-1,Ada,7a\n,Alan,7a\n', 'line 3: student_id is empty'],
    ['a student_id twice', 'student_id,full_name,class\nS-1,Ada,7a\nS-1,Alan,7a\n', 'line 3: S-1 is there already; every line needs a student_id of its own'],
    ['a comma outside of quotes', 'student_id,full_name,class\nS-1,Lovelace, Ada,7a\n', 'line 2: the first line has 3 fields, this one 4; a field with commas begins and ends with a quote'],
    ['a line with too few fields', 'student_id,full_name,class\nS-1,Ada,7a\nS-2,Alan\n', 'line 3: the first line has 3 fields, this one 2; a field with commas begins and ends with a quote'],
    ['a quote that is not closed', 'student_id,full_name,class\nS-1,"Ada,7a\nS-2,Alan,7a\n', 'line 2: a quote is missing or too many (this record goes on to line 3); a field with commas begins and ends with one'],
    ['more after a quote', 'student_id,full_name,class\nS-1,"Ada" L.,7a\n', 'line 2: a quote is missing or too many; a field with commas begins and ends with one'],
    ['a header alone', 'student_id,full_name,class\n', 'has no students'],
    ['an empty file', '', 'has no students'],
  ])('refuses a roster before the first call: %s', async (_case, csv, message) => {
    const sync = await createSync(place, name);
    const { code, output } = await sync.run(csv);
    expect([code, output.replace(/^.*\.csv,? /, '').trim()]).toEqual([1, message]);
    expect(await place.api.call('GET', '/institution/config', { key: sync.institution.apiKey })).toMatchObject({ data: { unique_student_ids: false } });
  });

  it('says what to do about a key, an address or identifiers that are wrong, and to run it again only where that helps', async () => {
    const sync = await createSync(place, name);
    const roster: Roster = new Map([...firstNight].slice(0, 1));
    const endOf = async (...where: [baseUrl: string, apiKey?: string]): Promise<{ code: number | null; output: string }> => {
      const end = await sync.runAt(roster, ...where);
      expect(end.output).not.toContain('..');
      return end;
    };
    const outputOf = async (...where: [baseUrl: string, apiKey?: string]): Promise<string> => {
      const { code, output } = await endOf(...where);
      expect(code).toBe(1);
      return output;
    };
    expect(await outputOf(place.api.baseUrl, `${sync.institution.apiKey}x`)).toMatch(/API_KEY is not valid there: .*\.\n$/);
    expect(await outputOf(place.api.baseUrl.replace(/\/v1$/, ''))).toMatch(/BASE_URL is the address of the API and ends with \/v1\.\n$/);
    for (const none of ['bad', `${sync.institution.apiKey} `]) expect(await outputOf(place.api.baseUrl, none)).toMatch(/^Correct API_KEY and BASE_URL: .*\.\n$/);
    const { data: narrow } = await place.api.platform('POST', `/institutions/${sync.institution.id}/keys`, { body: { name: 'Narrow', scopes: ['students:read'] } });
    expect(await outputOf(place.api.baseUrl, narrow.api_key)).toMatch(/Take a key with the scopes that README\.md names\.\n$/);
    const failing = await startReceiver();
    failing.respond = () => 500;
    expect(await endOf(new URL('/v1', failing.url).href)).toEqual({ code: 75, output: expect.stringMatching(/Run it again\.\n$/) });
    await failing.close();
    for (let nth = 0; nth < 2; nth += 1) await place.api.call('POST', '/students', { key: sync.institution.apiKey, body: { full_name: 'Ada', student_id: 'twice' } });
    expect(await outputOf(place.api.baseUrl)).toMatch(/several students have the same student_id: "twice"[^]*Change the student_id of all but one of them/);
  });

  it('leaves the state of another institution alone, and says whose it is', async () => {
    const [sync, other] = [await createSync(place, name), await createSync(place, name)];
    const roster: Roster = new Map([...firstNight].slice(0, 1));
    expect(await sync.runAt(roster, place.api.baseUrl)).toMatchObject({ code: 0 });
    const { code, output } = await sync.runAt(roster, place.api.baseUrl, other.institution.apiKey);
    expect([code, output]).toEqual([1, expect.stringContaining(`is the mirror of ${sync.institution.id}, and API_KEY is a key of ${other.institution.id}: give each institution a file of its own.`)]);
    expect(await all(other.institution, '/students')).toEqual([]);
  });

  it('is refused before the first call in another encoding than UTF-8', async () => {
    const sync = await createSync(place, name);
    const file = Buffer.from('student_id,full_name,class\nS-1,Jos\u00e9,7a\n', 'latin1');
    expect(await sync.run(file)).toEqual({ code: 1, output: expect.stringMatching(/\.csv is not UTF-8: save it as CSV in UTF-8\n$/) });
    expect(await all(sync.institution, '/students')).toEqual([]);
  });

  it('takes blanks around quoted fields as nothing', async () => {
    const sync = await createSync(place, name);
    expect(await sync.run('student_id,full_name,class\nS-1, "Lovelace, Ada", 7a\n')).toMatchObject({ code: 0 });
    expect(await all(sync.institution, '/students')).toEqual([expect.objectContaining({ student_id: 'S-1', full_name: 'Lovelace, Ada' })]);
    expect(await all(sync.institution, '/groups')).toEqual([expect.objectContaining({ name: '7a' })]);
  });

  it('refuses options and arguments that it does not know before the first call', async () => {
    const sync = await createSync(place, name);
    const roster: Roster = new Map([...firstNight].slice(0, 1));
    for (const wrong of ['--many-leaver', '-h', 'state2.sqlite']) {
      expect(await sync.run(roster, wrong)).toEqual({ code: 1, output: `${wrong} is not known: the arguments are the path of the roster, then that of the state, --many-leavers and --dry-run\n` });
    }
    expect(await all(sync.institution, '/students')).toEqual([]);
  });

  it('is refused with 75 while another run has its state, and runs once that was killed', async () => {
    const sync = await createSync(place, name);
    const roster: Roster = new Map([...firstNight].slice(0, 1));
    const waiting = await startReceiver();
    waiting.respond = () => new Promise(() => undefined);
    const first = sync.start(roster, new URL('/v1', waiting.url).href);
    await eventually('its first call', () => waiting.received.length > 0);
    expect(await sync.run(roster)).toEqual({ code: 75, output: expect.stringMatching(/^Another run has .*\.sqlite: run it again when that has ended\.\n$/) });
    expect(await all(sync.institution, '/students')).toEqual([]);
    first.kill();
    await first.ended;
    await waiting.close();
    expect(await sync.run(roster)).toMatchObject({ code: 0 });
  });

  it('says which path is wrong where its state cannot be opened', async () => {
    const sync = await createSync(place, name);
    const state = join(place.folder, `${sync.institution.id}.sqlite`);
    mkdirSync(state);
    expect(await sync.run('student_id,full_name,class\nS-1,Ada,7a\n')).toEqual({ code: 1, output: `${state} cannot be opened: give the path of the roster, then that of the state\n` });
  });

  it('refuses a state from before a reset of the sandbox, and creates everybody when that is deleted', async () => {
    const sync = await createSync(place, name);
    const sandbox = await place.api.sandboxOf(sync.institution);
    const roster: Roster = new Map([...firstNight].slice(0, 3));
    expect(await sync.runAt(roster, place.api.baseUrl, sandbox.apiKey)).toMatchObject({ code: 0 });
    await place.api.call('DELETE', '/sandbox', { key: sandbox.apiKey });
    await eventually('the reset is done', async () => (await place.api.call('GET', '/me', { key: sandbox.apiKey })).status === 200);
    expect(await sync.runAt(roster, place.api.baseUrl, sandbox.apiKey)).toEqual({ code: 1, output: expect.stringMatching(/\.sqlite has students whom the institution does not have, as after a reset of the sandbox: delete it, and run the sync again\.\n$/) });
    rmSync(join(place.folder, `${sync.institution.id}.sqlite`));
    expect(await sync.runAt(roster, place.api.baseUrl, sandbox.apiKey)).toMatchObject({ code: 0, output: expect.stringContaining(' 3 created,') });
  });

  it('finds students and groups that exist, also when its state is lost, and does not change groups of others', async () => {
    const sync = await createSync(place, name);
    const key = sync.institution.apiKey;
    const { data: ada } = await place.api.call('POST', '/students', { key, body: { student_id: 'SIS-1001', full_name: 'Ada' } });
    const { data: chess } = await place.api.call('POST', '/groups', { key, body: { name: '7a', student_ids: [ada.id] } });
    const sample = readFileSync(join(rosterSyncExample, 'roster.csv'), 'utf8');
    expect(await sync.run(sample)).toMatchObject({ code: 0, output: `${createdOf(Array.from({ length: 7 }, (_, nth) => [`SIS-100${nth + 2}`]))}SIS-1001 was renamed\n8 students in the roster, 0 failures: 7 created, 1 renamed, 0 suspended, 0 reactivated, 3 groups created or changed\n` });
    rmSync(join(place.folder, `${sync.institution.id}.sqlite`));
    expect(await sync.run(sample)).toMatchObject({ code: 0, output: '8 students in the roster, 0 failures: 0 created, 0 renamed, 0 suspended, 0 reactivated, 0 groups created or changed\n' });
    const students = await all(sync.institution, '/students');
    expect(students.map(({ student_id }) => student_id).sort()).toEqual(Array.from({ length: 8 }, (_, nth) => `SIS-100${nth + 1}`));
    expect(students.find(({ id }) => id === ada.id)).toMatchObject({ full_name: 'Ada Lovelace' });
    expect((await all(sync.institution, '/groups')).map((group) => [group.name, group.member_count, group.id === chess.id]).sort()).toEqual([['7a', 1, true], ['7a', 3, false], ['7b', 3, false], ['8a', 2, false]]);
  });

  it('reports a student whom the service refuses, creates the others, and ends with an error', async () => {
    const sync = await createSync(place, name);
    const { code, output } = await sync.run('student_id,full_name,class,email\nS-1,Ada,7a,no email\nS-2,Alan,7a,\n');
    expect(code).toBe(2);
    expect(output).toMatch(/^S-1 was not created: validation_error: /m);
    expect((await all(sync.institution, '/students')).map(({ student_id }) => student_id)).toEqual(['S-2']);
  });
});

it('the TypeScript of the example agrees with the types of the client', async () => {
  expect(await typeErrorsIn(place.folder, typescriptPrograms)).toBe('');
});

import { once } from 'node:events';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { parseCard, parseTable, type CommandLine } from '../support/commandLine';
import { eventually } from '../support/eventually';
import { jsonLines, keyCommandLine } from '../support/keyCommandLine';
import { openSandboxOf } from '../support/sandboxes';
import { respondsWith, closesConnection, startStubServer, succeeds } from '../support/stubServer';

interface Listed {
  items: { id: string; type: string; created_at: string }[];
  has_more: boolean;
  next_since: string;
}

let api: TestApi;
let institution: TestInstitution;
let cli: CommandLine;

beforeAll(async () => {
  api = await startTestApi();
  institution = await api.institution();
  cli = keyCommandLine(api, institution.apiKey);
});

afterAll(() => api.stop());

const createStudents = async (count: number): Promise<void> => {
  for (let done = 0; done < count; done += 1) await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: `Student ${done}` } });
};

const feed = async (): Promise<Listed['items']> => (await api.call('GET', '/events', { key: institution.apiKey, query: { limit: '200' } })).data.items;

const idsOf = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);

describe('events list', () => {
  it('shows the newest events, those before them with --since, and all in the order in which they happened', async () => {
    await createStudents(3);
    const all = await feed();
    const newest: Listed = await cli.json('events', 'list', '--limit', '2');
    expect(newest).toEqual({ items: all.slice(-2), has_more: false, next_since: all.at(-1)?.created_at });
    expect((await cli.json('events', 'list', '--limit', '2', '--until', all[2]?.created_at ?? '')).items).toEqual(all.slice(1, 3));
    expect((await cli.json('events', 'list')).items).toEqual(all);
    const { out, err } = await cli.run('events', 'list', '--limit', '2');
    expect(parseTable(out).map(([, type]) => type)).toEqual(['type', ...all.slice(-2).map(({ type }) => type)]);
    expect(err).toBe('These are the newest 2: --since 24h begins with the oldest of a day, --all has all of it.\n');
  });

  it('shows the first events after --since, a part at a time', async () => {
    const all = await feed();
    const first: Listed = await cli.json('events', 'list', '--limit', '2', '--since', '24h');
    const rest: Listed = await cli.json('events', 'list', '--since', first.next_since, '--all');
    expect([first.has_more, rest.has_more]).toEqual([true, false]);
    expect(idsOf([...first.items, ...rest.items])).toEqual(idsOf(all));
    const { out, err } = await cli.run('events', 'list', '--limit', '2', '--since', '24h');
    expect(parseTable(out).map(([, type]) => type)).toEqual(['type', all[0]?.type, all[1]?.type]);
    expect(err).toMatch(/^These are the first 2: --since \S+Z has the next ones, --all has all\.\n$/);
  });

  it('filters by one pattern, by several, and by a time range', async () => {
    const all = await feed();
    const [students, several]: Listed[] = await Promise.all([cli.json('events', 'list', '--type', 'student.*'), cli.json('events', 'list', '--type', 'student.created', '--events', 'faculty.*,exam.*')]);
    expect(idsOf(students?.items ?? [])).toEqual(idsOf(all.filter(({ type }) => type.startsWith('student.'))));
    expect(idsOf(several?.items ?? [])).toEqual(idsOf(all.filter(({ type }) => type === 'student.created' || type.startsWith('faculty.'))));
    const [from, to] = [all[0], all[1]];
    const between: Listed = await cli.json('events', 'list', '--since', from?.created_at ?? '', '--until', to?.created_at ?? '');
    expect(idsOf(between.items)).toEqual([to?.id]);
    expect((await cli.json('events', 'list', '--until', '24h')).items).toEqual([]);
    expect(await cli.run('events', 'list', '--since', '1m', '--until', '2m')).toEqual({ code: 2, out: '', err: expect.stringMatching(/^usage: --until \(\S+Z\) is before --since \(\S+Z\)\.\n$/) });
    expect(await cli.run('events', 'list', '--until', '2d')).toEqual({ code: 2, out: '', err: expect.stringMatching(/^usage: --until \(\S+Z\) is before --since \(\S+Z, 24h where it is left out\)\.\n$/) });
  });

  it('takes an --until that is still to come, and today', async () => {
    const all = await feed();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    for (const until of ['today', tomorrow.slice(0, 10), tomorrow, '2126-01-01']) {
      for (const since of [[], ['--since', '24h']]) expect([until, idsOf((await cli.json('events', 'list', '--until', until, ...since)).items)]).toEqual([until, idsOf(all)]);
    }
  });

  it('shows times in the zone of --time-zone, and takes those without an offset as of it', async () => {
    const [event, next] = await feed();
    const [row] = parseTable(await cli.text('events', 'list', '--time-zone', 'Asia/Kolkata')).slice(1);
    const local = new Date(Date.parse(event?.created_at ?? '') + 5.5 * 3_600_000).toISOString().replace('Z', '');
    expect(row?.[0]).toBe(`${local}+05:30`);
    const listed: Listed = await cli.json('events', 'list', '--time-zone', 'Asia/Kolkata', '--since', local);
    expect(listed.items[0]).toEqual(next);
    expect((await cli.run('events', 'list', '--time-zone', 'Mars/Base')).err).toMatch(/It must be a time zone such as Europe\/Berlin, UTC, or school\.\n$/);
  });

  it('shows times in the zone of the institution by --time-zone school, and takes those without an offset as of it', async () => {
    const abroad = await api.institution();
    await api.api.domain.database.sql("UPDATE institutions SET time_zone = 'Asia/Tokyo' WHERE id = $1", [abroad.id]);
    for (const full_name of ['Ada', 'Alan']) await api.call('POST', '/students', { key: abroad.apiKey, body: { full_name } });
    const school = keyCommandLine(api, abroad.apiKey);
    const { items: [first, ...others] }: Listed = await school.json('events', 'list');
    const local = new Date(Date.parse(first?.created_at ?? '') + 9 * 3_600_000).toISOString().replace('Z', '');
    expect(parseTable(await school.text('events', 'list', '--time-zone', 'school'))[1]?.[0]).toBe(`${local}+09:00`);
    expect((await school.json('events', 'list', '--time-zone', 'school', '--since', local)).items).toEqual(others);
  });

  it('a mistyped pattern is refused with the one that is meant', async () => {
    expect((await cli.run('events', 'list', '--type', 'exam')).err).toMatch(/No event type is exam: institution events types lists them \(did you mean exam\.\*\?\)\.\n$/);
    expect((await cli.run('events', 'list', '--type', 'studnet.*')).err).toMatch(/No event type is studnet\.\*: institution events types lists them \(did you mean student\.\*\?\)\.\n$/);
  });

  it('a pattern that matches no type ends with 2', async () => {
    expect(await cli.run('events', 'list', '--type', 'pupil.*')).toEqual({ code: 2, out: '', err: expect.stringMatching(/No event type is pupil\.\*: institution events types lists them\.\n$/) });
  });
});

it('ages, today and yesterday count by the clock of the sandbox, which may be ahead', async () => {
  const sandbox = await openSandboxOf(api, await api.institution());
  await sandbox.call('POST', '/students', { full_name: 'Before' });
  await sandbox.advance(30 * 86_400);
  await sandbox.call('POST', '/students', { full_name: 'After' });
  const { data } = await sandbox.call('GET', '/events?type=student.created');
  const ahead = keyCommandLine(api, sandbox.key);
  for (const since of [[], ['--since', '10m'], ['--until', 'today'], ['--since', 'yesterday', '--until', 'today']]) {
    expect((await ahead.json('events', 'list', '--type', 'student.created', ...since)).items).toEqual([data.items[1]]);
  }
  const clock = /^The clock of this sandbox is 30 d ahead: it shows \d{4}-\d\d-\d\dT\d\d:\d\dZ\. Ages, today and yesterday count by it\.\n/;
  expect((await ahead.run('events', 'list', '--until', '10m')).err).toMatch(new RegExp(`${clock.source}No such event since \\S+Z until \\S+Z: an earlier --since looks further back, 30 days at most\\.\\n$`));
});

it('events get shows an event by its id, also in a sandbox that is ahead', async () => {
  const [event] = await feed();
  expect(await cli.json('events', 'get', event?.id ?? '')).toEqual(event);
  expect(parseCard(await cli.text('events', 'get', event?.id ?? ''))).toMatchObject({ id: event?.id, type: event?.type });
  const sandbox = await openSandboxOf(api, institution);
  await sandbox.advance(30 * 86_400);
  await sandbox.call('POST', '/students', {});
  const { data } = await sandbox.call('GET', '/events?type=student.created');
  expect(await keyCommandLine(api, sandbox.key).json('events', 'get', data.items[0].id)).toEqual(data.items[0]);
  expect(await cli.run('events', 'get', data.items[0].id)).toEqual({ code: 1, out: '', err: expect.stringMatching(/^not_found: No such event/) });
  expect(await cli.run('events', 'get', 'stu_1')).toEqual({ code: 2, out: '', err: expect.stringMatching(/^usage: An event has an id such as/) });
});

it('events types lists the types, and which can be triggered', async () => {
  const rows = parseTable(await cli.text('events', 'types'));
  expect(rows).toContainEqual(['exam.graded', 'yes', expect.any(String)]);
  expect(rows).toContainEqual(['faculty.profile_completed', 'no', expect.any(String)]);
  const { items } = JSON.parse(await cli.text('events', 'types', '--json'));
  expect(items).toEqual(expect.arrayContaining([expect.objectContaining({ type: 'exam.graded', trigger: true }), expect.objectContaining({ type: 'faculty.profile_completed', trigger: false })]));
});

describe('events tail', () => {
  it('ends with 0 when the reader of its output is gone, though nothing more happens', async () => {
    await createStudents(2);
    const tail = cli.start('events', 'tail', '--since', '1h', '--json');
    // Its output cannot be read to the end here.
    tail.ended.catch(() => undefined);
    // As head does: it is gone before the first line.
    tail.process.stdout?.destroy();
    expect(await once(tail.process, 'exit')).toEqual([0, null]);
  });

  it('shows what comes from its beginning on, each once, and says at its end where to go on', async () => {
    const tail = cli.start('events', 'tail', '--json');
    let out = '';
    tail.process.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
    // It begins at some moment: events are made until it shows one.
    await eventually('the first event', async () => {
      await createStudents(1);
      return out.includes('\n');
    });
    await createStudents(3);
    const newest = (await feed()).at(-1);
    await eventually('the newest event', () => jsonLines<{ id: string }>(out).at(-1)?.id === newest?.id);
    tail.process.kill('SIGINT');
    const { code, err } = await tail.ended;
    const seen = idsOf(jsonLines(out));
    const all = idsOf(await feed());
    expect(seen).toEqual(all.slice(all.indexOf(seen[0] ?? '')));
    expect([code, err]).toEqual([130, `Events of the institution, by a live key (trigger causes those of the sandbox, which a test key reads), follow; Ctrl-C ends it.\n{"success":false,"error":"interrupted","message":"Ended; --since ${newest?.created_at} goes on where it ended."}\n`]);
    await createStudents(1);
    const resumed = cli.start('events', 'tail', '--since', newest?.created_at ?? '', '--json');
    let more = '';
    resumed.process.stdout?.on('data', (chunk: Buffer) => (more += chunk.toString()));
    const later = idsOf(await feed()).slice(all.length);
    await eventually('what came meanwhile', () => jsonLines(more).length >= later.length);
    resumed.process.kill('SIGTERM');
    expect((await resumed.ended).code).toBe(143);
    expect(idsOf(jsonLines(more))).toEqual(later);
  });

  it('waits where the API is busy, broken or away, and goes on without a gap', async () => {
    const event = (n: number) => ({ id: `evt_${n}`, type: 'student.created', created_at: `2026-11-20T09:30:0${n}.000Z`, institution_id: 'ins_1', data: { student_id: 'stu_\u001b[2J' } });
    const page = (n: number, has_more: boolean) => succeeds({ items: [event(n)], has_more, next_since: event(n).created_at });
    const busy = respondsWith(429, { success: false, error: 'rate_limited', message: 'Slow down.' }, { 'retry-after': '1' });
    const broken = respondsWith(500, { success: false, error: 'internal_error', message: 'Something broke.' });
    const server = await startStubServer([page(1, true), busy, page(2, true), broken, closesConnection, page(3, true), succeeds({ items: [], has_more: false, next_since: event(3).created_at })]);
    const { baseUrl } = server;
    const tail = keyCommandLine({ ...api, baseUrl }, 'svc_test_x').start('events', 'tail', '--since', '2026-11-20T09:30:00Z');
    await eventually('the end of the feed', () => server.requests.length >= 7);
    tail.process.kill('SIGINT');
    const { code, out, err } = await tail.ended;
    await server.close();
    expect(parseTable(out).map(([, , id]) => id)).toEqual(['evt_1', 'evt_2', 'evt_3']);
    expect(out).not.toContain('\u001b');
    expect(server.requests.map(({ url }) => new URL(url, 'http://x').searchParams.get('since')?.slice(17, 19))).toEqual(['00', '01', '01', '02', '02', '02', '03']);
    expect(code).toBe(130);
    expect(err.split('\n').slice(0, 3)).toEqual(['Events of the sandbox follow; Ctrl-C ends it.', expect.stringMatching(/^internal_error: Something broke\. \(req_1\); it is asked again until it answers\.$/), 'It answers again.']);
  });

  it('ends where it never got an answer, and where its key is not valid', async () => {
    expect(await keyCommandLine({ ...api, baseUrl: 'http://127.0.0.1:1/v1' }, 'svc_test_x').run('events', 'tail')).toEqual({ code: 3, out: '', err: expect.stringMatching(/^unreachable: /) });
    expect(await keyCommandLine(api, 'svc_test_x').run('events', 'tail')).toEqual({ code: 1, out: '', err: expect.stringMatching(/^invalid_api_key: /) });
  });
});

import { apiFixture } from '../../support/apiFixture';
import { requestOf } from '../../support/disclosures';
import { eventually } from '../../support/eventually';
import { withConnection } from '../../../local/programs/postgres';
import { newId } from '../../../domain/ids';
import { seedAuditLog } from '../../support/seed/auditLog';
import { daysBefore } from '../../support/time';

const { api, institution, call } = apiFixture({ institutionPer: 'file' });

interface Line {
  log: string;
  id?: string;
  cursor: string;
  more?: boolean;
  request_id?: string;
}

/** The lines of an export. */
async function exported(query: Record<string, string | number>): Promise<Line[]> {
  const { status, headers, body } = await api.platform('GET', '/audit-log/export', { query });
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
  const lines: string[] = body.text.split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line));
}

/** All entries from a position on, by exports of so many. */
async function entriesAfter(first: Record<string, string | number>, limit: number): Promise<{ entries: Line[]; cursor: string }> {
  const entries: Line[] = [];
  for (let query = first; ; ) {
    const lines = await exported({ ...query, limit });
    const end = lines.pop();
    if (end?.log !== 'end') throw new Error('The export has no end');
    entries.push(...lines);
    if (end.more !== true) return { entries, cursor: end.cursor };
    expect(lines).toHaveLength(limit);
    query = { cursor: end.cursor };
  }
}

it('the export has the writes and reads of all institutions, each once, in their order, with what the logs say of them', async () => {
  const since = new Date(Date.now() - 60_000).toISOString();
  const other = await api.institution();
  const { id } = (await call('POST', '/students', {})).data;
  const write = requestOf(await call('POST', `/students/${id}/suspend`));
  const read = requestOf(await call('GET', `/students/${id}`));
  const ofOther = requestOf(await call('GET', '/students', undefined, other));
  const { entries } = await eventually('the reads are on record', async () => {
    const all = await entriesAfter({ since }, 1_000);
    return all.entries.some(({ request_id }) => request_id === ofOther) && all;
  });
  const actor = { kind: 'key', id: institution.keyId };
  const said = { institution_id: institution.id, actor, at: expect.any(String), cursor: expect.any(String) };
  expect(entries.find(({ request_id }) => request_id === write)).toEqual({
    log: 'audit', id: expect.stringMatching(/^aud_/), ...said, operation: 'suspendStudent', method: 'POST', path: '/v1/students/{id}/suspend', target: { id }, changed: [], request_id: write,
  });
  expect(entries.find(({ request_id }) => request_id === read)).toEqual({
    log: 'disclosure', id: expect.stringMatching(/^dsc_/), ...said, operation: 'getStudent', what: 'record', subject_id: id, query: { id }, request_id: read,
  });
  const times = entries.map((line) => Reflect.get(line, 'at'));
  expect(times).toEqual(times.toSorted());
  expect(new Set(entries.map((line) => line.id)).size).toBe(entries.length);
});

it('an export goes on from the cursor of any of its lines, and the last says where to go on', async () => {
  const at = daysBefore(new Date(), 300);
  await seedAuditLog(api, institution, { at, count: 1_203 });
  const since = new Date(at.getTime() - 1).toISOString();
  const whole = await entriesAfter({ since }, 100_000);
  const inParts = await entriesAfter({ since }, 501);
  const size = whole.entries.length;
  expect(size).toBeGreaterThanOrEqual(1_203);
  expect(inParts.entries.slice(0, size)).toEqual(whole.entries);
  const middle = whole.entries[600];
  const rest = await entriesAfter({ cursor: middle?.cursor ?? '' }, 100_000);
  expect(rest.entries.slice(0, size - 601)).toEqual(whole.entries.slice(601));
});

it('a moment that is given is excluded', async () => {
  const at = daysBefore(new Date(), 350);
  await seedAuditLog(api, institution, { at, count: 2 });
  const [first, second] = await exported({ since: at.toISOString(), limit: 2 });
  const [again] = await exported({ since: new Date(at.getTime() + 1).toISOString(), limit: 1 });
  expect([first?.log, again?.id]).toEqual(['audit', second?.id]);
});

it('what a transaction writes that is open during an export is in the next one', async () => {
  const { cursor } = await entriesAfter({ since: new Date(Date.now() - 1_000).toISOString() }, 1_000);
  await withConnection(api.settings.databaseUrl, async (client) => {
    const id = newId('aud');
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO audit_log (id, institution_id, actor_kind, actor_id, operation, method, path, target, changed, request_id)
       VALUES ($1, $2, 'key', 'key_1', 'createStudent', 'POST', '/v1/students', '{}', '{}', 'req_1')`,
      [id, institution.id],
    );
    // Later than the open one, and committed before it.
    const later = requestOf(await call('POST', '/students', {}));
    const during = await entriesAfter({ cursor }, 1_000);
    expect(during.entries.filter((line) => line.id === id || line.request_id === later)).toEqual([]);
    await client.query('COMMIT');
    const { entries } = await entriesAfter({ cursor: during.cursor }, 1_000);
    expect(entries.filter((line) => line.id === id || line.request_id === later).map((line) => line.id === id)).toEqual([true, false]);
  });
});

it.each<[what: string, query: Record<string, string>]>([
  ['neither a moment nor a cursor', {}],
  ['both', { since: '2026-11-20T09:30:00Z', cursor: 'WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiLCIiXQ' }],
  ['a text that is no cursor', { cursor: 'none' }],
  ['a cursor of no time', { cursor: Buffer.from('["2026-99-20T09:30:00.000Z",""]').toString('base64url') }],
  ['more entries than an export has', { since: '2026-11-20T09:30:00Z', limit: '100001' }],
])('an export is refused with %s', async (_what, query) => {
  const { status, body } = await api.platform('GET', '/audit-log/export', { query });
  expect([status, body.error]).toEqual([422, 'validation_error']);
});

it('an export is for the platform alone', async () => {
  const { status } = await api.platform('GET', '/audit-log/export', { key: undefined, query: { since: '2026-11-20T09:30:00Z' } });
  expect(status).toBe(401);
});

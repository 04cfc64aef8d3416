import type { OperationRecord } from '../../api/http/operation';
import { platformOperations } from '../../api/operations/platform';
import { publicOperations } from '../../api/operations/public';
import { apiFixture, institutionFor } from '../support/apiFixture';
import type { ApiResponse } from '../support/api';
import { keyForRecord, pathOf } from '../support/operations';
import { seedEveryList, type EveryList } from '../support/seed/everyList';

const fixture = apiFixture({ institutionPer: 'file' });
const { api, institution } = fixture;
const otherInstitution = institutionFor(api, 'file');
let seeded: EveryList;

beforeAll(async () => {
  seeded = await seedEveryList(fixture);
});

type AnyRecord = Pick<OperationRecord<never>, 'method' | 'path' | 'request' | 'access' | 'operationId'>;
type QueryValues = Record<string, string | number | boolean>;

const records: readonly AnyRecord[] = [...publicOperations, ...platformOperations];
const namesIn = ({ request }: AnyRecord): string[] => Object.keys(request.query?.describe().keys ?? {});
const nameOf = ({ path, access }: AnyRecord): string => `GET ${access.by === 'key' ? '/v1' : '/platform/v1'}${path}`;

/** The lists that have pages. */
const paged = records.filter((record) => record.method === 'GET' && ['page', 'limit'].every((name) => namesIn(record).includes(name)));
const named = paged.map((record) => [nameOf(record), record] as const);

/** Everything of the stack: other test files create some meanwhile. */
const isOfAllInstitutions = ({ operationId }: AnyRecord): boolean => ['listInstitutions', 'listStaff', 'listPlatformAuditLog', 'listFailingEndpoints'].includes(operationId);
const ofInstitution = named.filter(([, record]) => !isOfAllInstitutions(record));

/** Asks for a list as somebody who may, in the seeded institution or another one. */
async function ask(record: AnyRecord, query: QueryValues, of = institution): Promise<ApiResponse> {
  const path = pathOf(record.path, { ...(record.path.startsWith('/institutions/:id') ? { id: of.id } : {}), ...seeded.params[record.path] });
  if (record.access.by === 'key') return api.call('GET', path, { key: await keyForRecord(api, of, { access: record.access }), query });
  const key = seeded.sessions[record.path];
  const institutionOf: QueryValues = namesIn(record).includes('institution_id') ? { institution_id: of.id } : {};
  const isEndpoints = record.path === '/webhooks/endpoints';
  return api.platform('GET', path, { query: { ...institutionOf, ...query }, ...(key === undefined ? {} : { key }), ...(isEndpoints ? { headers: { 'x-actor': of.adminId } } : {}) });
}

/** A page of a list, in any of the shapes that answers have, and its rows as texts. */
function pageIn({ status, body, data }: ApiResponse): { rows: string[]; page: unknown; total: unknown; has_more: boolean; next_cursor: string | null } {
  if (status !== 200) throw new Error(`The list answered ${status}: ${JSON.stringify(body)}`);
  const { items, events, activations, page, total, has_more, next_cursor } = data.ledger ?? data;
  return { rows: (items ?? events ?? activations).map((row: unknown) => JSON.stringify(row)), page, total, has_more, next_cursor };
}

/** Everything of a list by page. */
async function readByPage(record: AnyRecord): Promise<string[]> {
  const rows = [];
  for (let page = 1; ; page += 1) {
    const read = pageIn(await ask(record, { page, limit: 20 }));
    rows.push(...read.rows);
    if (!read.has_more) return rows;
  }
}

/** Everything of a list by cursor, from a query on. */
async function walk(record: AnyRecord, limit: number, begin: QueryValues = { cursor: '' }): Promise<string[]> {
  const rows = [];
  for (let query = begin; ; ) {
    const read = pageIn(await ask(record, { ...query, limit }));
    rows.push(...read.rows);
    expect(read.has_more).toBe(read.next_cursor !== null);
    if (read.next_cursor === null) return rows;
    query = { cursor: read.next_cursor };
  }
}

const outcome = ({ status, body }: ApiResponse): unknown[] => [status, body.error, body.issues];
const refused = (rule: string | RegExp): unknown[] => [422, 'validation_error', [{ path: 'cursor', message: expect.stringMatching(rule) }]];

it('every list with page and limit takes a cursor, in both APIs', () => {
  expect(paged.length).toBeGreaterThan(40);
  expect(paged.filter((record) => !namesIn(record).includes('cursor')).map(nameOf)).toEqual([]);
});

describe('a walk by cursor', () => {
  it.each(ofInstitution)('has every row once, in the order of the pages: %s', async (_name, record) => {
    const rows = await readByPage(record);
    expect(rows.length).toBeGreaterThanOrEqual(5);
    expect(new Set(rows).size).toBe(rows.length);
    expect(await walk(record, 2)).toEqual(rows);
  });

  it.each(ofInstitution)('goes on from a page: %s', async (_name, record) => {
    const rows = await readByPage(record);
    const { next_cursor } = pageIn(await ask(record, { page: 2, limit: 2 }));
    expect(await walk(record, 1, { cursor: next_cursor ?? '' })).toEqual(rows.slice(4));
  });

  it.each(ofInstitution)('counts nothing: %s', async (_name, record) => {
    expect(pageIn(await ask(record, { cursor: '', limit: 2 }))).toMatchObject({ page: null, total: null, has_more: true, rows: { length: 2 } });
    expect(pageIn(await ask(record, { page: 1, limit: 2 }))).toMatchObject({ page: 1, total: expect.any(Number) });
  });

  it('has every institution once', async () => {
    const record = paged.find(({ operationId }) => operationId === 'listInstitutions');
    if (record === undefined) throw new Error('The institutions are not listed');
    const ids = (await walk(record, 200)).map((row) => JSON.parse(row).id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining([institution.id, otherInstitution.id]));
  });
});

describe('a cursor is refused with validation_error, which names it and says what would be right', () => {
  const nextOf = async (record: AnyRecord): Promise<string> => pageIn(await ask(record, { cursor: '', limit: 1 })).next_cursor ?? '';

  it.each(named)('broken, forged, or with a page: %s', async (_name, record) => {
    const cursor = await nextOf(record);
    const flipped = `${cursor.slice(0, -6)}${cursor.at(-6) === 'A' ? 'B' : 'A'}${cursor.slice(-5)}`;
    const unsigned = Buffer.from(JSON.stringify(['1', record.operationId, '', '', 'x'])).toString('base64url');
    for (const broken of ['1', 'not a cursor', '\u0000', '%', flipped, cursor.slice(1), `${cursor}A`, `${cursor}=`, unsigned, 'a'.repeat(999)]) {
      expect([broken, ...outcome(await ask(record, { cursor: broken }))]).toEqual([broken, ...refused('must be a next_cursor of this list as it was answered, or empty')]);
    }
    expect(outcome(await ask(record, { cursor: 'a'.repeat(1_001) }))).toEqual(refused('at most 1000'));
    expect(outcome(await ask(record, { cursor, page: 1 }))).toEqual(refused('^cursor must be sent without page$'));
  });

  it.each(named)('of another list: %s', async (_name, record) => {
    // The portal's list of students is that of the public API.
    const [path, list] = record.path.endsWith('/students') ? ['/groups', 'listGroups'] : ['/students', 'listStudents'];
    const { data } = await fixture.listAt(path, { cursor: '', limit: 1 });
    expect(outcome(await ask(record, { cursor: data.next_cursor }))).toEqual(refused(`^cursor is of another list \\(${list}\\)`));
  });

  const withoutPathOrSession = ofInstitution.filter(([, { path }]) => !path.includes(':') && !path.startsWith('/guardian/') && !path.startsWith('/app/'));
  it.each(withoutPathOrSession)('of another institution: %s', async (_name, record) => {
    expect(outcome(await ask(record, { cursor: await nextOf(record) }, otherInstitution))).toEqual(refused('^cursor is of another institution'));
  });

  it.each([
    ['/students', { status: 'active' }],
    ['/licenses', { status: 'active' }],
    ['/merits/ledger', { since: '2020-01-01T00:00:00Z' }],
    ['/webhooks/deliveries', { status: 'dead' }],
  ])('of other filters: %s', async (path, filter: QueryValues) => {
    const next = async (query: QueryValues): Promise<string> => (await fixture.listAt(path, { ...query, cursor: '', limit: 1 })).data.next_cursor;
    for (const [with_, without] of [[filter, {}], [{}, filter]] as const) {
      expect(outcome(await fixture.listAt(path, { ...without, cursor: await next(with_) }))).toEqual(refused('^cursor is of other filters: it must be sent with the path and filters'));
    }
    expect((await fixture.listAt(path, { ...filter, cursor: await next(filter), limit: 2 })).status).toBe(200);
  });

  it('of another path, or another person', async () => {
    const exams = async (id: string, query: QueryValues) => fixture.listAt(`/students/${id}/exams`, query);
    const id = seeded.params['/students/:id/exams']?.id ?? '';
    const { data } = await exams(id, { cursor: '', limit: 1 });
    const [other = ''] = await fixture.createStudents(1);
    expect(outcome(await exams(other, { cursor: data.next_cursor }))).toEqual(refused('^cursor is of other filters'));
    const app = paged.find(({ path }) => path === '/app/exams');
    if (app === undefined) throw new Error('The app lists no exams');
    const { next_cursor } = pageIn(await ask(app, { cursor: '', limit: 1 }));
    const followed = paged.find(({ path }) => path === '/guardian/students');
    if (followed === undefined) throw new Error('Guardians list no students');
    expect(outcome(await ask(followed, { cursor: next_cursor ?? '' }))).toEqual(refused('^cursor is of another'));
  });
});

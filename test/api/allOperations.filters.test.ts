import type { OperationRecord } from '../../api/http/operation';
import { platformOperations } from '../../api/operations/platform';
import { publicOperations } from '../../api/operations/public';
import { kindOfField, type ResourceKind } from '../support/resourceFactories';
import { exampleBodyOf, keyForRecord, pathOf } from '../support/operations';
import { fetchServedDocument, type ServedDocument } from '../support/servedDocument';
import { apiFixture } from '../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });
let platform: ServedDocument;

beforeAll(async () => {
  platform = await fetchServedDocument(api.platformUrl);
});

type AnyRecord = Pick<OperationRecord<never>, 'method' | 'path' | 'request' | 'access'>;
const records: readonly AnyRecord[] = [...publicOperations, ...platformOperations];

const names = (schema: AnyRecord['request']['query']): string[] => Object.keys(schema?.describe().keys ?? {});
const nameOf = ({ method, path, access }: AnyRecord): string => `${method} ${access.by === 'key' ? '/v1' : '/platform/v1'}${path}`;

/** The institution's own identifier of a student, which people take for the id of one. */
const ownIdentifier = 'W-1';

async function ask(record: AnyRecord, { query = {}, body }: { query?: Record<string, string>; body?: object }) {
  const sent = { query, ...(body === undefined ? {} : { body }) };
  if (record.access.by === 'key') return api.call(record.method, pathOf(record.path), { key: await keyForRecord(api, institution, record), ...sent });
  const path = pathOf(record.path, { id: institution.id });
  return api.platform(record.method, path, sent);
}

const filtersOf = (record: AnyRecord): [string, string, AnyRecord, ResourceKind | undefined][] =>
  names(record.request.query)
    .filter((name) => /(^|_)(id|email)$/.test(name))
    .flatMap((name): [string, string, AnyRecord, ResourceKind | undefined][] => {
      const kind = kindOfField(record.path.replace('/institutions/:id', ''), name);
      return kind === null ? [] : [[nameOf(record), name, record, kind]];
    });

const filters = records.flatMap(filtersOf);
const people = new Set<ResourceKind | undefined>(['student', 'faculty', 'person']);

describe('a filter that wants an id or a login email', () => {
  it('is found in more than ten operations', () => {
    expect(filters.length).toBeGreaterThan(10);
  });

  it.each(filters)('refuses what is neither: %s?%s=', async (_name, filter, record, kind) => {
    const { status, body } = await ask(record, { query: { [filter]: ownIdentifier } });
    expect([status, body.error, body.issues?.map(({ path }: { path: string }) => path)]).toEqual([422, 'validation_error', [filter]]);
    expect(body.issues[0].message).toMatch(people.has(kind) ? /login email/ : / must be (an|the) id/);
    if (kind === 'student') expect(body.issues[0].message).toContain('GET /students?student_id=');
  });
});

const sinces = ['since', 'updated_since'];
const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
const ofQueries = records.flatMap((record) => names(record.request.query).filter((name) => sinces.includes(name)).map((name) => [nameOf(record), name, record] as const));
const ofBodies = records.flatMap((record) => names(record.request.body).filter((name) => sinces.includes(name)).map((name) => [nameOf(record), name, record] as const));

describe('a moment from which on is asked', () => {
  it('is found in queries and bodies', () => {
    expect([ofQueries.length >= 10, ofBodies.length > 1]).toEqual([true, true]);
  });

  it.each(ofQueries)('may be 4 minutes ahead, not 6: %s?%s=', async (_name, name, record) => {
    const refused = await ask(record, { query: { [name]: inMinutes(6) } });
    expect([refused.status, refused.body.issues]).toEqual([422, [{ path: name, message: `${name} must be at most 5 minutes ahead of the service's clock; a sandbox has a clock of its own, GET /v1/sandbox/clock` }]]);
    const letIn = await ask(record, { query: { [name]: inMinutes(4) } });
    expect(letIn.body.error).not.toBe('validation_error');
  });

  it.each(ofBodies)('may be 4 minutes ahead, not 6, in a body too: %s, %s', async (_name, name, record) => {
    // An end that the example names would be before the moment.
    const { until: _until, ...example } = exampleBodyOf(record.access.by === 'key' ? api.served : platform, record);
    const refused = await ask(record, { body: { ...example, [name]: inMinutes(6) } });
    expect([refused.status, refused.body.issues]).toEqual([422, [{ path: name, message: `${name} must be at most 5 minutes ahead of the service's clock; a sandbox has a clock of its own, GET /v1/sandbox/clock` }]]);
    const letIn = await ask(record, { body: { ...example, [name]: inMinutes(4) } });
    expect(letIn.body.error).not.toBe('validation_error');
  });
});

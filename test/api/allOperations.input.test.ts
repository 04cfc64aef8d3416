import fc from 'fast-check';
import { publicOperations } from '../../api/operations/public';
import { withInvalidField, arbitraryOf } from '../support/schemaArbitraries';
import { bodySchemaOf, exampleBodyOf, keyForRecord, pathOf, sendOperation } from '../support/operations';
import { pathParameterKinds, createResource } from '../support/resourceFactories';
import { apiFixture } from '../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });

const named = publicOperations.map((record) => [`${record.method} ${record.path}`, record] as const);
const paths = (issues: { path: string }[] | undefined): string[] => (issues ?? []).map(({ path }) => path);

describe('what nobody knows is refused', () => {
  // Contract: errors.conditions.invalid-query
  it.each(named)('a query parameter: %s', async (_name, record) => {
    const { status, body } = await api.call(record.method, `${pathOf(record.path)}?surprise=1`, { key: await keyForRecord(api, institution, record) });
    expect([status, body.error, paths(body.issues)]).toEqual([422, 'validation_error', expect.arrayContaining(['surprise'])]);
  });

  const withJson = named.filter(([, { method, request }]) => method !== 'GET' && !Object.hasOwn(request, 'upload'));
  // Contract: errors.body.validation-issues, errors.422.validation-error, errors.conditions.invalid-body
  it.each(withJson)('a body field: %s', async (_name, record) => {
    const { status, body } = await api.call(record.method, pathOf(record.path), {
      key: await keyForRecord(api, institution, record),
      body: { ...exampleBodyOf(api.served, record), surprise: 1 },
    });
    expect([status, body.error, paths(body.issues)]).toEqual([422, 'validation_error', ['surprise']]);
  });

  const withQuery = named.filter(([, { request }]) => request.query !== undefined);
  it.each(withQuery)('a parameter given twice: %s', async (_name, record) => {
    const [parameter = ''] = Object.keys(record.request.query?.describe().keys ?? {});
    const { status, body } = await api.call(record.method, `${pathOf(record.path)}?${parameter}=1&${parameter}=1`, { key: await keyForRecord(api, institution, record) });
    expect([status, paths(body.issues)]).toEqual([422, expect.arrayContaining([parameter])]);
  });

  const paged = named.filter(([, { request }]) => Object.hasOwn(request.query?.describe().keys ?? {}, 'limit'));
  it.each(paged)('a limit out of bounds, or that is no whole number: %s', async (_name, record) => {
    for (const limit of ['0', '-1', '201', '1.5', 'ten', '', '1e3', '0x10']) {
      const { status, body } = await api.call(record.method, pathOf(record.path), { key: await keyForRecord(api, institution, record), query: { limit } });
      expect([limit, status, paths(body.issues)]).toEqual([limit, 422, ['limit']]);
    }
  });
});

describe('nothing that a client can send is answered 500', () => {
  // A bulk call waits for workflows, which nobody runs here; its own test has a worker.
  const withBody = named.filter(([, { request, operationId }]) => request.body !== undefined && operationId !== 'createStudentsBulk');
  it.each(withBody)('%s', async (_name, record) => {
    const params = await Promise.all(pathParameterKinds(record.path).map(async ([parameter, kind]) => [parameter, kind && (await createResource[kind](api, institution))] as const));
    const path = pathOf(record.path, Object.fromEntries(params.flatMap(([parameter, id]) => (id === undefined ? [] : [[parameter, id]]))));
    const schema = bodySchemaOf(api.served, record);
    const bodies = arbitraryOf(schema, api.served.resolve);
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 2, arbitrary: bodies }, withInvalidField(bodies, Object.keys(schema.properties ?? {}))), async (body) => {
        const { status } = await sendOperation(api, record, path, await keyForRecord(api, institution, record), Object(body));
        expect(status).not.toBe(500);
      }),
      { numRuns: 15, interruptAfterTimeLimit: 5_000 },
    );
  });

  const withQuery = named.filter(([, { request }]) => request.query !== undefined);
  it.each(withQuery)('query of %s', async (_name, record) => {
    const names = Object.keys(record.request.query?.describe().keys ?? {});
    const odd = fc.constantFrom('', ' ', '1', '-1', '0', '1e9', 'true', 'null', '\u0000', '\'', '%', '"', 'exam.*', '*', '2026-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z', '275760-09-13T00:00:00Z', '\ud800', 'a'.repeat(400));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), odd, async (name, value) => {
        const { status } = await api.call(record.method, pathOf(record.path), { key: institution.apiKey, query: { [name]: value } });
        expect(status).not.toBe(500);
      }),
      { numRuns: 25, interruptAfterTimeLimit: 5_000 },
    );
  });
});

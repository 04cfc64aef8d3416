import { publicOperations } from '../../api/operations/public';
import type { ApiResponse, TestInstitution } from '../support/api';
import { bodySchemaOf, exampleBodyOf, isTestOnly, pathOf, sendOperation } from '../support/operations';
import { kindOfField, pathParameterKinds, createResource, unknownResourceId, type ResourceKind } from '../support/resourceFactories';
import { apiFixture, institutionFor } from '../support/apiFixture';

const fixture = apiFixture({ institutionPer: 'file' });
const { api } = fixture;
const otherInstitution = institutionFor(api, 'file');
let otherInstitutionBefore: unknown;
let sandbox: TestInstitution;

const nameOf = ({ method, path }: Pick<(typeof publicOperations)[number], 'method' | 'path'>): string => `${method} ${path}`;

const inPaths = publicOperations.flatMap((record) => pathParameterKinds(record.path).map(([parameter, kind]) => [nameOf(record), parameter, record, kind] as const));

const inFilters = publicOperations.flatMap((record) => {
  const names = Object.keys(record.request.query?.describe().keys ?? {}).filter((name) => /(^|_)(id|email)$/.test(name));
  return names.flatMap((name) => {
    const kind = kindOfField(record.path, name);
    return kind === null ? [] : [[nameOf(record), name, record, kind] as const];
  });
});

const inBodies = publicOperations.flatMap((record) =>
  Object.keys(record.request.body?.describe().keys ?? {}).flatMap((name) => {
    const kind = kindOfField(record.path, name);
    return kind == null ? [] : [[nameOf(record), name, record, kind] as const];
  }),
);

/** One thing of each kind and institution, made when first asked for. */
const seededIds = new Map<string, Promise<string>>();
function ownId(institution: TestInstitution, kind: ResourceKind): Promise<string> {
  const name = `${institution.id} ${kind}`;
  const id = seededIds.get(name) ?? createResource[kind](api, institution);
  seededIds.set(name, id);
  return id;
}

/** The institution whose key calls an operation: a sandbox where it takes no other. */
const callerOf = (record: Pick<(typeof publicOperations)[number], 'access'>): TestInstitution => (isTestOnly(record) ? sandbox : fixture.institution);

async function ownParams(record: (typeof publicOperations)[number]): Promise<Record<string, string>> {
  const entries = pathParameterKinds(record.path).map(async ([parameter, kind]) => {
    if (kind === undefined) throw new Error(`test/support/resourceFactories.ts does not know what :${parameter} of ${record.path} names`);
    return [parameter, await ownId(callerOf(record), kind)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

const plainLists = publicOperations.filter((record) => record.method === 'GET' && !record.path.includes(':') && record.path !== '/me' && !isTestOnly(record));

/** Everything that an institution can list of itself. */
const listEverything = async ({ apiKey }: TestInstitution): Promise<unknown> =>
  Promise.all(
    plainLists.map(async ({ path }) => {
      const { status, data } = await api.call('GET', path, { key: apiKey });
      expect([path, status]).toEqual([path, 200]);
      return [path, data];
    }),
  );

beforeAll(async () => {
  sandbox = await api.sandboxOf(fixture.institution);
  const kinds = new Set([...inPaths, ...inFilters, ...inBodies].flatMap(([, , , kind]) => (kind === undefined ? [] : [kind])));
  // A kind that cannot be made fails the tests that need it.
  await Promise.allSettled([...kinds].map((kind) => ownId(otherInstitution, kind)));
  otherInstitutionBefore = await listEverything(otherInstitution);
});

const outcome = ({ status, body }: ApiResponse): unknown => ({ status, error: body.error, message: body.message, issues: body.issues });

describe('an id of one\'s own', () => {
  // Erasures have tests of their own: an erased person is of no use to the others here. So do exports, which are there once somebody has asked for one.
  const reads = publicOperations.filter(({ method, path }) => method === 'GET' && path.includes(':') && !path.endsWith('/erasure') && !path.endsWith('/export'));
  it.each(reads.map((record) => [nameOf(record), record] as const))('is answered: %s', async (_name, record) => {
    const { status } = await api.call(record.method, pathOf(record.path, await ownParams(record)), { key: callerOf(record).apiKey });
    expect(status).toBe(200);
  });
});

describe('an id of another institution', () => {
  // Contract: service.rest.institution-scoped, isolation.other-institution.not-found, errors.404.not-found, errors.conditions.not-in-institution
  it.each(inPaths)('in the path is answered like one that does not exist: %s, :%s', async (_name, parameter, record, kind) => {
    if (kind === undefined) throw new Error(`test/support/resourceFactories.ts does not know what :${parameter} of ${record.path} names`);
    const params = await ownParams(record);
    const body = exampleBodyOf(api.served, record);
    const foreign = await sendOperation(api, record, pathOf(record.path, { ...params, [parameter]: await ownId(otherInstitution, kind) }), callerOf(record).apiKey, body);
    const unknown = await sendOperation(api, record, pathOf(record.path, { ...params, [parameter]: unknownResourceId(kind) }), callerOf(record).apiKey, body);
    expect(outcome(foreign)).toEqual(outcome(unknown));
    expect([foreign.status, foreign.body.error]).toEqual([404, kind === 'person' ? 'user_not_found' : 'not_found']);
  });

  it.each(inPaths)('in a path is answered with the code of a value that could not be an id: %s, %s', async (_name, parameter, record, kind) => {
    if (kind === undefined) throw new Error(`test/support/resourceFactories.ts does not know what :${parameter} of ${record.path} names`);
    const params = await ownParams(record);
    const ask = (id: string) => sendOperation(api, record, pathOf(record.path, { ...params, [parameter]: id }), callerOf(record).apiKey, exampleBodyOf(api.served, record));
    const unknown = await ask(unknownResourceId(kind));
    for (const impossible of [await ask('\u009b'), await ask('a'.repeat(2_000))]) {
      expect([impossible.status, impossible.body.error]).toEqual([unknown.status, unknown.body.error]);
    }
  });

  // Contract: isolation.other-institution.not-found
  it.each(inFilters)('in a filter finds nothing, like one that does not exist: %s?%s=', async (_name, name, record, kind) => {
    if (kind === undefined) throw new Error(`test/support/resourceFactories.ts does not know what ?${name} of ${record.path} names`);
    const path = pathOf(record.path, await ownParams(record));
    const ask = (id: string) => api.call(record.method, path, { key: callerOf(record).apiKey, query: { [name]: id } });
    const [foreign, unknown] = await Promise.all([ask(await ownId(otherInstitution, kind)), ask(unknownResourceId(kind))]);
    expect([foreign.status, foreign.body]).toEqual([unknown.status, unknown.body]);
    expect(foreign.data?.items ?? []).toEqual([]);
  });

  // Contract: isolation.other-institution.not-found
  it.each(inBodies)('in a body is taken as one that does not exist: %s, %s', async (_name, name, record, kind) => {
    await expectTreatedAsUnknown(name, record, kind);
  });

  async function expectTreatedAsUnknown(name: string, record: (typeof publicOperations)[number], kind: ResourceKind): Promise<void> {
    const { required = [], properties = {} } = bodySchemaOf(api.served, record);
    const example = exampleBodyOf(api.served, record);
    const bodyWith = async (id: string): Promise<object> => {
      const entries = required.filter((field) => field !== name).map(async (field) => {
        const other = kindOfField(record.path, field);
        return [field, other == null ? example[field] : await ownId(callerOf(record), other)] as const;
      });
      const isList = properties[name]?.type === 'array';
      return { ...Object.fromEntries(await Promise.all(entries)), [name]: isList ? [id] : id };
    };
    const path = pathOf(record.path, await ownParams(record));
    const unknown = await sendOperation(api, record, path, callerOf(record).apiKey, await bodyWith(unknownResourceId(kind)));
    const foreign = await sendOperation(api, record, path, callerOf(record).apiKey, await bodyWith(await ownId(otherInstitution, kind)));
    expect(outcome(foreign)).toEqual(outcome(unknown));
  }
});

it('leaves everything of the other institution as it was', async () => {
  expect(await listEverything(otherInstitution)).toEqual(otherInstitutionBefore);
});

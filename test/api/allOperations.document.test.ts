import type Joi from 'joi';
import fc from 'fast-check';
import { appsOperations } from '../../api/operations/apps';
import { publicOperations } from '../../api/operations/public';
import { platformOperations } from '../../api/operations/platform';
import { openApiPath } from '../../api/http/openapi/describeOperation';
import { appsDocument, platformDocument } from '../../api/http/openapi/platformDocument';
import { publicDocument } from '../../api/http/openapi/publicDocument';
import { statusOf } from '../../api/http/errors';
import { createServedDocument, escapePointer, type ServedDocument, type ServedOperation } from '../support/servedDocument';
import { withInvalidField, arbitraryOf } from '../support/schemaArbitraries';

interface DocumentedRecord {
  method: string;
  path: string;
  operationId: string;
  errors: readonly (keyof typeof statusOf)[];
  request: { params?: Joi.ObjectSchema; query?: Joi.ObjectSchema; body?: Joi.ObjectSchema; upload?: object };
}

const apis: [string, readonly DocumentedRecord[], ServedDocument][] = [
  ['public', publicOperations, publicDocument(publicOperations, 'https://api.institution.test/v1')],
  ['platform', platformOperations, platformDocument(platformOperations, '/platform/v1')],
  ['apps', appsOperations, appsDocument(appsOperations, '/platform/v1')],
].map(([name, records, document]) => [name, records, createServedDocument(JSON.parse(JSON.stringify(document)))] as never);

/** Parts of a body that are no matter of validation: the API answers them one by one, or with a code of their own. */
const answeredOtherwise: Record<string, RegExp> = {
  createStudentsBulk: /^\/students\/\d+/,
  createWebhookEndpoint: /^\/events(\/\d+)?$/,
  updateWebhookEndpoint: /^\/events(\/\d+)?$/,
};

/** Where a validator finds fault; a missing field has a place too. */
const placeOf = ({ instancePath, params }: { instancePath: string; params: Record<string, unknown> }): string =>
  typeof params.missingProperty === 'string' ? `${instancePath}/${params.missingProperty}` : instancePath;

const pointerOf = ({ method, path }: DocumentedRecord): string => `/paths/${escapePointer(openApiPath(path))}/${method.toLowerCase()}`;

describe.each(apis)('the document of the %s API', (_name, records, served) => {
  const { document } = served;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const operationOf = ({ method, path }: DocumentedRecord): ServedOperation => {
    const operation = document.paths[openApiPath(path)]?.[method.toLowerCase()];
    if (operation === undefined) throw new Error(`${method} ${path} is not in the document`);
    return operation;
  };
  const named = records.map((record) => [record.operationId, record] as const);

  it('has every route and nothing else', () => {
    const described = operations.map(({ method, path, operation }) => `${method} ${path} ${operation.operationId}`);
    const routed = records.map(({ method, path, operationId }) => `${method} ${openApiPath(path)} ${operationId}`);
    expect(described.sort()).toEqual(routed.sort());
  });

  it('names each operation once', () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  // Contract: versioning.openapi.dated-version
  it('is dated', () => {
    expect(document.info.version).toMatch(/^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/);
  });

  it.each(named)('declares the parameters of its path, and lists its own errors: %s', (_operationId, record) => {
    const operation = operationOf(record);
    const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path').map(({ name, required }) => [name, required]);
    expect(inPath).toEqual([...record.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, true]));
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(record.errors.map((code) => String(statusOf[code]))));
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '422', '500']));
    if (inPath.length > 0) expect(Object.keys(operation.responses)).toContain('404');
  });

  it.each(named)('gives examples that its schemas accept: %s', (_operationId, record) => {
    const operation = operationOf(record);
    const shown = [
      ...Object.entries(operation.requestBody?.content ?? {}).map(([type, content]) => [`/requestBody/content/${escapePointer(type)}`, content] as const),
      ...Object.entries(operation.responses['200']?.content ?? {}).map(([type, content]) => [`/responses/200/content/${escapePointer(type)}`, content] as const),
    ].filter(([pointer]) => pointer.includes('json'));
    for (const [pointer, { example }] of shown) {
      const validate = served.validatorAt(`${pointerOf(record)}${pointer}/schema`);
      expect([example !== undefined, validate(example), validate.errors]).toEqual([true, true, null]);
    }
    const body = operation.requestBody?.content['application/json']?.example;
    if (record.request.body !== undefined) expect(record.request.body.validate(body, { convert: false }).error).toBeUndefined();
  });

  it.each(named.flatMap(([name, record]) => (operationOf(record).parameters ?? []).flatMap((parameter, index) =>
    parameter.example === undefined ? [] : [[name, parameter.name, record, index, parameter.example] as const],
  )))('gives an example that its schema accepts: %s %s', (_operationId, _parameter, record, index, example) => {
    expect(served.validatorAt(`${pointerOf(record)}/parameters/${index}/schema`)(example)).toBe(true);
  });

  it.each(named)('requires a body where the API refuses a call without one: %s', (_operationId, record) => {
    const { requestBody } = operationOf(record);
    const absentIsRefused = [undefined, {}].some((body) => record.request.body?.required().validate(body).error !== undefined && record.request.body.validate(body).error !== undefined);
    const ownCode = record.operationId === 'createWebhookEndpoint';
    expect(requestBody?.required ?? false).toBe(absentIsRefused || ownCode || record.request.upload !== undefined);
  });

  const withBody = named.flatMap(([name, record]) => {
    const { body } = record.request;
    const json = operationOf(record).requestBody?.content['application/json']?.schema;
    return body === undefined || json === undefined ? [] : [[name, record, body, json] as const];
  });

  it.each(withBody)('and the API agree on which bodies are valid: %s', (operationId, record, schema, json) => {
    const pointer = `${pointerOf(record)}/requestBody/content/application~1json/schema`;
    const validate = served.validatorAt(pointer);
    const { properties = {} } = json.$ref === undefined ? json : served.resolve(json.$ref);
    const bodies = arbitraryOf(json, served.resolve);
    fc.assert(
      fc.property(fc.oneof(bodies, withInvalidField(bodies, Object.keys(properties))), (body) => {
        const promised = validate(body);
        const { error } = schema.validate(body, { convert: false, abortEarly: false });
        if (promised === (error === undefined)) return;
        // A rule of the API's own may refuse what JSON Schema cannot say; a rule that it can say must be said.
        const unsaid = error?.details.every(({ type }) => !/^(any\.(only|required|unknown)|object\.|array\.|number\.(base|min|max|integer)|string\.(base|min|max|empty|pattern))/.test(type)) ?? false;
        if (promised && unsaid) return;
        if (error === undefined && validate.errors?.every((fault) => answeredOtherwise[operationId]?.test(placeOf(fault)))) return;
        throw new Error(`The document ${promised ? 'accepts' : 'refuses'} ${JSON.stringify(body)}: ${error?.message ?? JSON.stringify(validate.errors)}`);
      }),
      { numRuns: 150 },
    );
  });
});

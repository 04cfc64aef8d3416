import type Joi from 'joi';
import type { ErrorCode } from '../../../domain/errors';
import { isFileResponse, type OperationRecord, type UploadRequest } from '../operation';
import { changeExample } from '../operationExample';
import type { SchemaComponents } from './components';
import { exampleOf } from './examples';
import { describeSchema } from './joiDescription';
import type { JsonSchema, MediaType } from './jsonSchema';
import { errorResponses, fileResponse, successResponse, type ResponseObject } from './responses';

/** The parts of a document that its operations share. */
export interface SharedComponents {
  schemas: SchemaComponents;
  responses: Map<string, ResponseObject>;
}

/** What a document says of who may call an operation. */
export interface AccessFields {
  security?: object[];
  'x-required-scope'?: string;
  'x-environment'?: string;
  'x-roles'?: string[];
}

/** One operation of a document. */
export interface OperationObject extends AccessFields {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, ResponseObject | { $ref: string }>;
  /** The codes of the operation's own rules; every operation has the others. */
  'x-errors': ErrorCode[];
}

/** How a document states who may call an operation: security, extensions, headers, and the first sentence of its description. */
export type AccessDescriber = (record: Pick<OperationRecord<never>, 'access' | 'method'>) => { fields: AccessFields; headers?: readonly Parameter[]; descriptionPrefix?: string };

/** Returns a path in OpenAPI's form: `:id` becomes `{id}`. */
export const openApiPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

interface RequestBody {
  required: boolean;
  content: Record<string, MediaType>;
}

/** One parameter of an operation. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
}

function parametersOf(place: Parameter['in'], schema: Joi.ObjectSchema | undefined, schemas: SchemaComponents): Parameter[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemas.request(schema);
  return Object.entries(properties).map(([name, field]) => {
    const { description, examples = [], ...rest } = field;
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...(examples.length === 0 ? {} : { example: examples[0] }),
    };
  });
}

function requestBodyOf(schema: Joi.ObjectSchema, changes: unknown, schemas: SchemaComponents): RequestBody {
  const json = schemas.request(schema);
  const { required = [] } = json.$ref === undefined ? json : schemas.resolve(json.$ref);
  return {
    required: required.length > 0 || describeSchema(schema).flags?.presence === 'required',
    content: { 'application/json': { schema: json, example: changeExample(exampleOf(json, (ref) => schemas.resolve(ref)), changes) } },
  };
}

const stringField = (keywords: JsonSchema): JsonSchema => ({ type: 'string', ...keywords });

function uploadBodyOf({ description, fields = {} }: UploadRequest): RequestBody {
  const chosen = Object.entries(fields).map(([name, field]) => [name, stringField({ enum: [...field.oneOf], description: field.description })] as const);
  const properties = { file: stringField({ format: 'binary', minLength: 1, description }), ...Object.fromEntries(chosen) };
  const schema: JsonSchema = { type: 'object', required: ['file', ...Object.keys(fields)], properties, additionalProperties: false };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

function successResponseOf<Principal>(record: OperationRecord<Principal>, schemas: SchemaComponents): ResponseObject {
  const { access, response } = record;
  if (isFileResponse(response)) return fileResponse(access, response);
  const data = schemas.response(response);
  return successResponse(record, data, changeExample(exampleOf(data, (ref) => schemas.resolve(ref)), record.example?.response));
}

/** Returns one operation of a document, derived from its record. */
export function describeOperation<Principal>(record: OperationRecord<Principal>, { schemas, responses }: SharedComponents, guarded: AccessDescriber): OperationObject {
  const { params, query, body, upload } = record.request;
  const { fields, headers = [], descriptionPrefix = '' } = guarded(record);
  const description = [descriptionPrefix, record.description ?? ''].filter((part) => part !== '').join(' ');
  const parameters = [...parametersOf('path', params, schemas), ...parametersOf('query', query, schemas), ...headers];
  return {
    operationId: record.operationId,
    tags: [record.tag],
    summary: record.summary,
    ...(description === '' ? {} : { description }),
    ...fields,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBodyOf(body, record.example?.request, schemas) }),
    ...(upload === undefined ? {} : { requestBody: uploadBodyOf(upload) }),
    'x-errors': [...record.errors],
    responses: {
      '200': successResponseOf(record, schemas),
      ...errorResponses(record, responses),
    },
  };
}

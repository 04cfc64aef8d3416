import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../../api/http/openapi/document';
import type { JsonSchema } from '../../api/http/openapi/jsonSchema';
import { oncePerProcess } from './oncePerProcess';

/** One operation as the service describes it. */
export interface ServedOperation {
  operationId: string;
  description?: string;
  'x-required-scope'?: string;
  'x-errors'?: string[];
  parameters?: { name: string; in: string; required: boolean; schema: JsonSchema; example?: unknown }[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema; example?: unknown }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema?: JsonSchema; example?: unknown }> }>;
}

/** The document that an API serves, to check its responses against. */
export interface ServedDocument {
  document: OpenApiDocument & { paths: Record<string, Record<string, ServedOperation>> };
  /** The operation that a method and a path as sent lead to. */
  operationAt(method: string, path: string): { pointer: string; operation: ServedOperation } | undefined;
  /** The component that a `$ref` names. */
  resolve(ref: string): JsonSchema;
  /** A validator for the schema at a JSON pointer of the document. */
  validatorAt(pointer: string): ValidateFunction;
  /** Throws if the response does not match the document. */
  requireDocumented(method: string, path: string, answer: { status: number; headers: Headers; body: unknown }): void;
}

/** A part of a JSON pointer. */
export const escapePointer = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

const staticPart = (path: string): string => path.replace(/\{.*/, '');

const byStaticFirst = (one: string, other: string): number =>
  Number(one.includes('{')) - Number(other.includes('{')) || staticPart(other).length - staticPart(one).length;

const matcher = (path: string): RegExp => new RegExp(`^${path.replace(/[.+]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`);

/** What any call with a key can be answered: about its Idempotency-Key, and while its sandbox is reset. */
const conflictOfEveryCall = /Idempotency-Key|sandbox is being/;

/** Whether an answer is a `conflict` by a rule of the operation's own, which it does not name among its errors. */
const isUnlistedConflict = ({ 'x-errors': own = [] }: ServedOperation, body: unknown): boolean => {
  if (typeof body !== 'object' || body === null || own.includes('conflict')) return false;
  return Reflect.get(body, 'error') === 'conflict' && !conflictOfEveryCall.test(String(Reflect.get(body, 'message')));
};

export function createServedDocument(document: ServedDocument['document']): ServedDocument {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(document, 'served', undefined, false);
  const paths = Object.keys(document.paths).sort(byStaticFirst).map((path) => ({ path, matches: matcher(path) }));

  const validatorAt = (pointer: string): ValidateFunction => {
    const compiled = ajv.getSchema(`served#${encodeURI(pointer)}`);
    if (compiled === undefined) throw new Error(`The document has nothing at ${pointer}`);
    return compiled;
  };

  const operationAt: ServedDocument['operationAt'] = (method, sent) => {
    const [plain = ''] = sent.split('?');
    const found = paths.find(({ matches }) => matches.test(plain));
    const operation = found && document.paths[found.path]?.[method.toLowerCase()];
    return operation && { pointer: `/paths/${escapePointer(found.path)}/${method.toLowerCase()}`, operation };
  };

  const requireDocumented: ServedDocument['requireDocumented'] = (method, path, { status, headers, body }) => {
    const found = operationAt(method, path);
    if (found === undefined) return;
    const { operation, pointer } = found;
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    if (type !== 'application/json') {
      const files = Object.keys(operation.responses[String(status)]?.content ?? {}).map((promisedType) => promisedType.split(';')[0]);
      if (!files.includes(type)) throw new Error(`${operation.operationId} answered ${status} with ${type}, which its document does not list`);
      return;
    }
    const promised = operation.responses[String(status)];
    if (promised === undefined) {
      throw new Error(`${operation.operationId} answered ${status}, which its document does not list: ${JSON.stringify(body).slice(0, 300)}`);
    }
    if (isUnlistedConflict(operation, body)) throw new Error(`${operation.operationId} answered a conflict of its own, which its x-errors do not list: ${JSON.stringify(body)}`);
    const at = promised.$ref === undefined ? `${pointer}/responses/${status}` : promised.$ref.slice(1);
    const validate = validatorAt(`${at}/content/application~1json/schema`);
    if (!validate(body)) {
      const problems = (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
      throw new Error(`${operation.operationId} answered ${status} against its document: ${problems.join('; ')}`);
    }
  };

  const resolve = (ref: string): JsonSchema => {
    const schemas = document.components.schemas;
    const found = schemas[ref.slice('#/components/schemas/'.length)];
    if (found === undefined) throw new Error(`${ref} is not in the document`);
    return found;
  };

  return { document, resolve, operationAt, validatorAt, requireDocumented };
}

/** Fetches the document that an API serves at its base URL; its validators are compiled once in a process. */
export async function fetchServedDocument(baseUrl: string): Promise<ServedDocument> {
  const text = await (await fetch(`${baseUrl}/openapi.json`)).text();
  return oncePerProcess(`served document ${text}`, () => createServedDocument(JSON.parse(text) as ServedDocument['document']));
}

import type { AuthenticatedKey } from '../../api/http/access';
import type { OperationRecord } from '../../api/http/operation';
import type { JsonSchema } from '../../api/http/openapi/jsonSchema';
import type { ApiResponse, TestApi, TestInstitution } from './api';
import type { ServedDocument, ServedOperation } from './servedDocument';

type PublicRecord = OperationRecord<AuthenticatedKey>;

/** Ids that are well formed and belong to nothing, by the name of the path parameter. */
const unknownId = (parameter: string): string => `${parameter.toLowerCase()}_01jd4k6f2mep2s5xg5yhc8m1zz`;

/** A record's path with values for its parameters; without them, ids of nothing. */
export function pathOf(path: string, params: Record<string, string> = {}): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(params[name] ?? unknownId(name)));
}

function servedOperation(served: ServedDocument, { method, path }: Pick<PublicRecord, 'method' | 'path'>): ServedOperation {
  const operation = served.document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not in the document`);
  return operation;
}

const jsonBody = (served: ServedDocument, record: Pick<PublicRecord, 'method' | 'path'>) => servedOperation(served, record).requestBody?.content['application/json'];

/** The schema of an operation's body as served, looked up where it is a component; empty when it takes none. */
export function bodySchemaOf(served: ServedDocument, record: PublicRecord): JsonSchema {
  const schema = jsonBody(served, record)?.schema ?? {};
  return schema.$ref === undefined ? schema : served.resolve(schema.$ref);
}

/** The example of an operation's body as served; empty when it takes none. */
export const exampleBodyOf = (served: ServedDocument, record: Pick<PublicRecord, 'method' | 'path'>): Record<string, unknown> =>
  (jsonBody(served, record)?.example ?? {}) as Record<string, unknown>;

/** Sends an operation with a body if it takes one: JSON, or a small file where it takes an upload. */
export function sendOperation(api: TestApi, record: PublicRecord, path: string, key: string, body: object): Promise<ApiResponse> {
  const { requestBody } = servedOperation(api.served, record);
  if (requestBody === undefined) return api.call(record.method, path, { key });
  if (requestBody.content['multipart/form-data'] === undefined) return api.call(record.method, path, { key, body });
  const boundary = 'between-parts';
  const part = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--${boundary}--\r\n`;
  return api.call(record.method, path, { key, body: part, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } });
}

/** Whether keys of sandboxes alone have an operation. */
export const isTestOnly = ({ access }: Pick<PublicRecord, 'access'>): boolean => access.by === 'key' && access.environment === 'test';

/** Test keys by the institution whose sandbox they belong to. */
const testKeys = new WeakMap<TestApi, Map<string, Promise<string>>>();

/** A key of the institution, or of its sandbox where an operation takes no other. */
export function keyForRecord(api: TestApi, institution: TestInstitution, record: Pick<PublicRecord, 'access'>): Promise<string> | string {
  if (!isTestOnly(record)) return institution.apiKey;
  const known = testKeys.get(api) ?? new Map<string, Promise<string>>();
  testKeys.set(api, known);
  const key = known.get(institution.id) ?? api.sandboxOf(institution).then(({ apiKey }) => apiKey);
  known.set(institution.id, key);
  return key;
}

import type { Access } from '../access';
import { isFileResponse, type OperationRecord } from '../operation';
import { createComponents } from './components';
import { issueSchema } from './errorResponses';
import { describeOperation, openApiPath, type AccessDescriber, type OperationObject, type SharedComponents } from './describeOperation';
import type { JsonSchema } from './jsonSchema';
import { headerComponents } from './responses';
import { apiVersion } from './version';
import type { DescribedWebhooks, WebhookDescriber } from './webhooks';

/** What distinguishes one API's document from another's. */
export interface DocumentedApi<Principal> {
  title: string;
  description: string;
  /** Where its paths begin. */
  serverUrl: string;
  records: readonly OperationRecord<Principal>[];
  securitySchemes: Record<string, object>;
  describeAccess: AccessDescriber;
  /** Returns what the operations of a tag require of their caller, for the tag's description. */
  describeTag(accesses: readonly Access[]): string;
  /** What the service sends to receivers; none where it is omitted. */
  webhooks?: WebhookDescriber;
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string } & Record<string, unknown>;
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  webhooks?: DescribedWebhooks['webhooks'];
  components: Record<string, object> & { schemas: Record<string, JsonSchema>; parameters?: DescribedWebhooks['parameters'] };
}

/** An operation, and where it is. */
export interface LocatedOperation {
  path: string;
  /** In capitals: `GET`. */
  method: string;
  operation: OperationObject;
}

/** Returns every operation of a document, in its order. */
export function locatedOperations({ paths }: OpenApiDocument): LocatedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })));
}

function pathsOf<Principal>(records: readonly OperationRecord<Principal>[], shared: SharedComponents, guarded: AccessDescriber): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {};
  for (const record of records) {
    const path = openApiPath(record.path);
    paths[path] = { ...paths[path], [record.method.toLowerCase()]: describeOperation(record, shared, guarded) };
  }
  return paths;
}

function tagsOf<Principal>({ records, describeTag }: DocumentedApi<Principal>): OpenApiDocument['tags'] {
  const byTag = new Map<string, Access[]>();
  for (const { tag, access } of records) byTag.set(tag, [...(byTag.get(tag) ?? []), access]);
  return [...byTag].map(([name, accesses]) => ({ name, description: describeTag(accesses) }));
}

/** Returns the OpenAPI 3.1 document of an API, derived from its records; throws if a schema cannot be expressed. */
export function openApiDocument<Principal>(api: DocumentedApi<Principal>): OpenApiDocument {
  const schemas = createComponents({ Issue: issueSchema });
  // Responses first: a request schema with the title of a response schema gets a name of its own.
  for (const { response } of api.records) if (!isFileResponse(response)) schemas.response(response);
  const shared: SharedComponents = { schemas, responses: new Map() };
  const paths = pathsOf(api.records, shared, api.describeAccess);
  const sent = api.webhooks?.(schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: api.title,
      version: apiVersion,
      description: api.description,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: api.serverUrl }],
    tags: tagsOf(api),
    paths,
    ...(sent === undefined ? {} : { webhooks: sent.webhooks }),
    components: {
      securitySchemes: api.securitySchemes,
      ...(sent === undefined ? {} : { parameters: sent.parameters }),
      headers: headerComponents(api.records.map(({ access }) => access)),
      responses: Object.fromEntries([...shared.responses].sort(([one], [other]) => (one < other ? -1 : 1))),
      schemas: schemas.all(),
    },
  };
}

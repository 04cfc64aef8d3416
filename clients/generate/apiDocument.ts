import type { OpenApiDocument } from '../../api/http/openapi/document';
import type { JsonSchema } from '../../api/http/openapi/jsonSchema';

/** An operation as the served document describes it, as far as a generator looks. */
export interface ApiOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  'x-required-scope'?: string;
  /** Of operations that take test keys alone. */
  'x-environment'?: string;
  parameters?: { name: string; in: 'path' | 'query' | 'header'; required: boolean; description?: string; schema: JsonSchema; example?: unknown }[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema; example?: unknown }> };
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, { schema: JsonSchema }> }>;
}

/** The document that the public API serves at `openapi.json`. */
export type ApiDocument = Omit<OpenApiDocument, 'paths'> & { paths: Record<string, Record<string, ApiOperation>> };

/** One operation with its path and method. */
export interface OperationLocation {
  method: string;
  path: string;
  operation: ApiOperation;
}

/** Every operation of a tag, in the document's order. */
export function operationsWithTag({ paths }: ApiDocument, tag: string): OperationLocation[] {
  const all = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })));
  return all.filter(({ operation }) => operation.tags.includes(tag));
}

const isOperation = (value: object): value is ApiOperation => ['operationId', 'tags', 'summary', 'responses'].every((field) => field in value);
type AnyDocument = Omit<OpenApiDocument, 'paths'> & { paths: Record<string, Record<string, object>> };

const isApiDocument = (document: AnyDocument): document is ApiDocument => Object.values(document.paths).flatMap((methods) => Object.values(methods)).every(isOperation);

/** A document with operations that generators can read; raises for any other. */
export function parseApiDocument(document: AnyDocument): ApiDocument {
  if (!isApiDocument(document)) throw new Error('An operation of the document has no operationId, tags, summary or responses');
  return document;
}

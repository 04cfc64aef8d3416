import { publicDocument } from '../../api/http/openapi/publicDocument';
import { locatedOperations } from '../../api/http/openapi/document';
import { publicOperations } from '../../api/operations/public';

const document = publicDocument(publicOperations, 'https://api.institution.test/v1');

/** An object within an example. */
export interface Found {
  /** The operation or event. */
  of: string;
  object: Record<string, unknown>;
}

/** The examples of one operation: what is sent, and what is answered. */
export interface ExampleCall {
  method: string;
  path: string;
  operationId: string;
  /** Of the path and the query, by name. */
  parameters: { name: string; in: 'path' | 'query' | 'header'; example: unknown }[];
  request: Record<string, unknown>;
  /** `data` of the answer; the text of a file. */
  response: unknown;
}

/** Whether a value is an object, and no list. */
export const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns every object within a value; none of a JSON Schema, which has no things of the story. */
function objectsIn(value: unknown, of: string): Found[] {
  if (Array.isArray(value)) return value.flatMap((one) => objectsIn(one, of));
  if (!isObject(value)) return [];
  return [{ of, object: value }, ...Object.entries(value).filter(([field]) => field !== 'data_schema').flatMap(([, one]) => objectsIn(one, of))];
}

const only = (content: Record<string, { example?: unknown }> = {}): unknown => Object.values(content)[0]?.example;

/** The examples of every public operation. */
export const exampleCalls: readonly ExampleCall[] = locatedOperations(document).map(({ method, path, operation }) => {
  const { operationId, parameters = [], requestBody, responses: { '200': success } } = operation;
  const answer = success !== undefined && 'content' in success ? only(success.content) : undefined;
  const request = only(requestBody?.content);
  return {
    method,
    path,
    operationId,
    parameters: parameters.filter(({ example }) => example !== undefined).map(({ name, in: place, example }) => ({ name, in: place, example })),
    request: isObject(request) ? request : {},
    response: isObject(answer) ? answer.data : answer,
  };
});

/** Every object of every example, of operations and events. */
export const shown: readonly Found[] = [
  ...exampleCalls.flatMap(({ operationId, parameters, request, response }) => [
    ...objectsIn(request, operationId),
    ...objectsIn(response, operationId),
    { of: operationId, object: Object.fromEntries(parameters.map(({ name, example }) => [name, example])) },
  ]),
  ...Object.entries(document.webhooks ?? {}).flatMap(([type, { post }]) => Object.values(post.requestBody.content).flatMap(({ example }) => objectsIn(example, type))),
];

import type { JsonSchema } from '../../../api/http/openapi/jsonSchema';
import { operationsWithTag, type ApiDocument, type ApiOperation, type OperationLocation } from '../apiDocument';
import { fieldName, methodName, pascalCase, pythonText, snakeCase } from '../../../api/http/openapi/pythonNames';
import type { PythonTypes } from './schemas';
import { docstring, wrap } from './text';

/** A client that waits in its thread, or one for `await`. */
export type Manner = 'sync' | 'async';

interface Argument {
  name: string;
  wireName: string;
  type: string;
  /** As Python code; undefined if the argument is required. */
  value?: string;
  description: string | undefined;
}

/** An operation as its methods need it. */
export interface Method {
  namespace: string;
  name: string;
  verb: string;
  path: string;
  operation: ApiOperation;
  pathArguments: Argument[];
  query: Argument[];
  body: Argument[];
  /** How the body is sent; undefined without one. */
  bodyAs?: 'json' | 'form';
  bodyRequired: boolean;
  /** The type of the answer's data; undefined if the answer is a text. */
  answer?: string;
  /** Of a list that can be walked by cursor: the type of its items. */
  item?: string;
}

type Parameter = NonNullable<ApiOperation['parameters']>[number];

const isPaging = ({ wireName }: Argument): boolean => wireName === 'page' || wireName === 'cursor';

/** Returns the type of a field that may be left out; `None` stays the last. */
const withOmit = (type: string): string => (type.endsWith(' | None') ? `${type.slice(0, -' | None'.length)} | Omit | None` : `${type} | Omit`);

function parameterArgument(types: PythonTypes, hint: string, { name, schema, required, description }: Parameter): Argument {
  const type = types.typeOf(schema, `${hint}${pascalCase(name)}`);
  const common = { name: fieldName(snakeCase(name)), wireName: name, description };
  return required ? { ...common, type } : { ...common, type: `${type} | None`, value: 'None' };
}

function bodyArguments(types: PythonTypes, hint: string, schema: JsonSchema): Argument[] {
  return Object.entries(schema.properties ?? {}).map(([wireName, property]) => {
    const type = types.typeOf(property, `${hint}${pascalCase(wireName)}`);
    const common = { name: fieldName(snakeCase(wireName)), wireName, description: property.description };
    return schema.required?.includes(wireName) === true ? { ...common, type } : { ...common, type: withOmit(type), value: 'OMIT' };
  });
}

function answerOf({ responses, operationId }: ApiOperation, answers: PythonTypes): { answer?: string; data?: JsonSchema } {
  const data = responses['200']?.content?.['application/json']?.schema.properties?.data;
  return data === undefined ? {} : { data, answer: answers.typeOf(data, `${pascalCase(operationId)}Result`) };
}

/** Returns the type of the items of a list that takes a cursor. */
function walkedItem(api: ApiDocument, data: JsonSchema | undefined, query: readonly Argument[], answers: PythonTypes): string | undefined {
  const { schemas } = api.components as { schemas?: Record<string, JsonSchema> };
  const list = data?.$ref === undefined ? data : schemas?.[data.$ref.split('/').at(-1) ?? ''];
  const items = list?.properties?.items?.items;
  return query.some(({ wireName }) => wireName === 'cursor') && typeof items === 'object' ? answers.typeOf(items, 'Item') : undefined;
}

function describeMethod(api: ApiDocument, location: OperationLocation, answers: PythonTypes, requests: PythonTypes): Method {
  const { method: verb, path, operation } = location;
  const hint = pascalCase(operation.operationId);
  const parameters = operation.parameters ?? [];
  const query = parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameterArgument(requests, hint, parameter));
  const { 'application/json': json, 'multipart/form-data': form } = operation.requestBody?.content ?? {};
  const schema = (json ?? form)?.schema;
  const { answer, data } = answerOf(operation, answers);
  const item = walkedItem(api, data, query, answers);
  const { namespace, method: name } = methodName(location);
  return {
    namespace, name, verb, path, operation, query,
    pathArguments: parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameterArgument(requests, hint, parameter)),
    body: schema === undefined ? [] : bodyArguments(requests, hint, schema),
    bodyRequired: operation.requestBody?.required === true,
    ...(schema === undefined ? {} : { bodyAs: json === undefined ? ('form' as const) : ('json' as const) }),
    ...(answer === undefined ? {} : { answer }),
    ...(item === undefined ? {} : { item }),
  };
}

/** Returns the methods of every operation, by namespace; throws if two have one name. */
export function methodsByNamespace(api: ApiDocument, answers: PythonTypes, requests: PythonTypes): Map<string, Method[]> {
  const namespaces = new Map<string, Method[]>();
  for (const { name: tag } of api.tags) {
    for (const location of operationsWithTag(api, tag)) {
      const method = describeMethod(api, location, answers, requests);
      const others = namespaces.get(method.namespace) ?? [];
      if (others.some(({ name }) => name === method.name)) throw new Error(`Two methods of the Python client have the name ${method.namespace}.${method.name}`);
      namespaces.set(method.namespace, [...others, method]);
    }
  }
  return namespaces;
}

const signature = ({ name, type, value }: Argument): string => `        ${name}: ${type}${value === undefined ? '' : ` = ${value}`},\n`;

function documentation({ operation: { summary, description = '' } }: Method, given: readonly Argument[]): string {
  const described = given.filter((argument) => argument.description !== undefined);
  const lines = described.flatMap(({ name, description: about = '' }) => wrap(`${name}: ${about}`, 12).map((line, nth) => `${nth === 0 ? '    ' : '        '}${line}`));
  const paragraphs = description.split(/\n{2,}/).filter((paragraph) => paragraph !== '').flatMap((paragraph) => ['', ...wrap(paragraph, 8)]);
  return docstring([...wrap(summary, 8), ...paragraphs, ...(lines.length === 0 ? [] : ['', 'Args:', ...lines])], 8);
}

const keyArgument: Argument = {
  name: 'idempotency_key', wireName: '', type: 'str | None', value: 'None', description: 'A key of your own, to repeat the call after a restart; without one the client makes a new one.',
};

const dictionary = (given: readonly Argument[]): string => `{${given.map(({ name, wireName }) => `${pythonText(wireName)}: ${name}`).join(', ')}}`;

const isFile = ({ type }: Argument): boolean => type.startsWith('FileInput');

/** The arguments that send the body: of a form the files, and apart from them its texts, which name no file. */
function bodyParts({ body, bodyAs, bodyRequired }: Method): string[] {
  if (bodyAs === undefined) return [];
  if (bodyAs === 'json') return [`json=${dictionary(body)}`, ...(bodyRequired ? [] : ['json_optional=True'])];
  const texts = body.filter((argument) => !isFile(argument));
  return [`files=${dictionary(body.filter(isFile))}`, ...(texts.length === 0 ? [] : [`texts=${dictionary(texts)}`])];
}

/** The method of one call. */
function callMethod(method: Method, manner: Manner): string {
  const { name, verb, path, pathArguments, query, body, answer = 'str' } = method;
  const keys = verb === 'GET' ? [] : [keyArgument];
  const named = [...query, ...body.filter(({ value }) => value === undefined), ...body.filter(({ value }) => value !== undefined), ...keys];
  const parts = [
    ...(pathArguments.length === 0 ? [] : [`path=${dictionary(pathArguments)}`]),
    ...(query.length === 0 ? [] : [`query=${dictionary(query)}`]),
    ...bodyParts(method),
    ...(verb === 'GET' ? [] : ['idempotency_key=idempotency_key']),
  ];
  const given = [method.answer === undefined ? undefined : answer, pythonText(verb), pythonText(path), ...parts].filter((part) => part !== undefined);
  return [
    `    ${manner === 'async' ? 'async ' : ''}def ${name}(\n        self,\n`,
    pathArguments.map(signature).join(''),
    named.length === 0 ? '' : `        *,\n${named.map(signature).join('')}`,
    `    ) -> ${answer}:\n`,
    documentation(method, [...pathArguments, ...named]),
    `        return ${manner === 'async' ? 'await ' : ''}self.${method.answer === undefined ? '_call_text' : '_call'}(\n${given.map((part) => `            ${part},\n`).join('')}        )\n`,
  ].join('');
}

/** The method that yields every item of a list. */
function walkMethod(method: Method, item: string, manner: Manner): string {
  const { name, path, pathArguments, query } = method;
  const filters = query.filter((argument) => !isPaging(argument));
  const own = { ...method, operation: { ...method.operation, description: 'Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a page, 200 by default.' } };
  return [
    `    def ${name.replace(/^list/, 'iter').replace(/^get/, 'iter')}(\n        self,\n`,
    pathArguments.map(signature).join(''),
    filters.length === 0 ? '' : `        *,\n${filters.map(signature).join('')}`,
    `    ) -> ${manner === 'async' ? 'AsyncIterator' : 'Iterator'}[${item}]:\n`,
    documentation(own, [...pathArguments, ...filters]),
    `        return self._iterate(\n            ${item},\n            ${pythonText(path)},\n`,
    pathArguments.length === 0 ? '' : `            path=${dictionary(pathArguments)},\n`,
    `            query=${dictionary(filters)},\n        )\n`,
  ].join('');
}

/** Returns the name of a namespace's class. */
export const resourceClass = (namespace: string, manner: Manner): string => `${manner === 'async' ? 'Async' : ''}${pascalCase(namespace)}Resource`;

/** Returns the class of a namespace. */
export function resourceCode(namespace: string, methods: readonly Method[], manner: Manner): string {
  const code = methods.flatMap((method) => [callMethod(method, manner), ...(method.item === undefined ? [] : [walkMethod(method, method.item, manner)])]);
  return `class ${resourceClass(namespace, manner)}(${manner === 'async' ? 'AsyncResource' : 'SyncResource'}):\n${code.join('\n')}`;
}

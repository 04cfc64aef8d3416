import { operationsOf, type DescribedApi, type DescribedOperation, type Located } from './described';

type Parameter = NonNullable<DescribedOperation['parameters']>[number];

const textOf = (value: unknown): string => (value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value));
const described = ({ description }: { description?: string }): object => (description === undefined ? {} : { description });

const variable = (parameter: Parameter): object => ({ key: parameter.name, value: textOf(parameter.example), ...described(parameter) });

/** A query parameter; one that may be left out is there to be switched on. */
const asked = (parameter: Parameter): object => ({ ...variable(parameter), ...(parameter.required ? {} : { disabled: true }) });

function urlOf(path: string, parameters: readonly Parameter[]): object {
  const spelled = path.replace(/\{(\w+)\}/g, ':$1');
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const variables = parameters.filter((parameter) => parameter.in === 'path');
  return {
    raw: `{{base_url}}${spelled}`,
    host: ['{{base_url}}'],
    path: spelled.slice(1).split('/'),
    ...(query.length === 0 ? {} : { query: query.map(asked) }),
    ...(variables.length === 0 ? {} : { variable: variables.map(variable) }),
  };
}

function bodyOf({ requestBody }: DescribedOperation): object {
  const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {};
  if (json !== undefined) {
    return {
      header: [{ key: 'Content-Type', value: 'application/json' }],
      body: { mode: 'raw', raw: JSON.stringify(json.example ?? {}, null, 2), options: { raw: { language: 'json' } } },
    };
  }
  if (form === undefined) return {};
  const parts = Object.entries(form.schema.properties ?? {}).map(([key, part]) =>
    part.format === 'binary' ? { key, type: 'file', src: [], ...described(part) } : { key, type: 'text', value: textOf(part.enum?.[0]), ...described(part) });
  return { body: { mode: 'formdata', formdata: parts } };
}

function itemOf({ method, path, operation }: Located): object {
  return {
    name: operation.summary,
    request: { method, ...described(operation), url: urlOf(path, operation.parameters ?? []), ...bodyOf(operation) },
  };
}

/** A Postman collection (format 2.1) of every operation: a folder a tag, the key and the base URL as variables, an example of each body. */
export function postmanCollection(api: DescribedApi): string {
  const collection = {
    info: {
      name: api.info.title,
      version: api.info.version,
      description: `Set the variable api_key, and base_url where it is another.\n\n${String(api.info.description)}`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }] },
    variable: [
      { key: 'base_url', value: api.servers[0]?.url ?? '', type: 'string' },
      { key: 'api_key', value: '', type: 'string' },
    ],
    item: api.tags.map(({ name, description }) => ({ name, description, item: operationsOf(api, name).map(itemOf) })),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

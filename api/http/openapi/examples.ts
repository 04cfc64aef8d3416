import type { JsonSchema, JsonType } from './jsonSchema';

/** Looks up a `$ref` of the document. */
export type ResolveRef = (ref: string) => JsonSchema;

const textOfFormat: Record<string, string> = {
  'date-time': '2026-11-20T09:30:00.000Z',
  email: 'ada@example.org',
  uri: 'https://example.org/',
};

const mainType = ({ type }: JsonSchema): JsonType | undefined => (Array.isArray(type) ? type.find((one) => one !== 'null') : type);

/** Returns an example of a schema: its own example, default or first allowed value, else one built from its parts. */
export function exampleOf(schema: JsonSchema, resolve: ResolveRef): unknown {
  const [ownExample] = schema.examples ?? [];
  if (ownExample !== undefined) return ownExample;
  if (schema.$ref !== undefined) return exampleOf(resolve(schema.$ref), resolve);
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const type = mainType(schema);
  if (type === undefined) {
    const [first] = schema.anyOf ?? schema.oneOf ?? [];
    return first === undefined ? {} : exampleOf(first, resolve);
  }
  return exampleOfType[type](schema, resolve);
}

const exampleOfType: Record<JsonType, (schema: JsonSchema, resolve: ResolveRef) => unknown> = {
  null: () => null,
  boolean: () => false,
  integer: ({ minimum = 1 }) => minimum,
  number: ({ minimum = 1 }) => minimum,
  string: ({ format = '' }) => textOfFormat[format] ?? 'text',
  array: ({ items }, resolve) => (items === undefined || items === false ? [] : [exampleOf(items, resolve)]),
  object: (schema, resolve) => {
    const excluded = excludedFields(schema);
    const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !excluded.has(name));
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, resolve)]));
  },
};

/** Returns all but the first of the fields that exclude each other. */
function excludedFields({ oneOf = [], allOf = [] }: JsonSchema): Set<string> {
  const here = oneOf.slice(1).flatMap(({ required = [] }) => required);
  return new Set([...here, ...allOf.flatMap((part) => [...excludedFields(part)])]);
}

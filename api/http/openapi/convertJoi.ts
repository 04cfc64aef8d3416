import { keywordsOfRules } from './convertRules';
import { metaOf, patternOf, requireSupported, type JoiDescription, type JoiMatch } from './joiDescription';
import { jsonTypeOf, type JsonSchema, type JsonType } from './jsonSchema';

/** The context of a conversion: who sends the value, and where a schema with a title is stored. */
export interface Conversion {
  /** A request rejects unknown fields and empty text; a response may gain fields. */
  direction: 'request' | 'response';
  /** Stores a titled schema as a component and returns the reference to it. */
  register(title: string, schema: JsonSchema): JsonSchema;
}

const typeOf: Record<string, JsonType> = { string: 'string', number: 'number', boolean: 'boolean', array: 'array', object: 'object' };

/** Converts the `describe()` output of a Joi schema to JSON Schema 2020-12; throws on unknown parts. */
export function convert(described: JoiDescription, conversion: Conversion): JsonSchema {
  requireSupported(described);
  const { title, documentedAs } = metaOf(described);
  if (documentedAs !== undefined) return convert(documentedAs, conversion);
  if (title === undefined) return { ...addAllowedValues(described, valueSchema(described, conversion)), ...annotations(described) };
  const bare = { ...valueSchema(described, conversion), ...annotations(described) };
  return addAllowedValues(described, conversion.register(title, bare));
}

/** Joi's own marks among values are objects with a certain field. */
const hasField = (value: unknown, name: string): boolean => typeof value === 'object' && value !== null && Object.hasOwn(value, name);

function annotations({ flags = {}, examples = [] }: JoiDescription): JsonSchema {
  const plainDefault = flags.default !== undefined && !hasField(flags.default, 'special');
  return {
    ...(flags.description === undefined ? {} : { description: flags.description }),
    ...(plainDefault ? { default: flags.default } : {}),
    ...(examples.length === 0 ? {} : { examples: examples.slice(-1) }),
  };
}

/** The schema of the value itself, without the values that `allow` adds. */
function valueSchema(described: JoiDescription, conversion: Conversion): JsonSchema {
  if (described.flags?.only === true) return enumSchema(allowedValues(described));
  const { format, jsonSchema } = metaOf(described);
  const base = mergeKeywords({ ...baseOf(described, conversion), ...(format === undefined ? {} : { format }) }, jsonSchema);
  return described.invalid === undefined ? base : { ...base, not: { enum: described.invalid } };
}

/** Adds the keywords that the schema's author gave; of two patterns, both must match. */
function mergeKeywords(base: JsonSchema, said: JsonSchema = {}): JsonSchema {
  if (base.pattern === undefined || said.pattern === undefined) return { ...base, ...said };
  const { pattern } = said;
  return { ...base, ...said, pattern: base.pattern, allOf: [...(base.allOf ?? []), { pattern }] };
}

function baseOf(described: JoiDescription, conversion: Conversion): JsonSchema {
  switch (described.type) {
    case 'any':
      return keywordsOfRules(described);
    case 'alternatives':
      return alternatives(described, conversion);
    case 'object':
      return { ...objectSchema(described, conversion), ...keywordsOfRules(described) };
    case 'array':
      return { ...arraySchema(described, conversion), ...keywordsOfRules(described) };
    case 'string': {
      const mayBeEmpty = conversion.direction === 'response' || described.allow?.includes('') === true;
      return { type: 'string', ...(mayBeEmpty ? {} : { minLength: 1 }), ...keywordsOfRules(described) };
    }
    case 'number':
    case 'boolean':
      return { type: described.type, ...keywordsOfRules(described) };
    default:
      throw new Error(`A Joi schema of type ${described.type} cannot be documented`);
  }
}

const allowedValues = ({ allow = [] }: JoiDescription): unknown[] =>
  allow.filter((value) => !hasField(value, 'override'));

function enumSchema(values: unknown[]): JsonSchema {
  const types = [...new Set(values.map(jsonTypeOf))];
  const [first] = types;
  return { ...(types.length === 1 && first !== undefined ? { type: first } : { type: types }), enum: values };
}

/** Adds the values that `allow` accepts in addition to the type: null as a second type where possible, else an alternative. */
function addAllowedValues(described: JoiDescription, schema: JsonSchema): JsonSchema {
  if (described.flags?.only === true) return schema;
  const emptyIsText = typeOf[described.type] === 'string' && schema.pattern === undefined && schema.format === undefined;
  const further = allowedValues(described).filter((value) => !(value === '' && emptyIsText));
  if (further.length === 0) return schema;
  if (further.length === 1 && further[0] === null && typeof schema.type === 'string' && schema.not === undefined) {
    return { ...schema, type: [schema.type, 'null'] };
  }
  const { anyOf = [schema], ...rest } = schema;
  return Object.keys(rest).length > 0 && schema.anyOf !== undefined
    ? { anyOf: [schema, enumSchema(further)] }
    : { anyOf: [...anyOf, further.every((value) => value === null) ? { type: 'null' } : enumSchema(further)] };
}

function objectSchema(described: JoiDescription, conversion: Conversion): JsonSchema {
  const { keys, patterns = [], flags = {}, dependencies = [] } = described;
  const entries = Object.entries(keys ?? {}).filter(([, field]) => field.flags?.presence !== 'forbidden' && field.flags?.result !== 'strip');
  const required = entries.filter(([, field]) => field.flags?.presence === 'required').map(([name]) => name);
  const open = flags.unknown === true || (keys === undefined && patterns.length === 0);
  const byPattern = patterns.filter(({ regex }) => regex !== undefined).map(({ regex = '', rule }) => [patternOf(regex), convert(rule, conversion)]);
  const byName = patterns.find(({ schema }) => schema !== undefined);
  const closed = conversion.direction === 'request' || patterns.length > 0;
  const rest = byName !== undefined ? convert(byName.rule, conversion) : open ? undefined : closed ? false : undefined;
  return {
    type: 'object',
    ...(entries.length === 0 ? {} : { properties: Object.fromEntries(entries.map(([name, field]) => [name, convert(field, conversion)])) }),
    ...(required.length === 0 ? {} : { required }),
    ...(byPattern.length === 0 ? {} : { patternProperties: Object.fromEntries(byPattern) as Record<string, JsonSchema> }),
    ...(rest === undefined ? {} : { additionalProperties: rest }),
    ...(byName?.schema === undefined || keys !== undefined ? {} : { propertyNames: convert(byName.schema, conversion) }),
    ...dependencyKeywords(dependencies),
  };
}

const requiresField = (name: string): JsonSchema => ({ required: [name] });
const requiresNoneOf = (names: readonly string[]): JsonSchema => ({ not: { anyOf: names.map(requiresField) } });
const without = (names: readonly string[], name: string): string[] => names.filter((other) => other !== name);

/** How the presence of a field depends on others, by Joi's keyword. */
const dependencyConverters: Record<string, (peers: string[], key: string) => JsonSchema> = {
  or: (peers) => ({ anyOf: peers.map(requiresField) }),
  xor: (peers) => ({ oneOf: peers.map(requiresField) }),
  oxor: (peers) => ({ oneOf: [...peers.map(requiresField), requiresNoneOf(peers)] }),
  nand: (peers) => ({ not: { required: peers } }),
  and: (peers) => ({ dependentRequired: Object.fromEntries(peers.map((peer) => [peer, without(peers, peer)])) }),
  with: (peers, key) => ({ dependentRequired: { [key]: peers } }),
  without: (peers, key) => ({ not: { allOf: [requiresField(key), { anyOf: peers.map(requiresField) }] } }),
};

function dependencyKeywords(dependencies: NonNullable<JoiDescription['dependencies']>): JsonSchema {
  const keywords = dependencies.map(({ rel, peers, key = '' }) => {
    const convertDependency = dependencyConverters[rel];
    if (convertDependency === undefined) throw new Error(`The dependency ${rel} cannot be documented`);
    return convertDependency(peers, key);
  });
  const [only] = keywords;
  return keywords.length === 1 && only !== undefined ? only : keywords.length === 0 ? {} : { allOf: keywords };
}

function arraySchema({ items = [], ordered = [] }: JoiDescription, conversion: Conversion): JsonSchema {
  const schemas = items.map((item) => convert(item, conversion));
  const [only] = schemas;
  const rest = schemas.length === 0 ? undefined : schemas.length === 1 ? only : { anyOf: schemas };
  return {
    type: 'array',
    ...(ordered.length === 0 ? {} : { prefixItems: ordered.map((item) => convert(item, conversion)), items: rest ?? false }),
    ...(rest === undefined ? {} : { items: rest }),
  };
}

const branches = ({ schema, then, otherwise, switch: cases = [] }: JoiMatch): JoiDescription[] =>
  [schema, then, ...cases.flatMap(branches), otherwise].filter((branch) => branch !== undefined);

function alternatives({ matches = [], flags = {} }: JoiDescription, conversion: Conversion): JsonSchema {
  const documented = matches.flatMap(branches).filter((branch) => metaOf(branch).undocumented !== true);
  const schemas = documented.map((branch) => convert(branch, conversion));
  if (flags.match === 'all') return { allOf: schemas };
  return flags.match === 'one' ? { oneOf: schemas } : { anyOf: schemas };
}

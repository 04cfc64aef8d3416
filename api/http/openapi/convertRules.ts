import { patternOf, type JoiDescription, type JoiRule } from './joiDescription';
import type { JsonSchema } from './jsonSchema';

type RuleConverter = (rule: JoiRule) => JsonSchema;

const limit = ({ name, args }: JoiRule): number => {
  if (typeof args?.limit !== 'number') throw new Error(`The limit of the rule ${name} cannot be documented`);
  return args.limit;
};

/** Rules that only normalise, or that declare their JSON Schema through `.meta({ format | jsonSchema })`. */
const noKeywords: RuleConverter = () => ({});

const base64Pattern = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

const stringRules: Record<string, RuleConverter> = {
  min: (rule) => ({ minLength: limit(rule) }),
  max: (rule) => ({ maxLength: limit(rule) }),
  length: (rule) => ({ minLength: limit(rule), maxLength: limit(rule) }),
  pattern: ({ args }) => {
    const pattern = patternOf(args?.regex ?? '//');
    return args?.options?.invert === true ? { not: { pattern } } : { pattern };
  },
  email: () => ({ format: 'email' }),
  uri: () => ({ format: 'uri' }),
  guid: () => ({ format: 'uuid' }),
  hostname: () => ({ format: 'hostname' }),
  domain: () => ({ format: 'hostname' }),
  isoDate: () => ({ format: 'date-time' }),
  hex: () => ({ pattern: '^[0-9a-fA-F]+$' }),
  base64: () => ({ contentEncoding: 'base64', pattern: base64Pattern }),
  alphanum: () => ({ pattern: '^[a-zA-Z0-9]+$' }),
  trim: noKeywords,
  case: noKeywords,
  custom: noKeywords,
};

const numberRules: Record<string, RuleConverter> = {
  integer: () => ({ type: 'integer' }),
  min: (rule) => ({ minimum: limit(rule) }),
  max: (rule) => ({ maximum: limit(rule) }),
  greater: (rule) => ({ exclusiveMinimum: limit(rule) }),
  less: (rule) => ({ exclusiveMaximum: limit(rule) }),
  precision: (rule) => ({ multipleOf: 1 / 10 ** limit(rule) }),
  multiple: ({ args }) => ({ multipleOf: args?.base ?? 1 }),
  sign: ({ args }) => (args?.sign === 'negative' ? { exclusiveMaximum: 0 } : { exclusiveMinimum: 0 }),
  custom: noKeywords,
};

const arrayRules: Record<string, RuleConverter> = {
  min: (rule) => ({ minItems: limit(rule) }),
  max: (rule) => ({ maxItems: limit(rule) }),
  length: (rule) => ({ minItems: limit(rule), maxItems: limit(rule) }),
  // JSON Schema compares whole items, not one field of them.
  unique: ({ args }) => (args?.comparator === undefined ? { uniqueItems: true } : {}),
  custom: noKeywords,
};

const objectRules: Record<string, RuleConverter> = {
  min: (rule) => ({ minProperties: limit(rule) }),
  max: (rule) => ({ maxProperties: limit(rule) }),
  length: (rule) => ({ minProperties: limit(rule), maxProperties: limit(rule) }),
  custom: noKeywords,
};

const rulesByType: Record<string, Record<string, RuleConverter>> = {
  string: stringRules,
  number: numberRules,
  array: arrayRules,
  object: objectRules,
  boolean: { custom: noKeywords },
  any: { custom: noKeywords },
};

/** Returns the JSON Schema keywords of a schema's rules; throws on an unknown rule. */
export function keywordsOfRules({ type, rules = [] }: JoiDescription): JsonSchema {
  const keywords = rules.map((rule) => {
    const convertRule = rulesByType[type]?.[rule.name];
    if (convertRule === undefined) throw new Error(`The rule ${rule.name} of a ${type} schema cannot be documented`);
    return convertRule(rule);
  });
  const merged = keywords.reduce<JsonSchema>((all, one) => ({ ...all, ...one }), {});
  const patterns = keywords.flatMap(({ pattern }) => (pattern === undefined ? [] : [{ pattern }]));
  if (patterns.length < 2) return merged;
  const { pattern: _last, ...rest } = merged;
  return { ...rest, allOf: patterns };
}

import type Joi from 'joi';
import type { JsonSchema } from './jsonSchema';

/** One rule of a Joi schema, such as `max` with its limit. */
export interface JoiRule {
  name: string;
  args?: {
    limit?: unknown;
    base?: number;
    regex?: string;
    sign?: string;
    comparator?: unknown;
    options?: { invert?: boolean };
  };
}

/** The output of Joi's `describe()`, as far as a document can express it. */
export interface JoiDescription {
  type: string;
  flags?: { presence?: string; default?: unknown; only?: boolean; unknown?: boolean; description?: string; match?: string; result?: string };
  rules?: JoiRule[];
  allow?: unknown[];
  invalid?: unknown[];
  examples?: unknown[];
  metas?: SchemaMeta[];
  keys?: Record<string, JoiDescription>;
  patterns?: { regex?: string; schema?: JoiDescription; rule: JoiDescription }[];
  dependencies?: { rel: string; key?: string; peers: string[] }[];
  items?: JoiDescription[];
  ordered?: JoiDescription[];
  matches?: JoiMatch[];
}

/** One alternative; a conditional one has branches. */
export interface JoiMatch {
  schema?: JoiDescription;
  then?: JoiDescription;
  otherwise?: JoiDescription;
  switch?: JoiMatch[];
}

/**
 * What `.meta()` adds to a document: the component's name, a format, the keywords of a custom rule, and, for a value that
 * the handler validates, its schema (`documentedAs`).
 */
export interface SchemaMeta {
  title?: string;
  documentedAs?: JoiDescription;
  format?: string;
  jsonSchema?: JsonSchema;
  /** An alternative that exists for its messages only: another one accepts the same values. */
  undocumented?: boolean;
}

const supportedParts = new Set([
  'type', 'flags', 'rules', 'allow', 'invalid', 'examples', 'metas', 'keys', 'patterns', 'dependencies', 'items', 'ordered', 'matches',
  'preferences',
]);

/** Schemas never change, and many operations use the same. */
const descriptions = new WeakMap<Joi.Schema, JoiDescription>();

/** Reads a schema; throws on a part that our documents cannot express. */
export function describeSchema(schema: Joi.Schema): JoiDescription {
  const known = descriptions.get(schema);
  if (known !== undefined) return known;
  const described = schema.describe() as unknown as JoiDescription;
  descriptions.set(schema, described);
  return described;
}

/** Throws on anything that the document would silently omit. */
export function requireSupported(described: JoiDescription): void {
  const unsupported = Object.keys(described).filter((part) => !supportedParts.has(part));
  if (unsupported.length > 0) throw new Error(`A ${described.type} schema with ${unsupported.join(', ')} cannot be documented; say it with alternatives`);
}

/** The last of several metas wins, as an extended schema overrides the one it extends. */
export function metaOf({ metas = [] }: JoiDescription): SchemaMeta {
  return Object.assign({}, ...metas) as SchemaMeta;
}

/** Converts a regular expression from `describe()` to a JSON Schema pattern. */
export function patternOf(regex: string): string {
  const end = regex.lastIndexOf('/');
  const flags = regex.slice(end + 1);
  if (flags.replace('u', '') !== '') throw new Error(`The pattern ${regex} has flags that JSON Schema cannot say; write it without`);
  return regex.slice(1, end);
}

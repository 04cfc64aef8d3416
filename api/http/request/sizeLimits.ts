import type Joi from 'joi';
import type { Issue } from '../../../domain/errors';
import { unknownFieldIssue } from './issues';
import { issueLabel } from './issueText';

/** Unknown fields of one object beyond which nothing else of a body is looked at. */
const maxUnknownFields = 50;

/** What of a schema bounds the work of checking a value: its fields, the items it may have, and how many. */
interface Bounds {
  fields?: Map<string, Bounds>;
  items?: Bounds;
  maxItems?: number;
  /** Of an object that depends on its `kind`: the bounds by kind. */
  kinds?: Map<unknown, Bounds>;
}

interface Description {
  type?: string;
  flags?: object;
  keys?: Record<string, Description>;
  items?: Description[];
  rules?: { name: string; args?: { limit?: unknown } }[];
  allow?: unknown[];
  matches?: { switch?: { then?: Description }[] }[];
}

/** The bounds of each kind of an object made by `discriminatedUnion`. */
function boundsByKind(matches: NonNullable<Description['matches']>): Map<unknown, Bounds> {
  const objects = matches.flatMap((match) => match.switch ?? []).flatMap(({ then }) => (then === undefined ? [] : [then]));
  return new Map(objects.map((object) => [object.keys?.kind?.allow?.at(-1), boundsOfDescription(object)]));
}

function boundsOfDescription({ type, keys, items, rules, flags, matches }: Description): Bounds {
  const limit = rules?.find(({ name }) => name === 'max')?.args?.limit;
  const [item, ...others] = items ?? [];
  const closed = type === 'object' && keys !== undefined && !(flags !== undefined && 'unknown' in flags);
  return {
    ...(closed ? { fields: new Map(Object.entries(keys).map(([name, field]) => [name, boundsOfDescription(field)])) } : {}),
    ...(type === 'array' && typeof limit === 'number' ? { maxItems: limit } : {}),
    ...(item !== undefined && others.length === 0 ? { items: boundsOfDescription(item) } : {}),
    ...(matches === undefined ? {} : { kinds: boundsByKind(matches) }),
  };
}

const boundsCache = new WeakMap<Joi.Schema, Bounds>();

function boundsOf(schema: Joi.Schema): Bounds {
  const bounds = boundsCache.get(schema) ?? boundsOfDescription(schema.describe());
  boundsCache.set(schema, bounds);
  return bounds;
}

/** A list that is too long, or a field of more unknown ones than are looked at. */
type SizeViolation = { kind: 'unknown'; issue: Issue } | { kind: 'tooLong'; path: readonly string[]; maxItems: number };

// The depth of the value is bounded by that of the schema.
function findSizeViolations(value: unknown, bounds: Bounds, path: readonly string[]): SizeViolation[] {
  if (Array.isArray(value)) return findItemViolations(value, bounds, path);
  if (typeof value !== 'object' || value === null) return [];
  const { fields } = 'kind' in value ? (bounds.kinds?.get(value.kind) ?? bounds) : bounds;
  if (fields === undefined) return [];
  const unknown = Object.keys(value).filter((name) => !fields.has(name));
  if (unknown.length > maxUnknownFields) return unknown.map((name) => ({ kind: 'unknown', issue: unknownFieldIssue([...path, name].join('.')) }));
  return Object.entries(value).flatMap(([name, part]) => {
    const field = fields.get(name);
    return field === undefined ? [] : findSizeViolations(part, field, [...path, name]);
  });
}

function findItemViolations(value: readonly unknown[], { items, maxItems }: Bounds, path: readonly string[]): SizeViolation[] {
  if (maxItems !== undefined && value.length > maxItems) return [{ kind: 'tooLong', path, maxItems }];
  return items === undefined ? [] : value.flatMap((item, index) => findSizeViolations(item, items, [...path, String(index)]));
}

/** The value with nothing in the list at a path; only what leads there is copied. */
function withEmptiedList(value: unknown, [name, ...names]: readonly string[]): unknown {
  if (name === undefined) return [];
  if (Array.isArray(value)) return value.map((item: unknown, index) => (String(index) === name ? withEmptiedList(item, names) : item));
  return typeof value === 'object' && value !== null ? { ...value, [name]: withEmptiedList(Reflect.get(value, name), names) } : value;
}

function tooLongIssue(path: string, maxItems: number): Issue {
  return { path, message: `${issueLabel(path)} must have at most ${maxItems} ${maxItems === 1 ? 'item' : 'items'}` };
}

/**
 * What of a value is so much that the validator should not see it, for it would check every item and name every field
 * first: the unknown fields of an object that has more than 50, after which nothing else needs to be looked at; and each
 * list that is longer than its schema lets it be. `rest` is what is left to check, with these lists empty.
 */
export function checkSizeLimits(schema: Joi.Schema, value: unknown): { unknown: Issue[]; tooLong: Issue[]; rest: unknown } {
  const violations = findSizeViolations(value, boundsOf(schema), []);
  return {
    unknown: violations.flatMap((one) => (one.kind === 'unknown' ? [one.issue] : [])),
    tooLong: violations.flatMap((one) => (one.kind === 'tooLong' ? [tooLongIssue(one.path.join('.'), one.maxItems)] : [])),
    rest: violations.reduce<unknown>((rest, one) => (one.kind === 'tooLong' ? withEmptiedList(rest, one.path) : rest), value),
  };
}

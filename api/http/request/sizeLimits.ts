import type Joi from 'joi';
import type { Issue } from '../../../domain/errors';
import { unknownFieldIssue } from './issues';
import { issueLabel } from '../../../domain/issueText';

/** Maximum number of unknown fields of one object; with more, the rest of the body is not validated. */
const maxUnknownFields = 50;

/** The parts of a schema that limit the work of validation: its fields, its items, and their maximum number. */
interface Bounds {
  fields?: Map<string, Bounds>;
  items?: Bounds;
  maxItems?: number;
  /** For an object that depends on its `kind`: the limits by kind. */
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

/** The limits of each kind of a `discriminatedUnion`. */
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

/** Returns the fields that the object at a path may have; none where it may have any. */
export function knownFieldsAt(schema: Joi.Schema, value: unknown, path: readonly (string | number)[]): Iterable<string> {
  let [bounds, at]: [Bounds | undefined, unknown] = [boundsOf(schema), value];
  for (const step of path) {
    bounds = typeof step === 'number' ? bounds?.items : boundsHere(bounds, at)?.fields?.get(step);
    at = typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined;
  }
  return boundsHere(bounds, at)?.fields?.keys() ?? [];
}

/** Returns the field of a body that a bare list was meant to be: its only list; undefined if it has none, or several. */
export function onlyListOf(schema: Joi.ObjectSchema): string | undefined {
  const { keys = {} }: Description = schema.describe();
  const [list, ...others] = Object.entries(keys).filter(([, { type }]) => type === 'array');
  return others.length === 0 ? list?.[0] : undefined;
}

/** The limits of a value that may depend on its `kind`. */
const boundsHere = (bounds: Bounds | undefined, value: unknown): Bounds | undefined =>
  (typeof value === 'object' && value !== null && 'kind' in value ? bounds?.kinds?.get(value.kind) : undefined) ?? bounds;

const boundsCache = new WeakMap<Joi.Schema, Bounds>();

function boundsOf(schema: Joi.Schema): Bounds {
  const bounds = boundsCache.get(schema) ?? boundsOfDescription(schema.describe());
  boundsCache.set(schema, bounds);
  return bounds;
}

/** A list that is too long, or one of too many unknown fields. */
type SizeViolation = { kind: 'unknown'; issue: Issue } | { kind: 'tooLong'; path: readonly string[]; maxItems: number };

// The recursion is limited by the depth of the schema.
function findSizeViolations(value: unknown, bounds: Bounds, path: readonly string[]): SizeViolation[] {
  if (Array.isArray(value)) return findItemViolations(value, bounds, path);
  if (typeof value !== 'object' || value === null) return [];
  const fields = boundsHere(bounds, value)?.fields;
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

/** Returns the value with an empty list at a path; copies only the objects on the path. */
function withEmptiedList(value: unknown, [name, ...names]: readonly string[]): unknown {
  if (name === undefined) return [];
  if (Array.isArray(value)) return value.map((item: unknown, index) => (String(index) === name ? withEmptiedList(item, names) : item));
  return typeof value === 'object' && value !== null ? { ...value, [name]: withEmptiedList(Reflect.get(value, name), names) } : value;
}

function tooLongIssue(path: string, maxItems: number): Issue {
  return { path, message: `${issueLabel(path)} must have at most ${maxItems} ${maxItems === 1 ? 'item' : 'items'}` };
}

/**
 * Finds the parts of a value that are too large for the validator, which would check every item and name every field: the
 * unknown fields of an object with more than 50 of them, after which nothing else needs to be validated; and each list that
 * is longer than its schema allows. `rest` is the value that remains to be validated, with these lists empty.
 */
export function checkSizeLimits(schema: Joi.Schema, value: unknown): { unknown: Issue[]; tooLong: Issue[]; rest: unknown } {
  const violations = findSizeViolations(value, boundsOf(schema), []);
  return {
    unknown: violations.flatMap((one) => (one.kind === 'unknown' ? [one.issue] : [])),
    tooLong: violations.flatMap((one) => (one.kind === 'tooLong' ? [tooLongIssue(one.path.join('.'), one.maxItems)] : [])),
    rest: violations.reduce<unknown>((rest, one) => (one.kind === 'tooLong' ? withEmptiedList(rest, one.path) : rest), value),
  };
}

import type Joi from 'joi';
import type { Issue } from '../../domain/errors';
import { unknownField } from './issues';

/** Unknown fields of one object beyond which nothing else of a body is looked at, and how many of them are named. */
const maxUnknown = 50;

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

/** The bounds of each kind of an object made by `byKind`. */
function kindsIn(matches: NonNullable<Description['matches']>): Map<unknown, Bounds> {
  const objects = matches.flatMap((match) => match.switch ?? []).flatMap(({ then }) => (then === undefined ? [] : [then]));
  return new Map(objects.map((object) => [object.keys?.kind?.allow?.at(-1), boundsIn(object)]));
}

function boundsIn({ type, keys, items, rules, flags, matches }: Description): Bounds {
  const limit = rules?.find(({ name }) => name === 'max')?.args?.limit;
  const [item, ...others] = items ?? [];
  const closed = type === 'object' && keys !== undefined && !(flags !== undefined && 'unknown' in flags);
  return {
    ...(closed ? { fields: new Map(Object.entries(keys).map(([name, field]) => [name, boundsIn(field)])) } : {}),
    ...(type === 'array' && typeof limit === 'number' ? { maxItems: limit } : {}),
    ...(item !== undefined && others.length === 0 ? { items: boundsIn(item) } : {}),
    ...(matches === undefined ? {} : { kinds: kindsIn(matches) }),
  };
}

const known = new WeakMap<Joi.Schema, Bounds>();

function boundsOf(schema: Joi.Schema): Bounds {
  const bounds = known.get(schema) ?? boundsIn(schema.describe());
  known.set(schema, bounds);
  return bounds;
}

// The depth of the value is bounded by that of the schema.
function excessIn(value: unknown, bounds: Bounds, path: readonly string[]): Issue[] {
  if (Array.isArray(value)) return excessItems(value, bounds, path);
  if (typeof value !== 'object' || value === null) return [];
  const { fields } = 'kind' in value ? (bounds.kinds?.get(value.kind) ?? bounds) : bounds;
  if (fields === undefined) return [];
  const unknown = Object.keys(value).filter((name) => !fields.has(name));
  if (unknown.length > maxUnknown) return unknown.map((name) => unknownField([...path, name].join('.')));
  return Object.entries(value).flatMap(([name, part]) => {
    const field = fields.get(name);
    return field === undefined ? [] : excessIn(part, field, [...path, name]);
  });
}

function excessItems(value: readonly unknown[], { items, maxItems }: Bounds, path: readonly string[]): Issue[] {
  if (maxItems !== undefined && value.length > maxItems) {
    const where = path.join('.');
    return [{ path: where, message: `${where} must contain less than or equal to ${maxItems} items` }];
  }
  return items === undefined ? [] : value.flatMap((item, index) => excessIn(item, items, [...path, String(index)]));
}

/**
 * What of a value is so much that the validator should not see it: an array longer than its schema lets it be, an
 * object with more than 50 fields that nobody knows. The validator would check every item and name every field first.
 */
export const excessOf = (schema: Joi.Schema, value: unknown): Issue[] => excessIn(value, boundsOf(schema), []);

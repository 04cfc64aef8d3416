/** Values by the dotted path at which they stand; undefined takes the field away. */
export type Fields = Record<string, unknown>;

/** A copy with this value at a place, named from outside in; undefined takes away what is there. */
export function withField(whole: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const parts = Object.entries(Object(whole));
  const inner = withField(parts.find(([field]) => field === name)?.[1], rest, value);
  const changed = [...parts.filter(([field]) => field !== name), ...(inner === undefined ? [] : [[name, inner]])];
  return Array.isArray(whole) ? changed.sort(([one], [other]) => Number(one) - Number(other)).map(([, part]) => part) : Object.fromEntries(changed);
}

/** A copy with these fields, however deep, in place of its own. */
export function withFields(whole: unknown, fields: Fields): unknown {
  return Object.entries(fields).reduce((changed, [path, value]) => withField(changed, path.split('.'), value), whole);
}

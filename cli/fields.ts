/** Returns a value by its dotted path, as in `admin.login_email`; undefined if there is none. */
export function getField(value: unknown, path: string): unknown {
  return path.split('.').reduce((from: unknown, name) => (typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined), value);
}

/** Returns a text field that every response has. */
export function getString(value: unknown, path: string): string {
  const found = getField(value, path);
  if (typeof found !== 'string') throw new Error(`The service answered without ${path}`);
  return found;
}

/** Returns a field that is a number; undefined for anything else. */
export function getNumber(value: unknown, path: string): number | undefined {
  const found = getField(value, path);
  return typeof found === 'number' ? found : undefined;
}

/** Returns a field that is a list; empty for anything else. */
export function getItems(value: unknown, path: string): unknown[] {
  const found: unknown = getField(value, path);
  return Array.isArray(found) ? found : [];
}

/** A value of an answer by its dotted path, `admin.login_email`; undefined where there is none. */
export function getField(value: unknown, path: string): unknown {
  return path.split('.').reduce((from: unknown, name) => (typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined), value);
}

/** A field that the service always answers as a text. */
export function getString(value: unknown, path: string): string {
  const found = getField(value, path);
  if (typeof found !== 'string') throw new Error(`The service answered without ${path}`);
  return found;
}

/** A field that is a number, or undefined where it is none. */
export function getNumber(value: unknown, path: string): number | undefined {
  const found = getField(value, path);
  return typeof found === 'number' ? found : undefined;
}

/** A field that is a list; empty where it is none. */
export function getItems(value: unknown, path: string): unknown[] {
  const found: unknown = getField(value, path);
  return Array.isArray(found) ? found : [];
}

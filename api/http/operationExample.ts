/** Some of the fields of a value, as its JSON has them; lists are changed item by item. */
export type ExampleChanges<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? readonly ExampleChanges<Item>[]
    : Value extends object
      ? { readonly [Field in keyof Value]?: ExampleChanges<Value[Field]> }
      : Value;

/**
 * What the example of one operation has other than the examples of its schemas, which several operations share: the state
 * after this very call, and what is sent to get there.
 */
export interface OperationExample<Body, Data> {
  request?: ExampleChanges<Body>;
  /** Of `data`. */
  response?: ExampleChanges<Data>;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns an example with changes: objects field by field, lists item by item, with as many items as the changes have. */
export function changeExample(example: unknown, changes: unknown): unknown {
  if (changes === undefined) return example;
  if (Array.isArray(changes)) {
    const items: readonly unknown[] = Array.isArray(example) ? example : [];
    return changes.map((change, index) => changeExample(items[index] ?? items[0], change));
  }
  if (!isObject(changes)) return changes;
  const fields = isObject(example) ? example : {};
  return { ...fields, ...Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, changeExample(fields[name], change)])) };
}

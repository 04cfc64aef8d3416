import fc from 'fast-check';
import type { JsonSchema, JsonType } from '../../api/http/openapi/jsonSchema';
import { withField } from './withFields';

type Resolve = (ref: string) => JsonSchema;

/** Characters that mean something somewhere: to SQL, to JSON, to a spreadsheet, to a terminal, to Unicode. */
const character = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...Array.from('abcXYZ019 _-.@')) },
  { weight: 1, arbitrary: fc.constantFrom(...Array.from('\'"\\%=+;<>{}$ß漢é\u0301\u200b😀')) },
);

const timestamp = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }).map((date) => date.toISOString());

const byFormat: Record<string, fc.Arbitrary<string>> = {
  'date-time': timestamp,
  email: fc.stringMatching(/^[a-z]{1,10}@[a-z]{1,10}\.example$/),
  uri: fc.stringMatching(/^https:\/\/[a-z]{1,10}\.example\/[a-z]{0,10}$/),
};

/** Long limits are met in spirit: what is generated stays small. */
const boundedLength = (min: number, max: number | undefined, spare: number): number => Math.min(max ?? Infinity, min + spare);

/** Text is trimmed before it is checked, so that what surrounds it says nothing of the schema. */
const trimmed = (value: string): boolean => value.trim() === value;

/** Strings of a pattern; where it cannot be generated from, the schema's examples. */
function matching(pattern: RegExp, examples: readonly unknown[]): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(pattern);
  } catch {
    return fc.constantFrom(...examples.map(String));
  }
}

function text({ format, pattern, minLength = 0, maxLength, allOf = [], examples = [] }: JsonSchema): fc.Arbitrary<string> {
  if (format !== undefined && byFormat[format] !== undefined) return byFormat[format];
  const patterns = [pattern, ...allOf.map((part) => part.pattern)].filter((one) => one !== undefined).map((one) => new RegExp(one, 'u'));
  const plain = fc.string({ unit: character, minLength, maxLength: boundedLength(minLength, maxLength, 12) });
  const [first] = patterns;
  // A trimmed text's pattern is wide; any other is narrow enough that it must be generated from.
  const narrow = patterns.find((one) => !one.source.includes('[^\\s'));
  const source = narrow === undefined ? plain : matching(narrow, examples);
  return source.filter((value) => trimmed(value) && value.length <= (maxLength ?? Infinity) && (first === undefined || patterns.every((one) => one.test(value))));
}

function integerRange({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): { min: number; max: number } {
  return {
    min: minimum ?? (exclusiveMinimum === undefined ? -1_000_000 : Math.floor(exclusiveMinimum) + 1),
    max: maximum ?? (exclusiveMaximum === undefined ? 1_000_000 : Math.ceil(exclusiveMaximum) - 1),
  };
}

function object(schema: JsonSchema, resolve: Resolve): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties, patternProperties } = schema;
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, arbitraryOf(field, resolve)]));
  const known = fc.record(fields, { requiredKeys: required.filter((name) => Object.hasOwn(fields, name)) });
  const open = additionalProperties !== false && patternProperties === undefined && Object.keys(fields).length === 0;
  if (!open) return known;
  const value = typeof additionalProperties === 'object' ? arbitraryOf(additionalProperties, resolve) : fc.jsonValue({ maxDepth: 2 });
  return fc.dictionary(fc.stringMatching(/^[a-z_]{1,12}$/), value, { maxKeys: 4 });
}

const byType: Record<JsonType, (schema: JsonSchema, resolve: Resolve) => fc.Arbitrary<unknown>> = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  integer: (schema) => fc.integer(integerRange(schema)),
  number: (schema) => fc.integer(integerRange(schema)),
  string: text,
  array: ({ items, minItems = 0, maxItems, uniqueItems }, resolve) => {
    const item = items === undefined || items === false ? fc.jsonValue({ maxDepth: 1 }) : arbitraryOf(items, resolve);
    const bounds = { minLength: minItems, maxLength: boundedLength(minItems, maxItems, 3) };
    return uniqueItems === true
      ? fc.uniqueArray(item, { ...bounds, selector: (value) => JSON.stringify(value) })
      : fc.array(item, bounds);
  },
  object,
};

/** Values that a schema of a served document mostly accepts; what only the whole can say is left to a validator. */
export function arbitraryOf(schema: JsonSchema, resolve: Resolve): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return arbitraryOf(resolve(schema.$ref), resolve);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const { type } = schema;
  if (type !== undefined) return fc.oneof(...[type].flat().map((one) => byType[one](schema, resolve)));
  const choices = schema.anyOf ?? schema.oneOf ?? [];
  return choices.length > 0 ? fc.oneof(...choices.map((choice) => arbitraryOf(choice, resolve))) : fc.jsonValue({ maxDepth: 2 });
}

/** JSON whose texts have nothing around them that trimming would take. */
const json = fc.jsonValue({ maxDepth: 1 }).map((value): unknown =>
  JSON.parse(JSON.stringify(value), (_name, part: unknown) => (typeof part === 'string' ? part.trim() : part)),
);

const invalidValues: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, '', ' ', 0, -1, 1.5, 1e300, true, [], {}, [null], { a: 1 }, '\u0000', 'a\u0007b', 'a\ud800', '2026-02-30T00:00:00Z', 'a'.repeat(5_000)),
  json,
);

/** An object with one of its fields replaced by an unusual value, or with an unknown field added. */
export function withInvalidField(whole: fc.Arbitrary<unknown>, names: readonly string[]): fc.Arbitrary<unknown> {
  const name = fc.constantFrom(...names, 'unknown_field', 'id', 'constructor');
  return fc.tuple(whole, name, invalidValues).map(([value, field, with_]) => ({ ...Object(value), [field]: with_ }));
}

/** Every place within a value, as the names that lead there from outside in. */
function pathsIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [[name], ...pathsIn(part).map((place) => [name, ...place])]);
}

/** An object with something wrong at one place, however deep: replaced by something strange, taken away, or with an unknown field next to it. */
export function withInvalidPart(whole: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const unknown = fc.constantFrom('unknown_field', 'id', 'constructor', '__proto__', 'a.b', 'kind');
  return fc.tuple(whole, fc.nat(), fc.constantFrom('replaced', 'gone', 'joined'), unknown, invalidValues).map(([value, nth, how, name, with_]) => {
    const places = pathsIn(value);
    const place = places[nth % places.length] ?? [name];
    const mutations = { replaced: () => withField(value, place, with_), gone: () => withField(value, place, undefined), joined: () => withField(value, [...place.slice(0, -1), name], with_) };
    return mutations[how]();
  });
}

import type { JsonSchema } from '../../../api/http/openapi/jsonSchema';
import { fieldName, pascalCase, pythonText } from '../../../api/http/openapi/pythonNames';
import { comment } from './text';

/** Types of answers are pydantic models that accept what a newer service adds; types of requests are dictionaries. */
export type Direction = 'answer' | 'request';

/** The types of one direction. */
export interface PythonTypes {
  /** Returns the type of a schema; objects in it become classes, and in requests choices of several values aliases, whose names begin with `hint`. */
  typeOf(schema: JsonSchema, hint: string): string;
  /** Defines the class of a schema with a name of its own. */
  define(name: string, schema: JsonSchema): void;
  /** The classes and aliases, in the order in which they were defined. */
  classes(): { name: string; code: string }[];
}

/** Fields of answers that must not get into logs with the answer. */
export const secretFields: readonly string[] = ['secret', 'hidden_key_b64'];

const pageFields = 'has_more,items,limit,next_cursor,page,total';

/** Returns the schema of the items of a list's page; undefined for any other schema. */
function pageItems({ properties = {} }: JsonSchema): JsonSchema | undefined {
  const { items } = properties;
  return Object.keys(properties).sort().join() === pageFields && items !== undefined && items.items !== false ? items.items : undefined;
}

/** Returns the type of one value, which is a text, a number, true, false or null. */
function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return `Literal[${value ? 'True' : 'False'}]`;
  return `Literal[${typeof value === 'string' ? pythonText(value) : JSON.stringify(value)}]`;
}

/** The name of a schema's class, where its own is that of the client. */
const modelNames: Readonly<Record<string, string>> = { Institution: 'InstitutionProfile' };

/** Returns the name of a schema's class. */
const modelName = (schemaName: string): string => modelNames[schemaName] ?? schemaName;

/** Joins literals to one, and leaves out what `str` says already. */
function union(parts: readonly string[]): string {
  const unique = [...new Set(parts)];
  const withoutNone = unique.filter((part) => part !== 'None');
  const literals = withoutNone.filter((part) => part.startsWith('Literal[')).map((part) => part.slice('Literal['.length, -1));
  const others = withoutNone.filter((part) => !part.startsWith('Literal['));
  const joined = literals.length === 0 ? [] : [`Literal[${literals.join(', ')}]`];
  return [...joined, ...others, ...(unique.includes('None') ? ['None'] : [])].join(' | ');
}

/** A choice that has a name already, which is not defined again. */
export interface NamedChoice {
  name: string;
  values: readonly string[];
}

/** Creates an empty collection of types. */
export function createPythonTypes(direction: Direction, known: readonly NamedChoice[] = []): PythonTypes {
  const classes = new Map<string, string>();
  const nameByShape = new Map(known.map(({ name, values }) => [JSON.stringify(values), name]));
  const answer = direction === 'answer';

  /** Returns the values that an answer may have, and that values of later releases may come, too. */
  function enumParts(values: readonly unknown[], closed: boolean): string[] {
    const parts = values.map(literal);
    if (closed) return parts;
    const others = values.some((value) => typeof value === 'string') ? ['str'] : values.some((value) => typeof value === 'number') ? ['int'] : [];
    return [...parts, ...others];
  }

  /** Returns the alias of a choice of several texts, so that a program can name its type; choices of the same values share one. */
  function choiceParts(values: readonly unknown[], hint: string): string[] {
    const texts = values.filter((value) => typeof value === 'string');
    if (texts.length < 2) return values.map(literal);
    const shape = JSON.stringify(texts);
    const name = nameByShape.get(shape) ?? hint;
    if (!nameByShape.has(shape)) {
      if (classes.has(name)) throw new Error(`Two types of the Python client have the name ${name}`);
      nameByShape.set(shape, name);
      classes.set(name, `${name} = Literal[\n${texts.map((text) => `    ${pythonText(text)},\n`).join('')}]\n`);
    }
    return [name, ...values.filter((value) => typeof value !== 'string').map(literal)];
  }

  function objectType(schema: JsonSchema, hint: string, variant: boolean): string {
    const items = answer ? pageItems(schema) : undefined;
    if (items !== undefined) return `Page[${typeOf(items, `${hint}Item`)}]`;
    const { properties, additionalProperties } = schema;
    if (properties !== undefined && Object.keys(properties).length > 0) return classOf(hint, schema, variant);
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, `${hint}Value`) : 'Any';
    return answer ? `dict[str, ${values}]` : `Mapping[str, ${values}]`;
  }

  function stringType({ format }: JsonSchema): string[] {
    if (format === 'binary') return ['FileInput'];
    if (format !== 'date-time') return ['str'];
    return answer ? ['datetime'] : ['datetime', 'str'];
  }

  function partsOf(schema: JsonSchema, hint: string, variant: boolean): string[] {
    if (schema.$ref !== undefined) return [modelName(schema.$ref.split('/').at(-1) ?? '')];
    if ('const' in schema) return [literal(schema.const)];
    if (schema.enum !== undefined) return answer ? enumParts(schema.enum, variant && schema.enum.length === 1) : choiceParts(schema.enum, hint);
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives !== undefined && schema.type === undefined) return variantParts(alternatives, hint);
    const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
    if (types.length === 0) return ['Any'];
    return types.flatMap((type) => {
      if (type === 'object') return [objectType(schema, hint, variant)];
      if (type === 'string') return stringType(schema);
      if (type === 'array') return [`${answer ? 'list' : 'Sequence'}[${schema.items === undefined || schema.items === false ? 'Any' : typeOf(schema.items, `${hint}Item`)}]`];
      return [{ null: 'None', boolean: 'bool', integer: 'int', number: 'float' }[type]];
    });
  }

  /** An alternative that is an object is named by the one value of its `kind` or `type`. */
  function variantName(schema: JsonSchema, hint: string, nth: number): string {
    const { kind, type } = schema.properties ?? {};
    const [value] = (kind ?? type)?.enum ?? [];
    return `${hint}${typeof value === 'string' ? pascalCase(value) : String(nth + 1)}`;
  }

  function variantParts(alternatives: readonly JsonSchema[], hint: string): string[] {
    const objects = alternatives.filter(({ type, $ref }) => type === 'object' || $ref !== undefined);
    if (objects.length < 2) return alternatives.flatMap((one) => partsOf(one, hint, true));
    const parts = alternatives.flatMap((one, nth) => partsOf(one, one.type === 'object' ? variantName(one, hint, nth) : hint, true));
    if (!answer) return parts;
    const optional = parts.includes('None') ? ['None'] : [];
    return [`Annotated[${[...parts.filter((part) => part !== 'None'), 'dict[str, Any]'].join(' | ')}, Field(union_mode="left_to_right")]`, ...optional];
  }

  const typeOf = (schema: JsonSchema, hint: string, variant = false): string => union(partsOf(schema, hint, variant));

  /** Returns the class of an object; objects of the same shape share one. */
  function classOf(hint: string, schema: JsonSchema, variant: boolean): string {
    const shape = JSON.stringify(schema, (key: string, value: unknown) => (['description', 'examples', 'default'].includes(key) && typeof value !== 'object' ? undefined : value));
    const known = nameByShape.get(shape);
    if (!answer && known !== undefined) return known;
    if (classes.has(hint)) throw new Error(`Two classes of the Python client have the name ${hint}`);
    nameByShape.set(shape, hint);
    defineClass(hint, schema, variant);
    return hint;
  }

  function defineClass(name: string, schema: JsonSchema, variant: boolean): void {
    // Reserves the name; the classes of its fields come before it.
    classes.set(name, '');
    const fields = Object.entries(schema.properties ?? {}).map(([key, property]) => {
      const type = typeOf(property, `${name}${pascalCase(key)}`, variant && (key === 'kind' || key === 'type'));
      const required = schema.required?.includes(key) === true;
      return `${answer ? answerField(key, type, required) : `    ${key}: ${required ? type : `NotRequired[${type}]`}`}\n${comment(property.description, 4)}`;
    });
    classes.delete(name);
    const list = schema.properties?.items === undefined ? 'Model' : 'ListModel';
    const base = answer ? list : 'TypedDict';
    classes.set(name, `class ${name}(${base}):\n${comment(schema.description, 4)}${fields.length === 0 ? '    pass\n' : fields.join('')}`);
  }

  function answerField(key: string, type: string, required: boolean): string {
    const name = fieldName(key);
    const optional = required || type.endsWith('None') ? type : `${type} | None`;
    const settings = [...(required ? [] : ['default=None']), ...(name === key ? [] : [`alias=${pythonText(key)}`]), ...(secretFields.includes(key) ? ['repr=False'] : [])];
    return `    ${name}: ${optional}${settings.length === 0 ? '' : ` = Field(${settings.join(', ')})`}`;
  }

  return {
    typeOf,
    define: (name, schema) => defineClass(modelName(name), schema, false),
    classes: () => [...classes].map(([name, code]) => ({ name, code })),
  };
}

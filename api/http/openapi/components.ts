import { isDeepStrictEqual } from 'node:util';
import type Joi from 'joi';
import { convert, type Conversion } from './convertJoi';
import { describeSchema } from './joiDescription';
import type { JsonSchema } from './jsonSchema';

const prefix = '#/components/schemas/';

/** The schemas of one document: those with a title are kept once and referred to. */
export interface SchemaComponents {
  /** What a client sends; a titled schema that answers use too is kept as `<title>Input`. Convert answers first. */
  request(schema: Joi.Schema): JsonSchema;
  /** What the service answers. */
  response(schema: Joi.Schema): JsonSchema;
  resolve(ref: string): JsonSchema;
  all(): Record<string, JsonSchema>;
}

/** Starts with the given components; two different schemas under one title are a mistake and throw. */
export function createComponents(given: Record<string, JsonSchema>): SchemaComponents {
  const kept = new Map(Object.entries(given));
  const answered = new Set<string>();
  const keep = (name: string, schema: JsonSchema): JsonSchema => {
    const before = kept.get(name);
    if (before !== undefined && !isDeepStrictEqual(before, schema)) {
      throw new Error(`Two different schemas have the title ${name}: give the extended one a title of its own`);
    }
    kept.set(name, schema);
    return { $ref: prefix + name };
  };
  const response: Conversion = {
    direction: 'response',
    register: (title, schema) => {
      answered.add(title);
      return keep(title, schema);
    },
  };
  const request: Conversion = {
    direction: 'request',
    register: (title, schema) => keep(answered.has(title) ? `${title}Input` : title, schema),
  };
  return {
    request: (schema) => convert(describeSchema(schema), request),
    response: (schema) => convert(describeSchema(schema), response),
    resolve: (ref) => {
      const found = kept.get(ref.slice(prefix.length));
      if (found === undefined) throw new Error(`${ref} is not in the document`);
      return found;
    },
    all: () => Object.fromEntries([...kept].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

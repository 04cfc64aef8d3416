import { isDeepStrictEqual } from 'node:util';
import type Joi from 'joi';
import { convert, type Conversion } from './convertJoi';
import { describeSchema } from './joiDescription';
import type { JsonSchema } from './jsonSchema';

const prefix = '#/components/schemas/';

/** The schemas of one document: a schema with a title is stored once and referenced. */
export interface SchemaComponents {
  /** Converts a request schema; a titled schema that responses use as well is stored as `<title>Input`. Convert responses first. */
  request(schema: Joi.Schema): JsonSchema;
  /** A response of the service. */
  response(schema: Joi.Schema): JsonSchema;
  resolve(ref: string): JsonSchema;
  all(): Record<string, JsonSchema>;
}

/** Starts with the given components; throws if two different schemas have the same title. */
export function createComponents(given: Record<string, JsonSchema>): SchemaComponents {
  const components = new Map(Object.entries(given));
  const responseTitles = new Set<string>();
  const addComponent = (name: string, schema: JsonSchema): JsonSchema => {
    const existing = components.get(name);
    if (existing !== undefined && !isDeepStrictEqual(existing, schema)) {
      throw new Error(`Two different schemas have the title ${name}: give the extended one a title of its own`);
    }
    components.set(name, schema);
    return { $ref: prefix + name };
  };
  const response: Conversion = {
    direction: 'response',
    register: (title, schema) => {
      responseTitles.add(title);
      return addComponent(title, schema);
    },
  };
  const request: Conversion = {
    direction: 'request',
    register: (title, schema) => addComponent(responseTitles.has(title) ? `${title}Input` : title, schema),
  };
  return {
    request: (schema) => convert(describeSchema(schema), request),
    response: (schema) => convert(describeSchema(schema), response),
    resolve: (ref) => {
      const found = components.get(ref.slice(prefix.length));
      if (found === undefined) throw new Error(`${ref} is not in the document`);
      return found;
    },
    all: () => Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

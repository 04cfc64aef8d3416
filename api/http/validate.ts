import Joi from 'joi';
import { DomainError, notFound, type Issue } from '../../domain/errors';

const empty = Joi.object({});

const options: Joi.ValidationOptions = {
  abortEarly: false,
  allowUnknown: false,
  errors: { wrap: { label: false }, label: 'key' },
  messages: { 'object.unknown': '{{#label}} is not a known field', 'any.required': '{{#label}} is required' },
};

/** Every problem that a schema finds, each with its dotted path. */
export function issuesOf(error: Joi.ValidationError): Issue[] {
  const oneOf = new Set(error.details.filter(({ type }) => type === 'any.only').map(({ path }) => path.join('.')));
  return error.details
    .map(({ path, message, type }) => ({ path: path.join('.'), message, type }))
    // A value of the wrong type is also none of those allowed; that is one problem, not two.
    .filter(({ path, type }) => !(type.endsWith('.base') && oneOf.has(path)))
    .map(({ path, message }) => ({ path, message }));
}

function refuse(issues: Issue[]): DomainError {
  const [first] = issues;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return new DomainError('validation_error', `${first?.path ?? ''}: ${first?.message ?? ''}${more}`, { issues });
}

/** Checks a JSON body: nothing is converted but text trimmed; all problems at once. */
export function validateBody(schema: Joi.ObjectSchema | undefined, body: object): unknown {
  const checked = checkValue(schema ?? empty, body);
  if ('refused' in checked) throw checked.refused;
  return checked.value;
}

/** The same for a part of a body that is refused by itself, as an item of a bulk call; paths are relative to the part. */
export function checkValue<Value>(schema: Joi.ObjectSchema<Value>, part: unknown): { value: Value } | { refused: DomainError } {
  const { value, error } = schema.validate(part, { ...options, convert: false });
  return error ? { refused: refuse(issuesOf(error)) } : { value };
}

/** Checks a query string: numbers and booleans are read from their text; a parameter given twice is refused. */
export function validateQuery(schema: Joi.ObjectSchema | undefined, query: URLSearchParams): unknown {
  const once: Record<string, string> = {};
  const twice: Issue[] = [];
  for (const [name, value] of query) {
    if (Object.hasOwn(once, name)) twice.push({ path: name, message: `${name} must be given once` });
    once[name] = value;
  }
  const { value, error } = (schema ?? empty).validate(once, { ...options, convert: true });
  const issues = [...twice, ...(error ? issuesOf(error) : [])];
  if (issues.length > 0) throw refuse(issues);
  return value;
}

/** Checks path parameters; one that cannot be an id names nothing: 404. */
export function validateParams(schema: Joi.ObjectSchema | undefined, params: Record<string, string | undefined>): unknown {
  const { value, error } = (schema ?? empty).validate(params, { ...options, convert: true });
  if (error) throw notFound('resource');
  return value;
}

import Joi from 'joi';
import { notFound, userNotFound, type DomainError, type ErrorCode, type Issue } from '../../../domain/errors';
import { checkSizeLimits } from './sizeLimits';
import { validationErrorFrom, unknownFieldIssue } from './issues';
import { issueLabel } from './issueText';
import { validationMessages } from './validationMessages';

/** Maximum number of issues in a response, and for each item of a bulk call. */
const issueLimits = { response: 100, part: 20 };

const empty = Joi.object({});

const options: Joi.ValidationOptions = {
  abortEarly: false,
  allowUnknown: false,
  errors: { wrap: { label: false }, label: 'key' },
  messages: { ...validationMessages, 'object.unknown': '{{#label}} is not a known field' },
};

/** The first or last field of the list that Joi reports with a broken rule. */
const nameAt = (names: unknown, index: 0 | -1): string | undefined => (Array.isArray(names) ? names.map(String).at(index) : undefined);

/** Returns the path of a broken rule; for a rule over several fields the last field that is too many, or the first that is missing. */
function pathOf({ path, type, context = {} }: Joi.ValidationErrorItem): string {
  if (type === 'object.and') return [...path, nameAt(context.missing, 0)].join('.');
  const field = type.startsWith('object.') ? (nameAt(context.present, -1) ?? nameAt(context.missing, 0) ?? nameAt(context.peers, 0)) : undefined;
  return [...path, ...(field === undefined ? [] : [field])].join('.');
}

/** How Joi names an item of a list. */
const itemLabel = /^\[\d+\]/;

/** Every problem that a schema finds, each with its dotted path. */
function issuesOf(error: Joi.ValidationError): Issue[] {
  const oneOf = new Set(error.details.filter(({ type }) => type === 'any.only').map(({ path }) => path.join('.')));
  return error.details
    .map((detail) => ({ path: pathOf(detail), message: detail.message, type: detail.type }))
    // For a value outside the allowed set, only that problem is reported.
    .filter(({ path, type }) => type === 'any.only' || !oneOf.has(path))
    .map(({ path, message }) => ({ path, message: message.replace(itemLabel, () => issueLabel(path)) }));
}

/** Compiles a schema with our options once: Joi would compile it for every value. */
function createSchemaCompiler(preferences: Joi.ValidationOptions): <Value>(schema: Joi.ObjectSchema<Value>) => Joi.ObjectSchema<Value> {
  const compiled = new WeakMap<Joi.Schema, Joi.ObjectSchema>();
  return (schema) => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const schemaWithOptions = schema.prefs({ ...options, ...preferences });
    compiled.set(schema, schemaWithOptions);
    return schemaWithOptions;
  };
}

/** Bodies: no conversion except trimming. */
const compileStrict = createSchemaCompiler({ convert: false });
/** Queries and paths: numbers and booleans are converted from text. */
const compileCoercing = createSchemaCompiler({ convert: true, messages: { ...validationMessages, 'object.unknown': '{{#label}} is not a known query parameter' } });

type CheckResult<Value> = { value: Value } | { error: DomainError };

function check<Value>(schema: Joi.ObjectSchema<Value>, value: unknown, maxIssues: number): CheckResult<Value> {
  const { unknown, tooLong, rest } = checkSizeLimits(schema, value);
  if (unknown.length > 0) return { error: validationErrorFrom([...tooLong, ...unknown], maxIssues) };
  const checked: Joi.ValidationResult<Value> = compileStrict(schema).validate(rest);
  const lists = new Set(tooLong.map(({ path }) => path));
  const others = checked.error ? issuesOf(checked.error).filter(({ path }) => !lists.has(path)) : [];
  if (checked.error || tooLong.length > 0) return { error: validationErrorFrom([...tooLong, ...others], maxIssues) };
  return { value: checked.value };
}

/**
 * Validates a JSON body: no conversion except trimming; reports all problems at once, at most 100. An absent body is
 * rejected if the schema is `.required()`, otherwise it counts as `{}`.
 */
export function validateBody(schema: Joi.ObjectSchema = empty, body: object | undefined): unknown {
  const isMissing = body === undefined && compileStrict(schema).validate(undefined).error !== undefined;
  if (isMissing) throw validationErrorFrom([{ path: 'body', message: 'is required' }], issueLimits.response);
  const checked = check(schema, body ?? {}, issueLimits.response);
  if ('error' in checked) throw checked.error;
  return checked.value;
}

/** Validates a part of a body that fails separately, such as an item of a bulk call: at most 20 problems, paths relative to the part. */
export function checkValue<Value>(schema: Joi.ObjectSchema<Value>, part: unknown): CheckResult<Value> {
  return check(schema, part, issueLimits.part);
}

/** Validates a query string: numbers and booleans are converted from text; a repeated parameter is rejected. */
export function validateQuery(schema: Joi.ObjectSchema | undefined, query: URLSearchParams): unknown {
  const values = new Map<string, string>();
  const queryIssues: Issue[] = [];
  for (const [name, value] of query) {
    if (values.has(name)) queryIssues.push({ path: name, message: `${name} must be given once` });
    if (name === '__proto__') queryIssues.push(unknownFieldIssue(name, 'query parameter'));
    values.set(name, value);
  }
  const read = compileCoercing(schema ?? empty).validate(Object.fromEntries(values));
  const issues = [...queryIssues, ...(read.error ? issuesOf(read.error) : [])];
  if (issues.length > 0) throw validationErrorFrom(issues, issueLimits.response);
  return read.value;
}

/** Validates path parameters; an invalid one gets the same 404 as an unknown id. */
export function validateParams(schema: Joi.ObjectSchema | undefined, params: Record<string, string | undefined>, errors: readonly ErrorCode[]): unknown {
  const read = compileCoercing(schema ?? empty).validate(params);
  if (read.error === undefined) return read.value;
  throw errors.includes('user_not_found') && !errors.includes('not_found') ? userNotFound() : notFound();
}

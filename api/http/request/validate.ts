import Joi from 'joi';
import type { ClockOffset } from '../../../domain/clock';
import { notFound, userNotFound, type DomainError, type ErrorCode, type Issue } from '../../../domain/errors';
import { checkSizeLimits, knownFieldsAt } from './sizeLimits';
import { didYouMean } from '../../../lib/closestMatch';
import { knownNames, validationErrorFrom, unknownFieldIssue } from './issues';
import { issueLabel } from '../../../domain/issueText';
import { validationMessages } from './validationMessages';

/** Maximum number of issues in a response, and for each item of a bulk call. */
const issueLimits = { response: 100, part: 20 };

const empty = Joi.object({});
/** Of calls that take no body. */
const noBody = Joi.object({});

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

/** Maximum number of issues whose message also names what was probably meant, which takes more time than the rule. */
const maxHints = 5;

/** What other APIs call parameters that this one has. */
const namesElsewhere: Readonly<Record<string, string>> = { per_page: 'limit', page_size: 'limit', pageSize: 'limit', offset: 'page' };

/** What no query takes, although answers or bodies have a name like it: what to do instead, in place of what was probably meant. */
const notInQueries: Readonly<Record<string, string>> = { personal_email: ': a personal email is never returned and cannot be searched for; a login email or your own identifier finds a person' };

/** Returns what was probably meant by an unknown name, by a value outside of the allowed ones, or by a text in place of a list. */
function hintOf({ type, path, context = {} }: Joi.ValidationErrorItem, schema: Joi.Schema, root: unknown, reasons: Readonly<Record<string, string>>): string {
  if (type === 'object.unknown') {
    if (schema === noBody) return ': this call takes no body; the parameters of its query are part of the URL';
    const name = String(path.at(-1));
    if (Object.hasOwn(reasons, name)) return reasons[name] ?? '';
    const known = [...knownFieldsAt(schema, root, path.slice(0, -1))];
    return didYouMean(name, known, namesElsewhere) || knownNames(known);
  }
  const value: unknown = context.value;
  if (type === 'array.base') return typeof value === 'string' ? ', such as ["…"]' : '';
  const valids: unknown = context.valids;
  return type === 'any.only' && typeof value === 'string' && Array.isArray(valids) && valids.length > 1 ? didYouMean(value, valids.filter((one) => typeof one === 'string')) : '';
}

/** Returns the details with hints behind the first messages. */
function withHints(details: readonly Joi.ValidationErrorItem[], schema: Joi.Schema, root: unknown, reasons: Readonly<Record<string, string>>): Joi.ValidationErrorItem[] {
  let hints = 0;
  return details.map((detail) => {
    if (hints >= maxHints || !['object.unknown', 'any.only', 'array.base'].includes(detail.type)) return detail;
    hints += 1;
    return { ...detail, message: `${detail.message}${hintOf(detail, schema, root, reasons)}` };
  });
}

/** Every problem that a schema finds, each with its dotted path; `reasons` has what to say of some unknown names. */
function issuesOf(error: Joi.ValidationError, schema: Joi.Schema, root: unknown, reasons: Readonly<Record<string, string>> = {}): Issue[] {
  const oneOf = new Set(error.details.filter(({ type }) => type === 'any.only').map(({ path }) => path.join('.')));
  return withHints(error.details, schema, root, reasons)
    .map((detail) => ({ path: pathOf(detail), message: detail.message, type: detail.type }))
    // For a value outside the allowed set, only that problem is reported.
    .filter(({ path, type }) => type === 'any.only' || !oneOf.has(path))
    .map(({ path, message }) => ({ path, message: path === '' ? message.replace(/^value /, 'the item ') : message.replace(itemLabel, () => issueLabel(path)) }));
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

/** The clock with which times are compared. Undefined without one: Joi merges its options for every value if it gets any. */
const validationContext = (clock: ClockOffset | undefined): Joi.ValidationOptions | undefined => (clock === undefined ? undefined : { context: { clockOffsetMs: clock.clockOffsetMs } });

type CheckResult<Value> = { value: Value } | { error: DomainError };

function check<Value>(schema: Joi.ObjectSchema<Value>, value: unknown, maxIssues: number, clock?: ClockOffset): CheckResult<Value> {
  const { unknown, tooLong, rest } = checkSizeLimits(schema, value);
  if (unknown.length > 0) return { error: validationErrorFrom([...tooLong, ...unknown], maxIssues) };
  const checked: Joi.ValidationResult<Value> = compileStrict(schema).validate(rest, validationContext(clock));
  const lists = new Set(tooLong.map(({ path }) => path));
  const others = checked.error ? issuesOf(checked.error, schema, rest).filter(({ path }) => !lists.has(path)) : [];
  if (checked.error || tooLong.length > 0) return { error: validationErrorFrom([...tooLong, ...others], maxIssues) };
  return { value: checked.value };
}

/**
 * Validates a JSON body: no conversion except trimming; reports all problems at once, at most 100. An absent body is
 * rejected if the schema is `.required()`, otherwise it counts as `{}`. Times are compared with the caller's `clock`.
 */
export function validateBody(schema: Joi.ObjectSchema = noBody, body: object | undefined, clock?: ClockOffset): unknown {
  const isMissing = body === undefined && compileStrict(schema).validate(undefined).error !== undefined;
  if (isMissing) throw validationErrorFrom([{ path: 'body', message: 'is required' }], issueLimits.response);
  const checked = check(schema, body ?? {}, issueLimits.response, clock);
  if ('error' in checked) throw checked.error;
  return checked.value;
}

/** Validates a part of a body that fails separately, such as an item of a bulk call: at most 20 problems, paths relative to the part. */
export function checkValue<Value>(schema: Joi.ObjectSchema<Value>, part: unknown): CheckResult<Value> {
  return check(schema, part, issueLimits.part);
}

/** Validates a query string: numbers and booleans are converted from text; a repeated parameter is rejected. Times are compared with the caller's `clock`. */
export function validateQuery(schema: Joi.ObjectSchema | undefined, query: URLSearchParams, clock?: ClockOffset): unknown {
  if (schema === undefined && query.size === 0) return {};
  const values = new Map<string, string>();
  const queryIssues: Issue[] = [];
  for (const [name, value] of query) {
    if (values.has(name)) queryIssues.push({ path: name, message: `${name} must be given once` });
    if (name === '__proto__') queryIssues.push(unknownFieldIssue(name, { what: 'query parameter' }));
    values.set(name, value);
  }
  const given = Object.fromEntries(values);
  const read = compileCoercing(schema ?? empty).validate(given, validationContext(clock));
  const issues = [...queryIssues, ...(read.error ? issuesOf(read.error, schema ?? empty, given, notInQueries) : [])];
  if (issues.length > 0) throw validationErrorFrom(issues, issueLimits.response);
  return read.value;
}

/** Validates path parameters; an invalid one gets the same 404 as an unknown id. */
export function validateParams(schema: Joi.ObjectSchema | undefined, params: Record<string, string | undefined>, errors: readonly ErrorCode[]): unknown {
  const read = compileCoercing(schema ?? empty).validate(params);
  if (read.error === undefined) return read.value;
  throw errors.includes('user_not_found') && !errors.includes('not_found') ? userNotFound() : notFound();
}

import Joi from 'joi';
import { DomainError, notFound, type Issue } from '../../domain/errors';

const empty = Joi.object({});

const severalFields = {
  'object.missing': 'one of {{#peersWithLabels}} is required',
  'object.xor': 'only one of {{#peersWithLabels}} may be given',
  'object.oxor': 'only one of {{#peersWithLabels}} may be given',
};

const options: Joi.ValidationOptions = {
  abortEarly: false,
  allowUnknown: false,
  errors: { wrap: { label: false }, label: 'key' },
  messages: { 'object.unknown': '{{#label}} is not a known field', 'any.required': '{{#label}} is required', ...severalFields },
};

/** The first or last of a list that Joi hands over with a broken rule. */
const nameAt = (names: unknown, index: 0 | -1): string | undefined => (Array.isArray(names) ? names.map(String).at(index) : undefined);

/** Where a rule is broken; one over several fields at the last of those present too many, or the first of those missing. */
function pathOf({ path, type, context = {} }: Joi.ValidationErrorItem): string {
  const field = type.startsWith('object.') ? (nameAt(context.present, -1) ?? nameAt(context.missing, 0) ?? nameAt(context.peers, 0)) : undefined;
  return [...path, ...(field === undefined ? [] : [field])].join('.');
}

/** Every problem that a schema finds, each with its dotted path. */
function issuesOf(error: Joi.ValidationError): Issue[] {
  const oneOf = new Set(error.details.filter(({ type }) => type === 'any.only').map(({ path }) => path.join('.')));
  return error.details
    .map((detail) => ({ path: pathOf(detail), message: detail.message, type: detail.type }))
    // A value of the wrong type is also none of those allowed; that is one problem, not two.
    .filter(({ path, type }) => !(type.endsWith('.base') && oneOf.has(path)))
    .map(({ path, message }) => ({ path, message }));
}

function refuse(issues: Issue[]): DomainError {
  const [first] = issues;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return new DomainError('validation_error', `${first?.path ?? ''}: ${first?.message ?? ''}${more}`, { issues });
}

/** The issue of a field that nobody knows; the validator itself would drop one called `__proto__` unseen. */
export const unknownField = (path: string): Issue => ({ path, message: `${path} is not a known field` });

/** A schema under our options, put together once: Joi would compile them anew with every value. */
function formOf(preferences: Joi.ValidationOptions): <Value>(schema: Joi.ObjectSchema<Value>) => Joi.ObjectSchema<Value> {
  const forms = new WeakMap<Joi.Schema, Joi.ObjectSchema>();
  return (schema) => {
    const known = forms.get(schema);
    if (known !== undefined) return known;
    const form = schema.prefs({ ...options, ...preferences });
    forms.set(schema, form);
    return form;
  };
}

/** Bodies: nothing is converted but text trimmed. */
const strictly = formOf({ convert: false });
/** Queries and paths: numbers and booleans are read from their text. */
const fromText = formOf({ convert: true });

/** Checks a JSON body: nothing is converted but text trimmed; all problems at once. */
export function validateBody(schema: Joi.ObjectSchema | undefined, body: object): unknown {
  const checked = checkValue(schema ?? empty, body);
  if ('refused' in checked) throw checked.refused;
  return checked.value;
}

/** The same for a part of a body that is refused by itself, as an item of a bulk call; paths are relative to the part. */
export function checkValue<Value>(schema: Joi.ObjectSchema<Value>, part: unknown): { value: Value } | { refused: DomainError } {
  const checked: Joi.ValidationResult<Value> = strictly(schema).validate(part);
  return checked.error ? { refused: refuse(issuesOf(checked.error)) } : { value: checked.value };
}

/** Checks a query string: numbers and booleans are read from their text; a parameter given twice is refused. */
export function validateQuery(schema: Joi.ObjectSchema | undefined, query: URLSearchParams): unknown {
  const once = new Map<string, string>();
  const wrong: Issue[] = [];
  for (const [name, value] of query) {
    if (once.has(name)) wrong.push({ path: name, message: `${name} must be given once` });
    if (name === '__proto__') wrong.push(unknownField(name));
    once.set(name, value);
  }
  const read = fromText(schema ?? empty).validate(Object.fromEntries(once));
  const issues = [...wrong, ...(read.error ? issuesOf(read.error) : [])];
  if (issues.length > 0) throw refuse(issues);
  return read.value;
}

/** Checks path parameters; one that cannot be an id names nothing: 404. */
export function validateParams(schema: Joi.ObjectSchema | undefined, params: Record<string, string | undefined>): unknown {
  const read = fromText(schema ?? empty).validate(params);
  if (read.error) throw notFound('resource');
  return read.value;
}

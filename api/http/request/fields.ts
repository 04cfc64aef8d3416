import Joi from 'joi';
import type { PageOf } from '../../../db/page';
import { dateTimeFault, parseDateTime } from '../../../lib/dateTime';
import { jsonError, type JsonBounds } from '../../../lib/jsonBounds';
import type { FieldsType, SchemaType } from '../../../lib/schemaType';
import { ListCursor } from './cursors';

/** Whether tabs and line breaks are allowed. */
export type Lines = 'one-line' | 'multi-line';

const forbidden: Record<Lines, RegExp> = { 'one-line': /[\u0000-\u001f\u007f-\u009f]/, 'multi-line': /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/ };

const noTime = '{{#label}} must be an ISO 8601 date and time with a zone, such as 2026-11-20T09:30:00Z';

const messages = {
  'text.control': '{{#label}} must not contain control characters',
  'text.unpaired': '{{#label}} must be well-formed Unicode text',
  'time.form': noTime,
  'time.zone': '{{#label}} lacks its zone: it must be an ISO 8601 date and time with a zone, such as 2026-11-20T09:30:00Z or 2026-11-20T09:30:00+01:00',
  'time.day': '{{#label}} names a day that there is not',
  'time.plus': '{{#label}} must have its + written %2B in a URL, such as 2026-11-20T09:30:00%2B01:00',
};

// The JSON Schema pattern of a trimmed text.
const control: Record<Lines, string> = { 'one-line': '\\x00-\\x1f\\x7f-\\x9f', 'multi-line': '\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f' };

/** Returns the pattern of a trimmed text without control characters; if it may be empty, blanks match too. */
function textPattern(lines: Lines, min: number): string {
  const edge = `[^\\s${control[lines]}]`;
  const trimmed = `${edge}(?:[^${control[lines]}]*${edge})?`;
  return min === 0 ? `^(?:\\s*|${trimmed})$` : `^${trimmed}$`;
}

/** Whether a text has more characters than `max`, counted in code points as in JSON Schema, not in UTF-16 units. */
export const isLonger = (value: string, max: number): boolean => value.length > max && (value.length > 2 * max || Array.from(value).length > max);

/** A trimmed text of `min` to `max` characters; control characters are rejected, except tab, CR and LF if multi-line. */
export function text(max: number, lines: Lines = 'one-line', min = 1): Joi.StringSchema {
  return Joi.string()
    .trim()
    .min(min)
    .custom((value: string, helpers) => {
      if (isLonger(value, max)) return helpers.error('string.max', { limit: max });
      if (!value.isWellFormed()) return helpers.error('text.unpaired');
      return forbidden[lines].test(value) ? helpers.error('text.control') : value;
    })
    .messages(messages)
    .meta({ jsonSchema: { maxLength: max, pattern: textPattern(lines, min) } })
    .prefs({ convert: true });
}

/** A text that is not trimmed; tab, CR and LF are allowed, other control characters rejected. */
export const untrimmedText = (max: number): Joi.StringSchema =>
  Joi.string()
    .allow('')
    .custom((value: string, helpers) => {
      if (isLonger(value, max)) return helpers.error('string.max', { limit: max });
      if (!value.isWellFormed()) return helpers.error('text.unpaired');
      return forbidden['multi-line'].test(value) ? helpers.error('text.control') : value;
    })
    .messages(messages)
    .meta({ jsonSchema: { maxLength: max, pattern: `^[^${control['multi-line']}]*$` } });

/** The padded, canonical base64 of exactly `bytes` bytes. An error message never repeats the value. */
export function base64Of(bytes: number): Joi.StringSchema {
  const rest = ['', '[A-Za-z0-9+/][AQgw]==', '[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]='][bytes % 3] ?? '';
  const pattern = `^[A-Za-z0-9+/]{${Math.floor(bytes / 3) * 4}}${rest}$`;
  const form = new RegExp(pattern);
  return Joi.string()
    .custom((value: string, helpers) => (form.test(value) ? value : helpers.message({ custom: `{{#label}} must be the base64 of exactly ${bytes} bytes` })))
    .meta({ jsonSchema: { pattern } });
}

/** A SHA-256 in hexadecimal digits of either case. */
export const sha256 = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^[0-9a-fA-F]{64}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be 64 hexadecimal digits' })
    .example('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08');

/** An id or a login email in a path, a filter or a body. */
export const reference = (): Joi.StringSchema => text(320);

/** An email address in ASCII whose domain has a dot; lower-cased, because comparison ignores case. */
export const emailAddress = (): Joi.StringSchema =>
  text(254)
    .lowercase()
    .email({ tlds: false, minDomainSegments: 2, allowUnicode: false })
    // Lower-casing turns some non-ASCII characters, such as the Kelvin sign, into ASCII letters.
    .custom((value: string, helpers) => (/[^\x00-\x7f]/.test(String(helpers.original).trim()) ? helpers.error('string.email') : value))
    .meta({ format: 'email' });

/** A whole number; a query parameter is converted from text. */
export const wholeNumber = (min: number, max: number): Joi.NumberSchema => Joi.number().integer().min(min).max(max);

/** A count in a response. */
export const count = Joi.number().integer().min(0).required();

/** A number with up to two decimals, as scores and percentages have them. */
export const upToTwoDecimals = (): Joi.NumberSchema =>
  Joi.number().custom((value: number, helpers) =>
    Number(value.toFixed(2)) === value ? value : helpers.message({ custom: '{{#label}} must have at most two decimals' }),
  );

/** An unescaped `+` in a query is decoded as a space. */
const hasUnescapedPlus = (value: string): boolean => parseDateTime(value.replace(' ', '+')) !== undefined;

/** A time in ISO 8601 with a zone, converted to a Date. */
export const dateTime = () =>
  Joi.string()
    .max(40)
    .custom((value: string, helpers) => parseDateTime(value) ?? helpers.error(hasUnescapedPlus(value) ? 'time.plus' : `time.${dateTimeFault(value)}`))
    .messages({ ...messages, 'string.base': noTime })
    .meta({ format: 'date-time' });

/** Rejects a JSON value beyond these limits. */
export const checkJson = (bounds: JsonBounds) => <Value>(value: Value, helpers: Joi.CustomHelpers): Value | Joi.ErrorReport => {
  const fault = jsonError(value, bounds);
  return fault === undefined ? value : helpers.message({ custom: `{{#label}} ${fault}` });
};

/** A time in a response: ISO 8601 in UTC with milliseconds. */
export const timestamp = (): Joi.StringSchema =>
  Joi.string().pattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/).meta({ format: 'date-time' });

/** A required field: a time, or null. */
export const timestampOrNull = (description: string) =>
  timestamp().allow(null).required().description(description).example('2026-11-20T09:30:00.000Z');

/** The same for a response. */
export const isoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;

/** Characters of a cursor. */
const maxCursorLength = 1_000;

/** The objects that a value is validated in, from the inside out. */
function queriesAround({ state }: Joi.CustomHelpers): unknown[] {
  const ancestors: unknown = state.ancestors;
  return Array.isArray(ancestors) ? ancestors : [];
}

// Before `page`, whose default would be there already: fields are read in their order. Of any type, because Joi hands no empty
// text to a custom rule of a text.
const cursor = Joi.any()
  .custom((value: unknown, helpers): ListCursor | Joi.ErrorReport => {
    const text = typeof value === 'string' ? value : '';
    if (isLonger(text, maxCursorLength)) return helpers.message({ custom: `{{#label}} must be at most ${maxCursorLength} characters` });
    const withPage = queriesAround(helpers).some((query) => typeof query === 'object' && query !== null && Object.hasOwn(query, 'page'));
    return withPage ? helpers.message({ custom: '{{#label}} must be sent without page' }) : ListCursor.of(text);
  })
  .meta({ jsonSchema: { type: 'string', maxLength: maxCursorLength } })
  .description('Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.')
  .example('');

/** The query parameters that every list accepts (section Endpoints; limit 50 by default, 200 at most). */
export const paging = {
  cursor,
  page: wholeNumber(1, 1_000_000).default(1).description('Which page, from 1.').example(1),
  limit: wholeNumber(1, 200).default(50).description('Items a page, 200 at most.').example(50),
};

/** The query of a list without filters. */
export const pagingQuery = Joi.object(paging);

export type Paging = SchemaType<typeof pagingQuery>;

/** The fields of an answer that say which part of a list it is. */
export const pageFields = (items: string) => ({
  page: Joi.number().integer().allow(null).required().description('This page, from 1; null in an answer to a `cursor`.').example(1),
  limit: Joi.number().integer().required().description(`${items} a page.`).example(50),
  total: Joi.number().integer().allow(null).required().description(`${items} in all, exact; null in an answer to a \`cursor\`, for which nothing is counted.`).example(1),
  has_more: Joi.boolean().required().description(`Whether more ${items.toLowerCase()} follow.`).example(false),
  next_cursor: Joi.string()
    .allow(null)
    .required()
    .description(`The \`cursor\` that reads on after these ${items.toLowerCase()}; null at the end.`)
    .example(null),
});

/** One page of a list as it is answered. */
export interface Page<Item> extends FieldsType<ReturnType<typeof pageFields>> {
  items: Item[];
}

/** The response of a list: one page, newest first, with the exact total; or what comes after a cursor. */
export function listOf<Item extends Joi.AnySchema>(item: Item): Joi.ObjectSchema<Page<SchemaType<Item>>> {
  return Joi.object({ items: Joi.array().items(item).required(), ...pageFields('Items') });
}

/** Converts one page of rows, or the rows after a cursor, to a response. */
export function presentPage<Row, Item>({ rows, total, next }: PageOf<Row>, query: Paging, present: (row: Row) => Item): Page<Item> {
  const { page, limit } = query;
  if (query.cursor === undefined) throw new Error('The cursor of the list is not bound');
  return {
    items: rows.map(present),
    page: total === null ? null : page,
    limit,
    total,
    has_more: total === null ? next !== null : page * limit < total,
    next_cursor: next === null ? null : query.cursor.write(next),
  };
}

/** `{ id }` of a path; `description` explains what it identifies. */
export const idParams = (description: string, example: string) =>
  Joi.object({ id: reference().required().description(description).example(example) });

/** Path parameters: an id (for people also the login email). */
export type IdParams = SchemaType<ReturnType<typeof idParams>>;

/** `{ id }` of a student's path: internal id or login email. */
export const personParams = idParams('Internal id or generated login email.', 'stu_01jd4k6f2mep2s5xg5yhc8m1zr');

/** The response of a DELETE: the id of the deleted resource. */
export const deletedSchema = (example: string) =>
  Joi.object({
    id: Joi.string().required().example(example),
    deleted: Joi.boolean().valid(true).required().example(true),
  });

/** The response of a DELETE. */
export const deleted = (id: string): SchemaType<ReturnType<typeof deletedSchema>> => ({ id, deleted: true });

import Joi from 'joi';
import { clockOf } from '../../../domain/clock';
import { isTooFarAhead, maxSinceMinutesAhead, tooFarAheadMessage } from '../../../domain/events/sinceBounds';
import { idPrefixes, type IdPrefix } from '../../../domain/ids';
import { dateTime } from './fields';

const maxLength = 320;

// Of any kind: an id of another kind is valid and matches nothing.
const anyId = `(?:${idPrefixes.join('|')})_[0-9a-z_]+`;
const anyEmail = '[^\\s@\\x00-\\x1f\\x7f-\\x9f]+@[^\\s@\\x00-\\x1f\\x7f-\\x9f]+';

/** Returns the schema of a query parameter in one of these forms. */
function filter(forms: readonly string[], rule: string): Joi.StringSchema {
  const pattern = `^(?:${forms.join('|')})$`;
  const form = new RegExp(pattern);
  return Joi.string()
    .trim()
    .custom((value: string, helpers) => (value.length <= maxLength && form.test(value) ? value : helpers.message({ custom: `{{#label}} ${rule}` })))
    .meta({ jsonSchema: { maxLength, pattern } });
}

const ownIdentifierHint = {
  student: 'GET /students?student_id= finds students by your own identifier',
  faculty: 'GET /faculty lists internal ids and login emails next to your own identifiers',
};

/** A filter by a person: the internal id or the login email. An institution's own identifier is rejected; the message says where to look it up. */
export const personFilter = (kind: 'student' | 'faculty'): Joi.StringSchema =>
  filter([anyId, anyEmail], `must be an internal id (${kind === 'student' ? 'stu' : 'fac'}_…) or a login email; ${ownIdentifierHint[kind]}`);

/** A filter by a login email alone. */
export const loginEmailFilter = (kind: 'student' | 'faculty'): Joi.StringSchema => filter([anyEmail], `must be a login email; ${ownIdentifierHint[kind]}`);

/** A filter by the id of one kind of resource, or by one of these words. */
export const idFilter = (prefix: IdPrefix, ...words: readonly string[]): Joi.StringSchema =>
  filter([anyId, ...words], ['must be an id such as', [`${prefix}_…`, ...words].join(', or ')].join(' '));

const typedId = '[A-Za-z]+_[0-9A-Za-z_]+';

/** A filter by an id that a person types, in any case: of one kind of resource, or one of these words; with `emails` also by an email. Its value is in small letters. */
export const typedIdFilter = (prefix: IdPrefix, words: readonly string[], { emails = false } = {}): Joi.StringSchema =>
  filter([typedId, ...(emails ? [anyEmail] : []), ...words], ['must be an id such as', [`${prefix}_…`, ...(emails ? ['a login email'] : []), ...words].join(', or ')].join(' ')).lowercase();

/**
 * The time after which items are requested, in a query or a body. A time more than 5 minutes ahead, by the clock of the caller's
 * institution, is rejected: items created until then would be missed.
 */
export const sinceDateTime = (said: string) =>
  dateTime().meta({ comparesWithClock: true }).description(`${said} At most ${maxSinceMinutesAhead} minutes ahead.`).custom((value: unknown, helpers) => {
    const offset: unknown = helpers.prefs.context?.clockOffsetMs;
    const { now } = clockOf(typeof offset === 'number' ? offset : 0);
    return value instanceof Date && isTooFarAhead(value, now) ? helpers.message({ custom: `{{#label}} ${tooFarAheadMessage}` }) : value;
  });

const hasClockMark = (described: unknown): boolean => typeof described === 'object' && described !== null && ('comparesWithClock' in described || Object.values(described).some(hasClockMark));

/** Whether a schema has a time that is compared with the clock of the caller's institution. */
export const comparesWithClock = (schema: Joi.Schema | undefined): boolean => schema !== undefined && hasClockMark(schema.describe());

/** The time up to which items are requested, in a query or a body. With `since` a range, of which ranges one after the other share nothing and leave nothing out; not before `since`, which stands before it in the schema. */
export const untilDateTime = (said: string) =>
  dateTime().description(said).custom((value: unknown, helpers) => {
    const ancestors: unknown = helpers.state.ancestors;
    const siblings: unknown = Array.isArray(ancestors) ? ancestors[0] : undefined;
    const since = typeof siblings === 'object' && siblings !== null && 'since' in siblings ? siblings.since : undefined;
    return value instanceof Date && since instanceof Date && value < since ? helpers.message({ custom: '{{#label}} must not be before since' }) : value;
  });

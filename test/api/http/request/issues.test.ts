import fc from 'fast-check';
import Joi from 'joi';
import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020';
import { emailAddress, dateTime } from '../../../../api/http/request/fields';
import { errorResponse } from '../../../../api/http/errors';
import { checkValue, validateBody, validateQuery } from '../../../../api/http/request/validate';
import { validationError, type DomainError } from '../../../../domain/errors';

const schema = Joi.object({
  status: Joi.string().valid('active', 'paused'),
  license_days: Joi.number().integer().min(1),
  allowed_toolchains: Joi.array().items(Joi.string().valid('c', 'node')),
  policy: Joi.object({ allowed: Joi.boolean() }),
  email: emailAddress(),
});

function validationErrorOf(value: unknown): DomainError {
  const checked = checkValue(schema, value);
  if (!('error' in checked)) throw new Error(`${JSON.stringify(value)} was let in`);
  return checked.error;
}

const issuesOf = (value: unknown) => validationErrorOf(value).details.issues;

it.each([[''], [5], [null], ['other'], [{}]])('a value that is none of those allowed is one problem: %j', (status) => {
  expect(issuesOf({ status })).toEqual([{ path: 'status', message: 'status must be one of [active, paused]' }]);
});

it('an item of a list is named by its list and place', () => {
  expect(issuesOf({ allowed_toolchains: ['c', 'cobol'] })).toEqual([
    { path: 'allowed_toolchains.1', message: 'allowed_toolchains.1 must be one of [c, node]' },
  ]);
});

describe('an unknown name or value gets the one that was probably meant', () => {
  const messagesOf = (value: unknown): string[] => (issuesOf(value) ?? []).map(({ message }) => message);

  it.each([
    ['a field', { licence_days: 1 }, 'licence_days is not a known field (did you mean license_days?)'],
    ['a field within another', { policy: { alowed: true } }, 'alowed is not a known field (did you mean allowed?)'],
    ['a value', { status: 'actvie' }, 'status must be one of [active, paused] (did you mean active?)'],
    ['another case', { Status: 'active' }, 'Status is not a known field (did you mean status?)'],
  ])('%s', (_what, value, message) => {
    expect(messagesOf(value)).toEqual([message]);
  });

  it.each([
    ['one of its words', { days: 1 }, 'days is not a known field (did you mean license_days?)'],
    ['its words in the plural', { licenses_days: 1 }, 'licenses_days is not a known field (did you mean license_days?)'],
  ])('also by %s alone', (_what, value, message) => {
    expect(messagesOf(value)).toEqual([message]);
  });

  it.each([[{ surprise: 1 }], [{ s: 1 }], [{ ['licence_days'.repeat(20)]: 1 }]])('but no other, and those that are known instead: %j', (value) => {
    expect(messagesOf(value)).toEqual([expect.stringMatching(/is not a known field; known: status, license_days, allowed_toolchains, policy, email$/)]);
  });

  it('but of a personal email in a query: that it cannot be searched for; other names near it as before', () => {
    const query = Joi.object({ email: emailAddress(), student_id: Joi.string() });
    expect(() => validateQuery(query, new URLSearchParams({ personal_email: 'ada@example.org' }))).toThrow(
      'personal_email is not a known query parameter: a personal email is never returned and cannot be searched for; a login email or your own identifier finds a person',
    );
    expect(() => validateQuery(query, new URLSearchParams({ emial: 'ada@example.org' }))).toThrow('emial is not a known query parameter (did you mean email?)');
    expect(messagesOf({ personal_email: 'ada@example.org' })).toEqual(['personal_email is not a known field (did you mean email?)']);
  });

  it('and a call without a body says where its parameters go', () => {
    expect(() => validateBody(undefined, { student_id: 'SIS-1' })).toThrow('student_id is not a known field: this call takes no body; the parameters of its query are part of the URL');
  });

  it('of a query parameter that other APIs have under another name', () => {
    expect(() => validateQuery(Joi.object({ page: Joi.number(), limit: Joi.number() }), new URLSearchParams('per_page=5&offset=20'))).toThrow('per_page is not a known query parameter (did you mean limit?)');
  });

  it('of a query', () => {
    expect(() => validateQuery(schema, new URLSearchParams('licens_days=1'))).toThrow('licens_days is not a known query parameter (did you mean license_days?)');
  });

  it('for the first five problems alone, so that the work is bounded', () => {
    const value = Object.fromEntries(Array.from({ length: 8 }, (_none, nth) => [`statu${nth}`, 1]));
    expect(messagesOf(value).filter((message) => message.endsWith('(did you mean status?)'))).toHaveLength(5);
  });
});

describe('the message of an error says once where the problem is', () => {
  it.each([
    [{ license_days: 'x' }, 'license_days must be a number'],
    [{ policy: { allowed: 1 } }, 'policy.allowed must be a boolean'],
    [{ license_days: 0, surprise: 1 }, 'license_days must be at least 1 (and 1 more)'],
    ['text', 'the item must be an object'],
  ])('%j', (value, message) => {
    expect(validationErrorOf(value).message).toBe(message);
  });

  it('when a rule raised it as well', () => {
    expect(errorResponse(validationError({ path: 'days', message: 'days must be in the future' }), 'req_1').body.message).toBe('days must be in the future');
    expect(errorResponse(validationError({ path: 'body', message: 'was cut off' }), 'req_1').body.message).toBe('body was cut off');
  });
});

it('an error about a timestamp whose + became a space says how to write it', () => {
  const query = Joi.object({ since: dateTime() });
  const read = (text: string) => validateQuery(query, new URLSearchParams(text));
  expect(() => read('since=2026-11-20T09:30:00+01:00')).toThrow('since must have its + written %2B in a URL');
  expect(() => read('since=yesterday')).toThrow('since must be an ISO 8601 date and time with a zone');
  expect(read('since=2026-11-20T09:30:00%2B01:00')).toEqual({ since: new Date('2026-11-20T08:30:00Z') });
});

describe('an email address', () => {
  const ajv = new Ajv2020();
  addFormats(ajv);
  const served = ajv.compile({ type: 'string', format: 'email' });
  const accepted = (email: string): boolean => 'value' in checkValue(schema, { email });

  it.each(['ada@localhost', 'ada@school', 'zoë@school.example', 'ada@schüle.example', 'ada@\u212aing.example', 'ada@', '@school.example', 'ada@.example'])('is not %s', (email) => {
    expect(accepted(email)).toBe(false);
  });

  it.each(['ada@school.example', 'Ada.O\'Neil+x@a-b.school.example', '1@2.example'])('may be %s', (email) => {
    expect(accepted(email)).toBe(true);
  });

  it('that is let in is one to the served format too', () => {
    const part = fc.string({ unit: fc.constantFrom(...Array.from('abZ09.-_+!"\'@ é\u212a')), minLength: 1, maxLength: 8 });
    const email = fc.oneof(fc.emailAddress(), fc.tuple(part, part).map(([name, host]) => `${name}@${host}.example`));
    fc.assert(fc.property(email, (value) => !accepted(value) || served(value.trim())), { numRuns: 500 });
  });
});

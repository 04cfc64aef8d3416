import Joi from 'joi';
import { dateTime, text, untrimmedText, upToTwoDecimals, wholeNumber } from '../../../../api/http/request/fields';
import { platformOperations } from '../../../../api/operations/platform';
import { publicOperations } from '../../../../api/operations/public';
import { checkValue, validateQuery } from '../../../../api/http/request/validate';
import { DomainError, validationError, type Issue } from '../../../../domain/errors';
import { apiFixture } from '../../../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });

const post = (body: string) => api.call('POST', '/students', { key: institution.apiKey, body });

/** The issues of a value that must be refused. */
function issuesOf(schema: Joi.Schema, value: unknown): unknown {
  const checked = checkValue(Joi.object({ field: schema }), { field: value });
  return 'error' in checked ? checked.error.details.issues : [];
}

function issuesOfQuery(schema: Joi.Schema | undefined, query: string): unknown {
  try {
    validateQuery(schema === undefined ? undefined : Joi.object({ field: schema }), new URLSearchParams(query));
    return [];
  } catch (error) {
    if (error instanceof DomainError) return error.details.issues;
    throw error;
  }
}

describe('a bare list in place of the body', () => {
  it.each([
    ['/students/bulk', 'must be a JSON object: {"students": [ … ]}'],
    ['/students', 'must be a JSON object'],
  ])('names the field of the only list that the body has: %s', async (path, message) => {
    const { status, body } = await api.call('POST', path, { key: institution.apiKey, body: [{ full_name: 'Ada' }] });
    expect([status, body.issues]).toEqual([422, [{ path: 'body', message }]]);
  });
});

it('names a field that another one needs, without brackets', () => {
  const pair = Joi.object({ app: Joi.string(), device: Joi.string() }).and('app', 'device');
  expect(issuesOf(pair, { app: 'svcapp' })).toEqual([expect.objectContaining({ message: expect.stringMatching(/^(field\.)?device is required when (field\.)?app is given$/) })]);
});

it('the filter of deliveries by event_type says that it takes no pattern', async () => {
  const { body } = await api.call('GET', '/webhooks/deliveries', { key: institution.apiKey, query: { event_type: 'student.*' } });
  expect(body.issues).toEqual([{ path: 'event_type', message: expect.stringMatching(/^event_type must be one exact event type, no pattern such as exam\.\*: one of \[student\.created, /) }]);
});

it.each([
  ['exam.grade', / \(did you mean exam\.graded\?\)$/],
  ['exam.*', /^event_type must be one exact event type, no pattern such as exam\.\*: one of \[ping, student\.created, /],
])('the test of an endpoint says so too, and which type was probably meant: %s', async (event_type, message) => {
  const { body } = await api.call('POST', '/webhooks/endpoints/we_01jd4k6f2mep2s5xg5yhc8m1zr/test', { key: institution.apiKey, body: { event_type } });
  expect(body.issues).toEqual([{ path: 'event_type', message: expect.stringMatching(message) }]);
});

it.each([['exam.grade', 'exam.graded'], ['exam.bad', 'exam.*'], ['exam', 'exam.*']])('a recovery names the pattern that was probably meant: %s', async (unknown, meant) => {
  const { body } = await api.call('POST', '/webhooks/endpoints/we_01jd4k6f2mep2s5xg5yhc8m1zr/recover', { key: institution.apiKey, body: { since: '2026-11-20T09:30:00Z', event_types: [unknown] } });
  expect(body.issues).toContainEqual({ path: 'event_types.0', message: expect.stringMatching(`^event_types.0 must be one of .* \\(did you mean ${meant.replaceAll('*', '\\*')}\\?\\)$`) });
});

it('several problems of a rule are counted, and the first names its field once', async () => {
  const { body } = await api.call('POST', '/webhooks/endpoints', { key: institution.apiKey, body: { url: 'https://u:p@example.org/#a', events: ['*'] } });
  expect([body.message, body.issues.length]).toEqual(['url must not contain credentials (and 1 more)', 2]);
});

it('all problems of the url of an endpoint, and its unknown events, are named at once; the code is the one of the url', async () => {
  const problemsOf = async (url: string) => {
    const { body } = await api.call('POST', '/webhooks/endpoints', { key: institution.apiKey, body: { url, events: ['student.*', 'exam.grade', 'exam'] } });
    return [body.error, ...body.issues.map(({ path, message }: Issue) => `${path}: ${message}`)];
  };
  const events = ['events.1: unknown event type: exam.grade (did you mean exam.graded?)', 'events.2: unknown event type: exam (did you mean exam.*?)'];
  expect(await problemsOf('https://u:p@example.org/#a')).toEqual(['validation_error', 'url: url must not contain credentials', 'url: url must not contain a fragment', ...events]);
  expect(await problemsOf('http://example.org/x')).toEqual(['https_required', expect.stringMatching(/^url: url must begin with https:/), ...events]);
});

describe('a path that does not exist is named, with where to look', () => {
  it.each([
    ['/v1/me', 'No such path: /v1/v1/me. Paths begin with /v1 once. GET /v1/openapi.json lists them.'],
    ['/student', 'No such path: /v1/student. Did you mean /v1/students? GET /v1/openapi.json lists them.'],
    ['/events/evt_01jd4k6f2mep2s5xg5yhc8m1zr', 'No such path: /v1/events/evt_01jd4k6f2mep2s5xg5yhc8m1zr. There is /v1/events. GET /v1/openapi.json lists them.'],
    ['/faculty/fac_01jd4k6f2mep2s5xg5yhc8m1zr/suspend', 'No such path: /v1/faculty/fac_01jd4k6f2mep2s5xg5yhc8m1zr/suspend. There is /v1/faculty/{id}. GET /v1/openapi.json lists them.'],
    ['/webhooks', 'No such path: /v1/webhooks. Did you mean /v1/webhooks/endpoints or /v1/webhooks/deliveries? GET /v1/openapi.json lists them.'],
    ['/deliveries', 'No such path: /v1/deliveries. Did you mean /v1/webhooks/deliveries? GET /v1/openapi.json lists them.'],
    ['/students/', 'No such path: /v1/students/. Paths do not end with a slash. GET /v1/openapi.json lists them.'],
  ])('%s of the public API', async (path, message) => {
    const { status, body } = await api.call('GET', path, { key: institution.apiKey });
    expect([status, body.error, body.message]).toEqual([404, 'not_found', message]);
  });

  it('outside of the prefix', async () => {
    const answer = await fetch(new URL('/me?x=1', api.baseUrl), { headers: { authorization: `Bearer ${institution.apiKey}` } });
    expect(await answer.json()).toMatchObject({ error: 'not_found', message: 'No such path: /me. Paths begin with /v1. Did you mean /v1/me? GET /v1/openapi.json lists them.' });
  });

  it.each(['/docs', '/openapi.json', '/robots.txt', '/students'])('outside of the prefix without a key, too: %s', async (path) => {
    const answer = await fetch(new URL(path, api.baseUrl));
    expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ error: 'not_found', message: expect.stringContaining(`No such path: ${path}. Paths begin with /v1. `) })]);
  });

  it.each([['/docs', '/v1/docs'], ['/openapi.json', '/v1/openapi.json'], ['/student', '/v1/students'], ['/v2/students', '/v1/students'], ['/api/v1/students', '/v1/students']])('outside of the prefix with what was probably meant: %s', async (path, meant) => {
    expect(await (await fetch(new URL(path, api.baseUrl))).json()).toMatchObject({ message: expect.stringContaining(`Did you mean ${meant}?`) });
  });

  it('within the prefix without a key, as every path there, asks for one', async () => {
    expect((await fetch(new URL('/v1/student', api.baseUrl))).status).toBe(401);
  });

  it('of the public API, asked of a listener of the platform API, with a key and without', async () => {
    const message = 'This is the platform API, whose paths begin with /platform/v1. The public API, /v1, is served by another port or host.';
    for (const listener of [api.platformUrl, api.appsUrl]) {
      for (const headers of [{}, { authorization: `Bearer ${institution.apiKey}` }]) {
        const answer = await fetch(new URL('/v1/me', listener), { headers });
        expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ error: 'not_found', message })]);
      }
    }
  });

  it('of the platform API, cut where it is long', async () => {
    const { body } = await api.platform('GET', `/${'x'.repeat(300)}`);
    expect(body.message).toBe(`No such path: /platform/v1/${'x'.repeat(186)}…. GET /platform/v1/openapi.json lists them.`);
  });
});

it('a field that is twice in an object has its last value', async () => {
  const { data } = await post('{"full_name": "Ada", "full_name": "Grace"}');
  expect(data.full_name).toBe('Grace');
});

describe('JSON that is broken is refused with line and column', () => {
  it.each([
    ['{"full_name": "Ada",\n  "student_id": }', 2, 17],
    ['{"full_name": "Ada" "x": 1}', 1, 21],
    ['{"full_name": "Ada"', 1, 20],
    ['{"full_name": "Ada",}', 1, 21],
    ["{'full_name': 1}", 1, 2],
    ['{"a": "b\nc"}', 1, 9],
    ['{"a": "\\x"}', 1, 9],
    ['{"a": 01}', 1, 8],
    ['{"a": 1.}', 1, 9],
    ['{"a": tru}', 1, 10],
    ['{"a": "é", "b": nil}', 1, 18],
    ['{"a": [1, 2}', 1, 12],
    ['{} {}', 1, 4],
    ['full_name=Ada', 1, 2],
  ])('%j', async (body, line, column) => {
    const answer = await post(body);
    expect([answer.status, answer.body.issues]).toEqual([422, [{ path: 'body', message: `must be valid JSON; it breaks at line ${line}, column ${column}` }]]);
  });

  it('which is what follows the last character where the text ends too early, or the bytes are no UTF-8', async () => {
    expect((await post('{"a": [\n1')).body.issues).toEqual([{ path: 'body', message: 'must be valid JSON; it breaks at line 2, column 2' }]);
    const answer = await fetch(`${api.baseUrl}/students`, {
      method: 'POST',
      headers: { authorization: `Bearer ${institution.apiKey}`, 'content-type': 'application/json' },
      body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]),
    });
    expect(await answer.json()).toMatchObject({ error: 'validation_error', issues: [{ path: 'body', message: 'must be encoded in UTF-8' }] });
  });
});

describe('a query parameter', () => {
  it('that nobody knows is no field', () => {
    expect(issuesOfQuery(undefined, 'surprise=1&__proto__=2')).toEqual([
      { path: '__proto__', message: '__proto__ is not a known query parameter' },
      { path: 'surprise', message: 'surprise is not a known query parameter' },
    ]);
  });

  it('that is sent three times is one problem', () => {
    expect(issuesOfQuery(wholeNumber(1, 3), 'field=1&field=2&field=3')).toEqual([{ path: 'field', message: 'field must be given once' }]);
  });
});

describe('a bound is written as people say it', () => {
  it.each<[string, Joi.Schema, unknown, string]>([
    ['a number too large', wholeNumber(1, 3650), 3651, 'field must be at most 3650'],
    ['a number too small', wholeNumber(1, 3650), 0, 'field must be at least 1'],
    ['a text too long', text(3), 'abcd', 'field must be at most 3 characters'],
    ['a text that is not trimmed', untrimmedText(3), 'abcd', 'field must be at most 3 characters'],
    ['a text too short', text(9, 'one-line', 3), 'ab', 'field must be at least 3 characters'],
    ['a list too long', Joi.array().items(Joi.number()).max(2), [1, 2, 3], 'field must have at most 2 items'],
    ['a list too short', Joi.array().min(1), [], 'field must have at least 1 item'],
    ['a number that must be above another', upToTwoDecimals().greater(0), 0, 'field must be more than 0'],
  ])('%s', (_what, schema, value, message) => {
    expect(issuesOf(schema, value)).toEqual([{ path: 'field', message }]);
  });

  it('and never in the words of the library, by any schema of any operation', () => {
    const schemas = [...publicOperations, ...platformOperations].flatMap(({ request: { body, query } }) => [body, query].filter((schema) => schema !== undefined));
    const odd = [-1e15, 1e15, 0.5, '', 'x'.repeat(70_000), [], Array.from({ length: 30_000 }, () => ''), {}, null];
    const messages = schemas.flatMap((schema) =>
      odd.flatMap((value) => {
        const all = Object.fromEntries(Object.keys(schema.describe().keys ?? {}).map((name) => [name, value]));
        const checked = checkValue(schema, all);
        return 'error' in checked ? (checked.error.details.issues ?? []).map(({ message }) => message) : [];
      }),
    );
    expect(messages.length).toBeGreaterThan(1_000);
    expect(messages.filter((message) => /(less|greater|larger) than or equal|characters long|allowed to be empty/.test(message))).toEqual([]);
  });
});

it('what is no time gets the same text as a wrong text, and a text in place of a list is shown how a list is written', () => {
  const time = { path: 'field', message: 'field must be an ISO 8601 date and time with a zone, such as 2026-11-20T09:30:00Z' };
  for (const wrong of [1_800_000_000, 'tomorrow', true, {}]) expect(issuesOf(dateTime(), wrong)).toEqual([time]);
  for (const unzoned of ['2026-11-20', '2026-11-20T09:30', '2026-11-20T09:30:00.123']) expect(issuesOf(dateTime(), unzoned)).toEqual([{ path: 'field', message: expect.stringMatching(/^field lacks its zone: /) }]);
  for (const none of ['2026-02-30T10:00:00Z', '2026-13-01T10:00Z', '2026-11-00T10:00:00+01:00']) expect(issuesOf(dateTime(), none)).toEqual([{ path: 'field', message: 'field names a day that there is not' }]);
  expect(issuesOf(Joi.array().items(Joi.string()), 'student.*')).toEqual([{ path: 'field', message: 'field must be an array, such as ["…"]' }]);
  expect(issuesOf(Joi.array().items(Joi.string()), 7)).toEqual([{ path: 'field', message: 'field must be an array' }]);
});

it.each([
  [{ path: 'attachments.0.name', message: 'must be one of workspace.zip' }, 'attachments.0.name must be one of workspace.zip'],
  [{ path: 'code_spec.hidden_tests.sha256', message: 'is not the SHA-256 of the stored file' }, 'code_spec.hidden_tests.sha256 is not the SHA-256 of the stored file'],
  [{ path: 'students.0.name', message: 'name must not be empty' }, 'students.0.name must not be empty'],
  [{ path: 'faculty_id', message: 'the institution has no active admin.' }, 'faculty_id: the institution has no active admin.'],
])('the message of an error names the field of its first problem once: %j', (issue, sentence) => {
  expect(validationError(issue).message).toBe(sentence);
});

it('the message of each problem of a nested field names the field', () => {
  const messageOf = (path: string, message: string) => validationError({ path, message }).details.issues?.[0]?.message;
  expect(messageOf('concepts.0.requires.1', 'names no concept of this curriculum')).toBe('requires.1 names no concept of this curriculum');
  expect(messageOf('ai_usage_data.kind', 'is required for a coding exam')).toBe('kind is required for a coding exam');
  expect(messageOf('students.0.name', 'name must not be empty')).toBe('name must not be empty');
  expect(messageOf('faculty_id', 'the institution has no active admin.')).toBe('the institution has no active admin.');
});

it('the same problem is reported once', () => {
  const twice = Joi.string()
    .custom((_value, helpers) => helpers.message({ custom: '{{#label}} is odd' }))
    .custom((_value, helpers) => helpers.message({ custom: '{{#label}} is odd' }));
  expect(issuesOf(twice, 'x')).toEqual([{ path: 'field', message: 'field is odd' }]);
});

it('a list that is too long is one problem, and every other field is looked at', async () => {
  const student_ids = Array.from({ length: 10_001 }, () => '');
  const { body } = await api.call('POST', '/groups', { key: institution.apiKey, body: { student_ids, name: '', surprise: 1, description: 5 } });
  expect(body.issues.map(({ path, message }: { path: string; message: string }) => [path, message]).sort()).toEqual([
    ['description', 'description must be a string'],
    ['name', 'name must not be empty'],
    ['student_ids', 'student_ids must have at most 10000 items'],
    ['surprise', 'surprise is not a known field; known: name, description, faculty_id, student_ids'],
  ]);
});

it('a list that is too long within another value is one problem too', () => {
  const item = Joi.object({ tags: Joi.array().items(Joi.string()).max(2), n: Joi.number() });
  expect(issuesOf(Joi.array().items(item).max(3), [{ n: 'x' }, { tags: [1, 2, 3], n: 'y' }])).toEqual([
    { path: 'field.1.tags', message: 'tags must have at most 2 items' },
    { path: 'field.0.n', message: 'n must be a number' },
    { path: 'field.1.n', message: 'n must be a number' },
  ]);
});

it('a value is never answered with its opposite', async () => {
  const { body } = await api.call('PATCH', '/students/stu_01jd4k6f2mep2s5xg5yhc8m1zr', { key: institution.apiKey, body: { status: 'inactive' } });
  expect(body.message).toBe('status must be one of [active, suspended]');
});

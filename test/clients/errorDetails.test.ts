import { readFileSync } from 'node:fs';
import { errorDescriptions, errorSchema } from '../../api/http/openapi/errorResponses';
import { publicOperations } from '../../api/operations/public';
import { InstitutionClient, InstitutionError } from '../../clients/typescript/src';
import type { ErrorCode } from '../../domain/errors';
import { closesConnection, neverResponds, respondsWith, startStubServer, succeeds, type Responder, type StubServer } from '../support/stubServer';

const clientOf = ({ baseUrl }: StubServer, tries = 5): InstitutionClient => new InstitutionClient({ baseUrl, apiKey: `svc_live_${'k'.repeat(32)}`, tries });

const errorFrom = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

/** The error that a call of the server ends with. */
const errorOf = (server: StubServer): Promise<unknown> => errorFrom(clientOf(server).call('GET', '/me'));

const messageOf = (error: unknown): string => (error instanceof InstitutionError ? error.message : '');

it('an error of a scope names the scopes that are required and missing, one of identifiers names those that several students have', async () => {
  const scopes = { required: ['faculty:write'], missing: ['faculty:write'] };
  const shared = { student_ids: ['SIS-7'], added_later: 1 };
  const server = await startStubServer([
    respondsWith(403, { success: false, error: 'insufficient_scope', message: 'faculty:write is missing', ...scopes }),
    respondsWith(409, { success: false, error: 'conflict', message: 'SIS-7 is shared', ...shared }),
    respondsWith(409, { success: false, error: 'conflict', message: 'closed' }),
  ]);
  expect(await errorOf(server)).toMatchObject({ ...scopes, studentIds: [], details: scopes });
  expect(await errorOf(server)).toMatchObject({ required: [], missing: [], studentIds: ['SIS-7'], details: shared });
  expect(await errorOf(server)).toMatchObject({ required: [], missing: [], studentIds: [], details: {} });
  await server.close();
});

it('an error of several problems names up to five of them', async () => {
  const issues = Array.from({ length: 7 }, (_, nth) => ({ path: `field_${nth}`, message: 'is wrong' }));
  const refused = (count: number, message: string): Responder => respondsWith(422, { success: false, error: 'validation_error', message, issues: issues.slice(0, count) });
  const server = await startStubServer([refused(3, 'field_0 is wrong (and 2 more)'), refused(7, 'field_0 is wrong (and 6 more)'), refused(3, 'Choose others.')]);
  expect(messageOf(await errorOf(server))).toMatch(/validation_error: field_0 is wrong; field_1: is wrong; field_2: is wrong \(req_1\)$/);
  expect(messageOf(await errorOf(server))).toMatch(/; field_4: is wrong \(and 2 more\) \(req_1\)$/);
  expect(messageOf(await errorOf(server))).toMatch(/validation_error: Choose others\. \(req_1\)$/);
  await server.close();
});

it('an error of 404 names what was asked for', async () => {
  const server = await startStubServer([respondsWith(404, { success: false, error: 'user_not_found', message: 'Why.' })]);
  expect(messageOf(await errorFrom(clientOf(server).call('GET', '/students/{id}', { path: { id: 'ada@north.example' } })))).toBe('GET /students/ada@north.example answered 404 user_not_found: Why. (req_1)');
  await server.close();
});

it('an error of a server that speaks no TLS asks whether it speaks http', async () => {
  const server = await startStubServer([respondsWith(200, { success: true, data: {} })]);
  const error = await errorFrom(clientOf({ ...server, baseUrl: server.baseUrl.replace('http:', 'https:') }, 1).call('GET', '/me'));
  expect(messageOf(error)).toMatch(/^GET \/me got no answer from https:.+ after 1 try in \d+\.\d s: .+ \(does it speak http\?\)$/s);
  await server.close();
});

it('a write that failed has its idempotency key, with which the same call again is done once; a read has none', async () => {
  const signIn: Responder = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');
  const refused = respondsWith(422, { success: false, error: 'validation_error', message: 'full_name is wrong' });
  const server = await startStubServer([closesConnection, signIn, refused, closesConnection, succeeds({ id: 'stu_1' })]);
  const client = clientOf(server, 1);
  const create = (idempotencyKey?: string): Promise<unknown> => client.call('POST', '/students', { body: { full_name: 'Ada' }, idempotencyKey });
  const errors = [await errorFrom(create()), await errorFrom(create()), await errorFrom(create()), await errorFrom(client.call('GET', '/me'))];
  const keys = errors.map((error) => (error instanceof InstitutionError ? error.idempotencyKey : undefined));
  expect(keys).toEqual(server.requests.map(({ headers }) => headers['idempotency-key'] ?? null));
  expect(keys).toEqual([...Array<unknown>(3).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)), null]);
  const [noAnswer, unexpected, validation, read] = errors.map(messageOf);
  expect(noAnswer).toMatch(new RegExp(`^POST /students got no answer from .+; its idempotencyKey is ${keys[0] ?? ''}$`));
  expect(unexpected).toBe(`POST /students answered 200, and not as the API does: text/html; its idempotencyKey is ${keys[1] ?? ''}`);
  expect([validation, read].join()).not.toContain('idempotencyKey');
  expect(await create(keys[0] ?? '')).toEqual({ id: 'stu_1' });
  expect(server.requests.at(-1)?.headers['idempotency-key']).toBe(keys[0]);
  await server.close();
});

it('an error after several tries says how many, how long they took, and the deadline where that allows no other', async () => {
  const limited = (seconds: string): Responder => respondsWith(429, { success: false, error: 'rate_limited', message: 'Wait.' }, { 'retry-after': seconds });
  const messageOfMe = async (responder: Responder, options: { tries?: number; answerWithinMs?: number; deadlineMs?: number }): Promise<string> => {
    const server = await startStubServer([responder]);
    const message = messageOf(await errorFrom(new InstitutionClient({ baseUrl: server.baseUrl, apiKey: `svc_live_${'k'.repeat(32)}`, ...options }).call('GET', '/me')));
    await server.close();
    return message;
  };
  expect(await messageOfMe(limited('0'), { tries: 3 })).toMatch(/^GET \/me answered 429 rate_limited after 3 tries in \d+\.\d s: Wait\./);
  expect(await messageOfMe(limited('30'), { deadlineMs: 25_000 })).toMatch(/^GET \/me answered 429 rate_limited after 1 try in \d+\.\d s \(another would exceed the deadline of 25 s\): Wait\./);
  expect(await messageOfMe(neverResponds, { answerWithinMs: 100, deadlineMs: 500 })).toMatch(/^GET \/me got no answer from http:.+ after \d tr(y|ies) in \d+\.\d s \(another would exceed the deadline of 0\.5 s\): .*timeout/);
});

it('InstitutionError of both clients has a field for every field of an error that the document has', () => {
  const names = { existing: 'existing', issues: 'issues', missing: 'missing', required: 'required', student_ids: 'studentIds' };
  const { success, error, message, ...fields } = errorSchema(Object.keys(errorDescriptions) as ErrorCode[], publicOperations.flatMap(({ errorExamples }) => errorExamples ?? [])).properties ?? {};
  expect([success, error, message]).not.toContain(undefined);
  expect(Object.keys(fields).sort()).toEqual(Object.keys(names));
  const raised = new InstitutionError('Why.', { status: 409, code: 'conflict', issues: [], requestId: null, existing: null });
  for (const name of Object.values(names)) expect(raised).toHaveProperty(name);
  const python = readFileSync('clients/python/src/institution/_errors.py', 'utf8');
  for (const name of Object.keys(fields)) expect(python).toMatch(new RegExp(`^    (def ${name}\\(|${name}: )`, 'm'));
});

import { readFileSync } from 'node:fs';
import { errorDescriptions, errorSchema } from '../../api/http/openapi/errorResponses';
import { publicOperations } from '../../api/operations/public';
import { InstitutionClient, InstitutionError } from '../../clients/typescript/src';
import type { ErrorCode } from '../../domain/errors';
import { respondsWith, startStubServer, type StubServer } from '../support/stubServer';

/** The error that a call of the server ends with. */
const errorOf = ({ baseUrl }: StubServer): Promise<unknown> =>
  new InstitutionClient({ baseUrl, apiKey: `svc_live_${'k'.repeat(32)}` }).call('GET', '/me').catch((error: unknown) => error);

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

import fc from 'fast-check';
import type { JsonSchema } from '../../../../api/http/openapi/jsonSchema';
import { appFixture, type SignedInStudent } from '../../../support/appFixture';
import { seedAttemptFile } from '../../../support/seed/files';
import { fullSpec } from '../../../support/codingExams';
import { withInvalidPart, arbitraryOf } from '../../../support/schemaArbitraries';
import { fetchServedDocument, type ServedDocument } from '../../../support/servedDocument';

const { api, institution, signedInStudent, examFor, startAttempt, callAs } = appFixture();

interface Work {
  who: SignedInStudent;
  attemptId: string;
  fileId: string;
}

/** What is sent, at which path, and how the next attempt comes about when one is over. */
const operations: { path: string; body: object; numRuns: number }[] = [
  { path: 'submit', body: {}, numRuns: 150 },
  { path: 'submit', body: { code_spec: fullSpec }, numRuns: 150 },
  { path: 'events', body: {}, numRuns: 200 },
];

/** Bodies that name the attempt's own file. */
const withFile = (value: unknown, fileId: string): unknown =>
  JSON.parse(JSON.stringify(value ?? null), (name, part: unknown) => (name === 'file' && typeof part === 'object' && part !== null && Object.keys(part).join() === 'id' ? { id: fileId } : part));

async function schemaOf(path: string): Promise<{ schema: JsonSchema; served: ServedDocument }> {
  const served = await fetchServedDocument(api.platformUrl);
  const body = served.operationAt('POST', `/app/attempts/att_1/${path}`)?.operation.requestBody?.content['application/json'];
  if (body === undefined) throw new Error(`${path} takes no body`);
  return { schema: body.schema, served };
}

it.each(operations)('any body sent to $path is accepted or refused with a path, and never answered 500 ($body)', async ({ path, body, numRuns }) => {
  const { schema, served } = await schemaOf(path);
  const who = await signedInStudent();
  const next = async (): Promise<Work> => {
    const { id } = await examFor([who], body);
    const attemptId = await startAttempt(who, id);
    return { who, attemptId, fileId: await seedAttemptFile(api, institution, attemptId) };
  };
  let work = await next();
  const statuses: Record<number, number> = {};
  const bodies = arbitraryOf(schema, served.resolve);
  await fc.assert(
    fc.asyncProperty(fc.oneof(bodies, withInvalidPart(bodies)), async (sent) => {
      const answer = await callAs(who, 'POST', `/app/attempts/${work.attemptId}/${path}`, withFile(sent, work.fileId));
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      expect([200, 422]).toContain(answer.status);
      if (answer.status === 422) expect(answer.body).toMatchObject({ error: 'validation_error', issues: expect.arrayContaining([{ path: expect.stringMatching(/./), message: expect.any(String) }]) });
      else if (path === 'submit') work = await next();
    }),
    { seed: 11, numRuns },
  );
  expect(statuses[200]).toBeGreaterThan(numRuns / 10);
  expect(statuses[422]).toBeGreaterThan(numRuns / 10);
});

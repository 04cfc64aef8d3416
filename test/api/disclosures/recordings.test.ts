import { appFixture } from '../../support/appFixture';
import { disclosuresOf } from '../../support/disclosures';
import { multipart, multipartType } from '../../support/uploads';

const { api, institution, call, studentWithAttempt, callAs, submit } = appFixture();

it('a read of a submission with recordings is one of a recording, for a key that gets them; what students read of their own is not on record', async () => {
  const { who, attemptId } = await studentWithAttempt();
  const upload = await fetch(`${api.platformUrl}/app/attempts/${attemptId}/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.session}`, 'content-type': multipartType },
    body: new Uint8Array(multipart({ name: 'kind', bytes: 'recording' }, { name: 'file', filename: 'segment.webm', type: 'video/webm', bytes: Buffer.alloc(100) })),
  });
  expect(upload.status).toBe(200);
  const { data } = await submit(who, attemptId, { text: 'Done' });
  expect((await callAs(who, 'GET', '/app/exams')).status).toBe(200);
  const reader = await api.keyFor(institution, ['submissions:read']);
  await api.call('GET', `/submissions/${data.id}`, { key: reader });
  await call('GET', `/submissions/${data.id}`);
  const reads = await disclosuresOf(api, institution, who.id);
  expect(reads.map(({ what, operation, query }) => [what, operation, query])).toEqual([
    ['record', 'getSubmission', { id: data.id }],
    ['recording', 'getSubmission', { id: data.id }],
  ]);
});

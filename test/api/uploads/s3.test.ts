import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { startTestApi, type TestApi } from '../../support/api';
import { seedExam } from '../../support/seed/exams';
import { startS3Server, type DedicatedS3Server } from '../../support/s3Server';
import { upload, zipOf } from '../../support/uploads';

let server: DedicatedS3Server;
let api: TestApi;

beforeAll(async () => {
  server = await startS3Server();
  // Where a process finds its key.
  process.env.AWS_ACCESS_KEY_ID = server.credentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = server.credentials.secretAccessKey;
  const { bucket, region, endpoint } = server;
  api = await startTestApi({ fileStore: { kind: 's3', bucket, region, endpoint } });
});

afterAll(async () => {
  await api.stop();
  await server.stop();
});

it('an upload becomes an object of the bucket, whose server serves it under a signed URL', async () => {
  const institution = await api.institution();
  const bytes = randomBytes(2_000_000);
  const { data } = await upload(api, institution.apiKey, await seedExam(api, institution), zipOf(bytes, { filename: 'Übung.zip' }));
  expect(readdirSync(server.objects)).toContain(data.ref);
  const file = { id: data.ref, filename: data.filename, contentType: data.content_type };
  const { url } = await api.api.domain.files.signedUrl(file, new Date());
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''%C3%9Cbung.zip");
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
});

it('the API itself serves no files then', async () => {
  expect((await fetch(`${api.baseUrl}/files/file_1?expires=1&signature=a`)).status).toBe(401);
});

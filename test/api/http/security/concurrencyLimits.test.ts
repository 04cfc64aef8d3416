import { setTimeout as pause } from 'node:timers/promises';
import { openRawConnection, requestHead } from '../../../support/rawHttp';
import { apiFixture } from '../../../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });

const spec = (bytes: number) => ({
  v: 1,
  brief_md: 'Sums',
  toolchain: 'python',
  commands: {},
  sample_tests: { kind: 'inline', files: [{ path: 'a.txt', content: 'x'.repeat(bytes) }] },
});

it('many large bodies of one institution are processed one after another: all are done, and others are answered meanwhile', async () => {
  const otherInstitution = await api.institution();
  const body = JSON.stringify({ faculty_id: institution.adminId, title: 'Sums', publish: false, code_spec: spec(900_000) });
  const large = Array.from({ length: 16 }, () => api.call('POST', '/exams', { key: institution.apiKey, body }));
  const other = await api.call('GET', '/me', { key: otherInstitution.apiKey });
  expect(other.status).toBe(200);
  expect(new Set((await Promise.all(large)).map(({ status }) => status))).toEqual(new Set([200]));
});

it('a lock that others hold too long is answered rate_limited with Retry-After, not 500', async () => {
  const { data: exam } = await api.call('POST', '/exams', { key: institution.apiKey, body: { faculty_id: institution.adminId, title: 'Held', publish: false } });
  const client = await api.api.domain.database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM exams WHERE id = $1 FOR UPDATE', [exam.id]);
    const answer = await api.call('PATCH', `/exams/${exam.id}`, { key: institution.apiKey, body: { title: 'Other' } });
    expect([answer.status, answer.body.error, answer.headers.get('retry-after')]).toEqual([429, 'rate_limited', '1']);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

it('a key that is revoked while the body is on its way writes nothing', async () => {
  const key = await api.keyFor(institution, ['students:write']);
  const { data: me } = await api.call('GET', '/me', { key });
  const body = '{"full_name":"Too late"}';
  const { socket, response } = await openRawConnection(api.api.port);
  socket.write(requestHead('POST', '/v1/students', { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length }));
  await pause(1_100);
  await api.platform('DELETE', `/keys/${me.key_id}`);
  socket.write(body);
  expect([(await response)?.status, (await response)?.body.error]).toEqual([401, 'invalid_api_key']);
});

it('what is written is stamped with the time at which its body was there', async () => {
  const body = JSON.stringify({ faculty_id: institution.adminId, title: 'Slow', publish: false });
  const { socket, response } = await openRawConnection(api.api.port);
  socket.write(requestHead('POST', '/v1/exams', { authorization: `Bearer ${institution.apiKey}`, 'content-type': 'application/json', 'content-length': body.length }));
  await pause(300);
  const sent = Date.now();
  socket.write(body);
  expect(Date.parse((await response)?.body.data.created_at)).toBeGreaterThanOrEqual(sent);
});

it('exports of one institution run one after another: many at once are all answered', async () => {
  const { data: exam } = await api.call('POST', '/exams', { key: institution.apiKey, body: { faculty_id: institution.adminId, title: 'Exported' } });
  const answers = await Promise.all(Array.from({ length: 60 }, () => api.call('GET', `/exams/${exam.id}/export.csv`, { key: institution.apiKey })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

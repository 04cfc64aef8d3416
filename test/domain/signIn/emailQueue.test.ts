import { maxQueued } from '../../../domain/signIn/emailQueue';
import { openSession } from '../../../domain/signIn/sessions';
import { transact } from '../../../domain/transact';
import type { ApiResponse } from '../../support/api';
import { apiFixture } from '../../support/apiFixture';
import { eventually } from '../../support/eventually';

const { api, institution, call, sql } = apiFixture({ institutionPer: 'file' });

const requestCode = (): Promise<ApiResponse> => api.apps('POST', '/sign-in/codes', { body: { login_email: 'student9.00000000@nowhere.example' } });
const count = async (table: string): Promise<number> => (await sql<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${table}`))[0]?.rows ?? 0;
const summary = ({ status, body: { error }, headers }: ApiResponse) => [status, error, Number(headers.get('retry-after')) > 0];
const refused = [429, 'rate_limited', true];

/** As many emails as the queue takes, none of which is due. */
const fillQueue = () =>
  sql(
    `INSERT INTO sign_in_emails (request_id, request_sealed, login_email_hmac, place, created_at, expires_at, try_after)
     SELECT 'req_' || nth, '', decode(md5(nth::text), 'hex'), 1, now(), now() + interval '1 day', 'infinity' FROM generate_series(1, $1::int) nth`,
    [maxQueued],
  );

it('a full queue refuses requests for codes and for other mailboxes before anything is written, keeps notices, and accepts again once it has room', async () => {
  const { data } = await call('POST', '/students', { personal_email: 'first@mail.example' });
  const { token } = await transact(api.api.domain, institution.caller, (tx) => openSession(tx, data.id, 'student'));
  await fillQueue();
  await eventually('the queue is full', async () => (await requestCode()).status === 429);
  const before = await count('sign_in_emails');
  expect(summary(await requestCode())).toEqual(refused);
  expect(summary(await api.apps('POST', '/me/mailbox', { key: token, body: { email: 'other@mail.example' } }))).toEqual(refused);
  expect([await count('sign_in_emails'), await count('mailbox_changes')]).toEqual([before, 0]);
  expect((await call('PATCH', `/students/${data.id}`, { personal_email: 'second@mail.example' })).status).toBe(200);
  expect(await count('sign_in_emails')).toBe(before + 1);
  await sql('DELETE FROM sign_in_emails WHERE request_sealed = $1', ['']);
  await eventually('the queue has room', async () => (await requestCode()).status === 200);
});

import { newId } from '../../../domain/ids';
import { waitingEmailPlace, requestCode } from '../../../domain/signIn/codeEmails';
import { enqueueCodeRequest } from '../../../db/repositories/signIn/emails';
import { startTestApi, type TestApi, type TestInstitution } from '../../support/api';
import { codeEmailsFor } from '../../support/signInCodes';
import { eventually } from '../../support/eventually';
import { sendCodeEmails } from '../../support/codeEmails';

let api: TestApi;
let institution: TestInstitution;

beforeAll(async () => {
  api = await startTestApi({}, { emailsCodes: false });
  institution = await api.institution();
});

afterAll(() => api.stop());

/** The fields of a request that workers of 0.9.0 read; they delete one with others. */
const fieldsOf090 = ['login_email', 'institution_id', 'kind', 'personal_email'];

it('a stored request has no field that a worker of 0.9.0 does not know; the address of the client is in a column of its own', async () => {
  const { domain } = api.api;
  const requestId = newId('req');
  await requestCode(domain, { login_email: 'ada@north.example', personal_email: 'ada@mail.example' }, { requestId, clientAddress: '203.0.113.7' });
  const [row] = await domain.database.sql<{ request_sealed: string; client_address: string }>('DELETE FROM sign_in_emails WHERE request_id = $1 RETURNING request_sealed, client_address', [requestId]);
  const stored: unknown = JSON.parse(domain.secrets.open(row?.request_sealed ?? '', waitingEmailPlace('request_sealed', requestId)));
  expect(Object.keys(Object(stored)).filter((field) => !fieldsOf090.includes(field))).toEqual([]);
  expect(row?.client_address).toBe('203.0.113.7');
});

it('a stored request with fields of a later release is sent its code', async () => {
  const { domain } = api.api;
  const { data: student } = await api.call('POST', '/students', { key: institution.apiKey, body: { personal_email: 'later@mail.example' } });
  const requestId = newId('req');
  const sealed = domain.secrets.seal(JSON.stringify({ login_email: student.login_email, of_a_later_release: true }), waitingEmailPlace('request_sealed', requestId));
  await enqueueCodeRequest(domain.database.sql, { requestId, sealed, fingerprint: domain.secrets.fingerprint('sign_in_request', student.login_email), clientAddress: undefined, lifetimeMs: 60_000 }, 5);
  const sending = sendCodeEmails(domain, api.settings);
  await eventually('the code', async () => (await codeEmailsFor(api, student.login_email)).length === 1);
  await sending.stop();
});

import { erasedTables, keptTables } from '../../../db/repositories/sandbox/erasure';
import { lastTables } from '../../../db/repositories/offboarding/institution';
import { exportedTables, notExportedTables } from '../../../db/repositories/offboarding/exportedTables';
import { invitationToken } from '../../../domain/guardians/invitation';
import { newId } from '../../../domain/ids';
import { realActors } from '../../support/actors';
import { apiFixture } from '../../support/apiFixture';
import { acceptDeveloperInvitation, developerToken, inviteDeveloper } from '../../support/developers';
import { deviceNamed } from '../../support/devices';
import { acceptInvitation } from '../../support/guardians';
import { offboard, offboardingOf } from '../../support/offboarding';
import { createResource } from '../../support/resourceFactories';

const { api, institution, call, sql } = apiFixture();

const path = () => `/institutions/${institution.id}/offboard`;
const cancel = () => api.platform('POST', `${path()}/cancel`);
const rejection = { status: 403, error: 'forbidden' };
const answer = ({ status, body }: { status: number; body: { error?: string } }) => ({ status, error: body.error });

it('POST makes an institution read-only for 30 days; a second one returns the offboarding as it is', async () => {
  const { status, data } = await offboard(api, institution, { reason: 'The contract ends.' });
  expect([status, data]).toMatchObject([200, {
    institution_id: institution.id, status: 'read_only', workflow_id: `offboard_${institution.id}:1`, reason: 'The contract ends.', cancelled_at: null, erasing_since: null, erased_at: null,
    archive: null, removed: [], certificate: null,
  }]);
  expect(Date.parse(data.erase_after) - Date.parse(data.requested_at)).toBe(30 * 86_400_000);
  expect((await offboard(api, institution, { reason: 'Again.' })).data).toEqual(data);
  expect(await offboardingOf(api, institution)).toEqual(data);
});

it('every write with a key of the institution or of its sandbox is refused from the next request on, with the way out; reads and exports go on', async () => {
  const sandbox = await api.sandboxOf(institution);
  const student = await createResource.student(api, institution);
  const { data } = await offboard(api, institution);
  for (const key of [institution.apiKey, sandbox.apiKey]) {
    for (const [method, target, body] of [['POST', '/students', {}], ['POST', '/students/bulk', { students: [{}] }], ['PATCH', `/students/${student}`, { full_name: 'Ada' }], ['DELETE', '/sandbox', undefined]] as const) {
      const refused = await api.call(method, target, { key, body });
      if (key === institution.apiKey && target === '/sandbox') expect(refused.status).toBe(404);
      else expect([target, answer(refused)]).toEqual([target, rejection]);
      if (refused.status === 403) expect(refused.body.message).toBe(`The institution leaves the service: its data can be read and exported, but not changed, and is erased after ${data.erase_after}. To keep it, ask the operators of the platform to cancel the offboarding before.`);
    }
    expect((await api.call('GET', '/students', { key })).status).toBe(200);
  }
  expect((await call('POST', `/students/${student}/export`)).status).toBe(200);
  expect((await call('GET', '/exams')).status).toBe(200);
});

it('apps and the portal are read-only, too; signing in and out, and what takes access away, go on', async () => {
  const student = (await call('POST', '/students', { personal_email: 'ada@mail.example' })).data;
  const actors = realActors(api, institution);
  const exam = await createResource.exam(api, institution);
  await offboard(api, institution);
  const headers = { 'x-actor': institution.adminId };
  expect(answer(await api.platform('POST', `/institutions/${institution.id}/developers`, { headers, body: { email: 'dev@mail.example', name: 'Linus' } }))).toEqual(rejection);
  expect((await api.platform('GET', `/institutions/${institution.id}/settings`, { headers })).status).toBe(200);
  const { data: keys } = await api.platform('GET', `/institutions/${institution.id}/keys`, { headers });
  await actors.signIn(student, { app: 'svcapp', device: deviceNamed('d') });
  expect(answer(await actors.startAttempt(student, exam))).toEqual(rejection);
  expect((await api.platform('DELETE', `/keys/${keys.items[0].key_id}`, { headers })).status).toBe(200);
  expect((await call('GET', '/me')).status).toBe(401);
});

it('nobody joins an institution that leaves: invitations of developers and guardians are not accepted until it is cancelled', async () => {
  const one = await api.institution();
  const { data: developer } = await inviteDeveloper(api, one);
  const { data: student } = await api.call('POST', '/students', { key: one.apiKey, body: {} });
  const { data: link } = await api.call('POST', '/guardians', { key: one.apiKey, body: { student_id: student.id, guardian_email: `${newId('req')}@mail.example`, guardian_type: 'mother' } });
  const guardianToken = invitationToken(api.api.domain.secrets, { linkId: link.id, invitation: 1 });
  const accept = () => Promise.all([acceptDeveloperInvitation(api, developerToken(api, developer.id)), acceptInvitation(api, guardianToken)]);
  await offboard(api, one);
  expect((await accept()).map(({ status, body }) => [status, body.error])).toEqual([[403, 'institution_not_approved'], [403, 'institution_not_approved']]);
  await api.platform('POST', `/institutions/${one.id}/offboard/cancel`);
  expect((await accept()).map(({ status }) => status)).toEqual([200, 200]);
});

it('the operators go on: they may change an institution that leaves', async () => {
  await offboard(api, institution);
  expect((await api.platform('PUT', `/institutions/${institution.id}/allowance`, { body: { allowance_cents: 100 } })).status).toBe(200);
  expect((await api.platform('POST', `/institutions/${institution.id}/suspend`)).status).toBe(200);
  expect((await call('GET', '/me')).body.error).toBe('invalid_api_key');
});

it('cancel lets the institution and its sandbox be written at once; a second one is answered unchanged, and it can leave again', async () => {
  const sandbox = await api.sandboxOf(institution);
  await offboard(api, institution);
  expect((await call('POST', '/students', {})).status).toBe(403);
  const { status, data } = await cancel();
  expect([status, data.status, data.certificate]).toEqual([200, 'cancelled', null]);
  for (const key of [institution.apiKey, sandbox.apiKey]) expect((await api.call('POST', '/students', { key, body: {} })).status).toBe(200);
  expect((await cancel()).data).toEqual(data);
  expect((await offboard(api, institution)).data.workflow_id).toBe(`offboard_${institution.id}:2`);
});

it('without an offboarding both answer not_found; a sandbox cannot leave by itself, nor an institution whose sandbox is being reset', async () => {
  expect(answer(await api.platform('GET', path()))).toEqual({ status: 404, error: 'not_found' });
  expect(answer(await cancel())).toEqual({ status: 404, error: 'not_found' });
  const sandbox = await api.sandboxOf(institution);
  expect(answer(await offboard(api, sandbox))).toEqual({ status: 409, error: 'conflict' });
  await sql('UPDATE institutions SET erasing_since = now() WHERE id = $1', [sandbox.id]);
  expect(answer(await offboard(api, institution))).toEqual({ status: 409, error: 'conflict' });
  expect((await call('POST', '/students', {})).status).toBe(200);
});

it('a sandbox that is made while its institution leaves is read-only, too', async () => {
  await offboard(api, institution);
  const { data } = await api.platform('POST', `/institutions/${institution.id}/keys`, { body: { name: 'test', scopes: ['students:write'], environment: 'test' } });
  expect(answer(await api.call('POST', '/students', { key: data.api_key, body: {} }))).toEqual(rejection);
});

it("the admin reads the institution's own offboarding, no other, and neither begins nor cancels one", async () => {
  const other = await api.institution();
  await offboard(api, institution);
  await offboard(api, other);
  const headers = { 'x-actor': institution.adminId };
  expect((await api.platform('GET', path(), { headers })).data.institution_id).toBe(institution.id);
  expect(answer(await api.platform('GET', `/institutions/${other.id}/offboard`, { headers }))).toEqual({ status: 404, error: 'not_found' });
  expect(answer(await api.platform('POST', path(), { headers, body: {} }))).toEqual(rejection);
  expect(answer(await api.platform('POST', `${path()}/cancel`, { headers }))).toEqual(rejection);
});

it('both calls are in the audit log', async () => {
  await offboard(api, institution, { reason: 'The contract ends.' });
  await cancel();
  const { data } = await api.platform('GET', `/institutions/${institution.id}/audit-log`, { query: { actor_id: 'platform', limit: 2 } });
  expect(data.items.map(({ operation }: { operation: string }) => operation)).toEqual(['cancelOffboarding', 'offboardInstitution']);
});

it('every table of an institution is erased with it, but for the logs and the certificate, and is in the archive or left out for a reason', () => {
  const tables = [...erasedTables, ...Object.keys(keptTables)];
  expect([...new Set([...erasedTables, ...lastTables, 'audit_log', 'disclosures', 'offboardings'])].sort()).toEqual([...new Set(tables)].sort());
  expect([...Object.keys(exportedTables), ...Object.keys(notExportedTables)].sort()).toEqual([...new Set([...tables, 'institutions'])].sort());
});

import { apiFixture } from '../../support/apiFixture';
import { newGuardianEmail, inviteGuardian, backdateInvitation } from '../../support/guardians';

const { api, institution, sql, call, createStudents } = apiFixture();

const asked = (studentId: string, address: string) => inviteGuardian(api, institution, studentId, address);
const linked = async (studentId: string, address = newGuardianEmail()) => (await asked(studentId, address)).data;
const student = async () => (await call('POST', '/students', {})).data;
const resend = async (id: string) => {
  await backdateInvitation(api, id);
  return call('POST', `/guardians/${id}/resend`);
};

it('sending an invitation again is a conflict within ten minutes of the invitation before, which says from when on it is none', async () => {
  const [studentId = ''] = await createStudents(1);
  const { id, invited_at } = await linked(studentId);
  const { status, body } = await call('POST', `/guardians/${id}/resend`);
  const fromAt = new Date(Date.parse(invited_at) + 600_000).toISOString();
  expect([status, body.error, body.message]).toEqual([409, 'conflict', `The last invitation was sent less than ten minutes ago; retry after ${fromAt}.`]);
  expect((await resend(id)).status).toBe(200);
  expect((await call('POST', `/guardians/${id}/resend`)).status).toBe(409);
});

it('an invitation comes ten times to an address within a day, regardless of how often its links are removed and created again', async () => {
  const ids = await createStudents(5);
  const address = newGuardianEmail();
  const links = [];
  for (const studentId of ids) links.push(await linked(studentId, address));
  for (const { id } of links.slice(0, 4)) expect((await resend(id)).status).toBe(200);
  await call('DELETE', `/guardians/${links[0].id}`);
  expect((await asked(ids[0] ?? '', address.toUpperCase())).status).toBe(200);
  const refused = [await resend(links[1].id), await asked((await student()).id, address)];
  expect(refused.map(({ status, body }) => [status, body.error])).toEqual([[409, 'conflict'], [409, 'conflict']]);
  expect((await asked((await student()).id, newGuardianEmail())).status).toBe(200);
  await sql("UPDATE guardian_letters SET asked_at = ARRAY(SELECT t - interval '1 day' FROM unnest(asked_at) t), last_at = last_at - interval '1 day' WHERE institution_id = $1", [institution.id]);
  expect((await resend(links[1].id)).status).toBe(200);
  expect(await sql('SELECT cardinality(asked_at) AS emails FROM guardian_letters WHERE institution_id = $1', [institution.id])).toEqual([{ emails: 1 }]);
});

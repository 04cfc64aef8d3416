import { eraseSuspended, institutionsWithSuspendedPeople } from '../../../domain/retention/eraseSuspended';
import { apiFixture } from '../../support/apiFixture';
import { createResource } from '../../support/resourceFactories';
import { daysBefore } from '../../support/time';

const { api, institution, call, sql, createStudents } = apiFixture();

const keepSuspended = (suspended_days: number | null) => api.platform('PUT', `/institutions/${institution.id}/retention`, { body: { suspended_days } });
const suspendedSince = async (id: string, days: number) => {
  const kind = id.startsWith('stu') ? 'students' : 'faculty';
  if (kind === 'students') await call('POST', `/students/${id}/suspend`);
  else await call('PATCH', `/faculty/${id}`, { status: 'suspended' });
  await sql('UPDATE users SET suspended_at = $2 WHERE id = $1', [id, daysBefore(new Date(), days)]);
};
const run = () => eraseSuspended(api.api.domain, institution.id, new Date());
const due = async () => (await institutionsWithSuspendedPeople(api.api.domain, new Date(), '', 100_000)).includes(institution.id);
const erased = async () => (await sql<{ id: string }>('SELECT person_id AS id FROM erasures WHERE institution_id = $1 ORDER BY 1', [institution.id])).map(({ id }) => id);

it('people who are suspended for longer than the institution keeps them are erased, those who are not are kept', async () => {
  const [student, teacher, recent, active] = [await createResource.student(api, institution), await createResource.faculty(api, institution), await createResource.student(api, institution), await createResource.student(api, institution)];
  await suspendedSince(student, 731);
  await suspendedSince(teacher, 731);
  await suspendedSince(recent, 729);
  await keepSuspended(730);
  expect(await due()).toBe(true);
  expect(await run()).toEqual({ removed: 2, kept: 0, next: null });
  expect(await erased()).toEqual([teacher, student].sort());
  expect([await due(), await run()]).toEqual([false, { removed: 0, kept: 0, next: null }]);
  expect((await call('GET', `/students/${active}`)).data.status).not.toBe('suspended');
});

it('nobody is erased where the institution has no such period, which is the default', async () => {
  await suspendedSince(await createResource.student(api, institution), 5_000);
  expect([await due(), await run(), await erased()]).toEqual([false, { removed: 0, kept: 0, next: null }, []]);
});

it('the admin is never erased, nor is anybody of an institution that leaves', async () => {
  await keepSuspended(730);
  await suspendedSince(await createResource.student(api, institution), 731);
  await sql("UPDATE users SET status = 'suspended', suspended_at = now() - interval '5 years' WHERE id = $1", [institution.adminId]);
  await api.platform('POST', `/institutions/${institution.id}/offboard`, { body: {} });
  expect(await due()).toBe(false);
  await api.platform('POST', `/institutions/${institution.id}/offboard/cancel`);
  expect(await due()).toBe(true);
  expect((await run()).removed).toBe(1);
  expect(await erased()).not.toContain(institution.adminId);
});

it('a run begins at most 100 erasures of an institution, the longest suspended first, each with its entry of the audit log', async () => {
  const ids = await createStudents(102);
  await sql("UPDATE users SET status = 'suspended' WHERE id = ANY ($1)", [ids]);
  await sql("UPDATE users SET suspended_at = now() - interval '1000 days' - array_position($1::text[], id) * interval '1 hour' WHERE id = ANY ($1)", [ids]);
  await keepSuspended(730);
  expect((await run()).removed).toBe(100);
  expect(await erased()).toEqual(ids.slice(2).sort());
  const log = await api.platform('GET', `/institutions/${institution.id}/audit-log`, { query: { actor_id: 'retention', operation: 'eraseSuspendedPerson', limit: 200 } });
  expect(log.data.items).toHaveLength(100);
  expect((await run()).removed).toBe(2);
});

it('a person who cannot be erased does not keep others from it, and the error is thrown at the end', async () => {
  const [first, second] = [await createResource.student(api, institution), await createResource.student(api, institution)];
  await suspendedSince(first, 740);
  await suspendedSince(second, 731);
  await sql('DELETE FROM institution_emails WHERE user_id = $1', [first]);
  await keepSuspended(730);
  await expect(run()).rejects.toMatchObject({ code: 'not_found' });
  expect(await erased()).toEqual([second]);
});

it('the time of a suspension is kept with it, and goes with the reactivation', async () => {
  const id = await createResource.student(api, institution);
  const since = async () => (await sql<{ suspended_at: Date | null; updated_at: Date }>('SELECT suspended_at, updated_at FROM users WHERE id = $1', [id]))[0];
  expect((await since())?.suspended_at).toBeNull();
  await call('POST', `/students/${id}/suspend`);
  const suspended = await since();
  expect(suspended?.suspended_at).toEqual(suspended?.updated_at);
  await call('PATCH', `/students/${id}`, { full_name: 'Ada Lovelace' });
  expect((await since())?.suspended_at).toEqual(suspended?.suspended_at);
  await call('POST', `/students/${id}/reactivate`);
  expect((await since())?.suspended_at).toBeNull();
});

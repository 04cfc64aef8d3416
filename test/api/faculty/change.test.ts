import { errorSummary } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';
import { eventsDuring } from '../../support/events';

const { api, institution, call } = apiFixture();

const create = async (): Promise<{ id: string; login_email: string }> =>
  (await call('POST', '/faculty', { full_name: 'Grace', faculty_id: 'HR-1' })).data;
const patch = (reference: string, body: object) => call('PATCH', `/faculty/${reference}`, body);
const get = async (id: string) => (await call('GET', `/faculty/${id}`)).data;

describe('PATCH of a faculty member', () => {
  // Contract: faculty.fields.full-name, faculty.update.body, faculty.update.response
  it('changes the fields that are named and leaves the others', async () => {
    const before = await create();
    const { status, data } = await patch(before.login_email, { full_name: ' Grace Hopper ' });
    expect([status, data]).toEqual([200, { ...before, full_name: 'Grace Hopper' }]);
    expect(await get(before.id)).toEqual(data);
  });

  // Contract: faculty.fields.faculty-id, faculty.update.body
  it('clears the identifier with null', async () => {
    const { id } = await create();
    expect((await patch(id, { faculty_id: null })).data.faculty_id).toBeNull();
  });

  it('changes all fields at once', async () => {
    const before = await create();
    const body = { full_name: 'Ada', faculty_id: 'HR-2', status: 'suspended' };
    expect((await patch(before.id, body)).data).toEqual({ ...before, ...body });
  });

  it('of nothing changes nothing', async () => {
    const before = await create();
    expect((await patch(before.id, {})).data).toEqual(before);
  });

  it('emits nothing: the specification has no event for it', async () => {
    const { id } = await create();
    expect(await eventsDuring(api, institution, () => patch(id, { full_name: 'Ada', status: 'suspended' }))).toEqual([]);
  });

  it('leaves the license as it is when it suspends', async () => {
    const before = await create();
    expect((await patch(before.id, { status: 'suspended' })).data).toEqual({ ...before, status: 'suspended' });
  });

  // Contract: faculty.status.writable-values
  it.each<[string, object, string[]]>([
    ['a null name', { full_name: null }, ['full_name']],
    ['a status that only students have', { status: 'pending' }, ['status']],
    ['a null status', { status: null }, ['status']],
    ['fields of creation alone, and those that the service sets', { license_days: 3, is_admin: true, profile_completed: true }, ['is_admin', 'license_days', 'profile_completed']],
  ])('refuses %s and changes nothing', async (_, body, paths) => {
    const before = await create();
    expect(errorSummary(await patch(before.id, { faculty_id: 'HR-9', ...body }))).toEqual([422, 'validation_error', paths]);
    expect(await get(before.id)).toEqual(before);
  });

  it('of one field by one caller and of another by another keeps both', async () => {
    const { id } = await create();
    await Promise.all(Array.from({ length: 10 }, (_, nth) => patch(id, nth % 2 === 0 ? { full_name: 'Ada' } : { faculty_id: 'HR-2' })));
    expect(await get(id)).toMatchObject({ full_name: 'Ada', faculty_id: 'HR-2' });
  });
});

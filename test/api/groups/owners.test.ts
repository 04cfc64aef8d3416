import { setTimeout as pause } from 'node:timers/promises';
import { requireOwner } from '../../../domain/faculty/requireOwner';
import { updateFaculty } from '../../../domain/faculty/updateFaculty';
import { transact } from '../../../domain/transact';
import { errorSummary } from '../../support/responses';
import { systemCaller } from '../../support/api';
import { apiFixture } from '../../support/apiFixture';

const fixture = apiFixture();
const { api, call } = fixture;

const teacher = async (institution = fixture.institution): Promise<{ id: string; login_email: string }> =>
  (await call('POST', '/faculty', { full_name: 'Grace Hopper' }, institution)).data;
const createFor = (faculty_id?: string) => call('POST', '/groups', { name: 'Class', ...(faculty_id === undefined ? {} : { faculty_id }) });
const suspend = (id: string) => call('PATCH', `/faculty/${id}`, { status: 'suspended' });
const setAdmin = (status: string) => api.platform('PATCH', `/institutions/${fixture.institution.id}/admin`, { body: { status } });

describe('the owner of a group', () => {
  // Contract: groups.owner.id-or-login-email, groups.create.body
  it('is named by id or login email, in any case, and answered by id', async () => {
    const { id, login_email } = await teacher();
    for (const named of [id, login_email, login_email.toUpperCase()]) expect((await createFor(named)).data.faculty_id).toBe(id);
  });

  // Contract: groups.owner.always, groups.owner.defaults-to-admin
  it('is the institution admin where nobody is named', async () => {
    await teacher();
    expect((await createFor()).data.faculty_id).toBe(fixture.institution.adminId);
  });

  // Contract: errors.422.invalid-faculty
  it('that is unknown, of another institution, a student or suspended is invalid_faculty, in the same words', async () => {
    const otherInstitution = await api.institution();
    const [foreign, suspended] = [await teacher(otherInstitution), await teacher()];
    await suspend(suspended.id);
    const student = (await call('POST', '/students', {})).data;
    const { data: { skipped: _skipped, ...group } } = await createFor();
    const named = ['fac_unknown', `nobody@${fixture.institution.loginDomain}`, foreign.id, foreign.login_email, otherInstitution.adminId, student.id, student.login_email, suspended.id, suspended.login_email];
    for (const faculty_id of named) {
      const answers = [await createFor(faculty_id), await call('PATCH', `/groups/${group.id}`, { name: 'Other', faculty_id })];
      for (const { status, body } of answers) {
        expect([status, body.error, body.message]).toEqual([422, 'invalid_faculty', 'faculty_id: no active faculty member of this institution has this id or login email; GET /v1/faculty lists them.']);
        expect(body.issues).toEqual([{ path: 'faculty_id', message: 'no active faculty member of this institution has this id or login email; GET /v1/faculty lists them.' }]);
      }
    }
    expect((await call('GET', '/groups')).data.items).toEqual([group]);
  });

  // Contract: groups.owner.always, errors.422.no-owner
  it('is missing where nobody is named and the admin is suspended (no_owner), until the admin is active again', async () => {
    const { id } = await teacher();
    await setAdmin('suspended');
    expect(errorSummary(await createFor())).toEqual([422, 'no_owner', ['faculty_id']]);
    expect(errorSummary(await createFor(fixture.institution.adminLoginEmail))).toEqual([422, 'invalid_faculty', ['faculty_id']]);
    expect((await createFor(id)).status).toBe(200);
    await setAdmin('active');
    expect((await createFor()).data.faculty_id).toBe(fixture.institution.adminId);
  });

  // Contract: groups.owner.always, groups.owner.id-or-login-email
  it('changes by PATCH, and is never taken away', async () => {
    const { id, login_email } = await teacher();
    const { data: group } = await createFor();
    expect((await call('PATCH', `/groups/${group.id}`, { faculty_id: login_email })).data.faculty_id).toBe(id);
    expect(errorSummary(await call('PATCH', `/groups/${group.id}`, { faculty_id: null }))).toEqual([422, 'validation_error', ['faculty_id']]);
  });

  it('keeps the group when suspended, and the group can still be changed', async () => {
    const { id } = await teacher();
    const { data: group } = await createFor(id);
    await suspend(id);
    expect((await call('PATCH', `/groups/${group.id}`, { name: 'Other' })).data).toMatchObject({ name: 'Other', faculty_id: id });
  });
});

describe('a suspension at the same time', () => {
  it('waits for the one who has just been made an owner', async () => {
    const { id } = await teacher();
    const { answered } = await transact(api.api.domain, systemCaller(fixture.institution.id), async (tx) => {
      await requireOwner(tx, id);
      const suspension = suspend(id);
      expect(await Promise.race([suspension, pause(300, 'waits')])).toBe('waits');
      return { answered: suspension };
    });
    expect((await answered).data.status).toBe('suspended');
  });

  it('that comes first refuses the one who would be made an owner', async () => {
    const { id } = await teacher();
    const { answered } = await transact(api.api.domain, systemCaller(fixture.institution.id), async (tx) => {
      await updateFaculty(tx, id, { status: 'suspended' });
      const creation = createFor(id);
      expect(await Promise.race([creation, pause(300, 'waits')])).toBe('waits');
      return { answered: creation };
    });
    expect(errorSummary(await answered)).toEqual([422, 'invalid_faculty', ['faculty_id']]);
  });

  it('does not make groups of one owner wait for each other', async () => {
    const { id } = await teacher();
    const status = await transact(api.api.domain, systemCaller(fixture.institution.id), async (tx) => {
      await requireOwner(tx, id);
      return (await createFor(id)).status;
    });
    expect(status).toBe(200);
  });
});

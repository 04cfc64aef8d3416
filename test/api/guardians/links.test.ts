import { maxGuardians } from '../../../domain/guardians/inviteGuardian';
import { invitationToken } from '../../../domain/guardians/invitation';
import { apiFixture } from '../../support/apiFixture';
import { eventsOf } from '../../support/events';
import { seedGuardian } from '../../support/seed/guardians';
import { acceptInvitation, newGuardianEmail, inviteGuardian, backdateInvitation } from '../../support/guardians';

const { api, institution, sql, call, listAt, createStudents } = apiFixture();

const asked = (studentId: string, address: string, over: object = {}) => inviteGuardian(api, institution, studentId, address, over);
const linked = async (studentId: string, address = newGuardianEmail(), over: object = {}) => (await asked(studentId, address, over)).data;
const student = async (body: object = {}) => (await call('POST', '/students', body)).data;
const listed = async (path = '/guardians', query = {}) => (await listAt(path, query)).data.items;
const outboxRowsOf = (id: string) => sql<{ kind: string; name: string; workflow_id: string; argument: object }>('SELECT kind, name, workflow_id, argument FROM owed_workflows WHERE workflow_id LIKE $1 ORDER BY seq', [`${id}:%`]);

describe('a link', () => {
  // Contract: service.purpose.link-guardians, guardians.links.fields, guardians.states.created-unverified, guardians.invite.body
  // Contract: guardians.invite.emailed-or-already-added
  it('is answered with the address, unverified, invited for 14 days', async () => {
    const { id, login_email } = await student();
    const { data } = await asked(login_email.toUpperCase(), ' Augusta@Mail.example', { guardian_type: 'guardian', guardian_name: 'Augusta', is_primary: true });
    expect(data).toMatchObject({
      student_id: id, student_email: login_email, guardian_email: 'augusta@mail.example', guardian_type: 'guardian', guardian_name: 'Augusta', is_primary: true,
      verified: false, status: 'invited', accepted_at: null, verified_at: null,
    });
    expect(data.id).toMatch(/^gdn_/);
    expect(Date.parse(data.expires_at) - Date.parse(data.invited_at)).toBe(14 * 86_400_000);
    expect(await listed()).toEqual([data]);
  });

  // Contract: guardians.states.created-unverified, events.guardian-invited.no-email
  it('emits guardian.invited with ids only, and appends the invitation’s workflow to the outbox', async () => {
    const [studentId = ''] = await createStudents(1);
    const { id } = await linked(studentId);
    const [event] = (await eventsOf(api, institution)).filter(({ type }) => type === 'guardian.invited');
    expect(event?.data).toEqual({ guardian_id: id, student_id: studentId, guardian_type: 'mother' });
    expect(await outboxRowsOf(id)).toEqual([{ kind: 'start', name: 'guardianInvitation', workflow_id: `${id}:1`, argument: { linkId: id, institutionId: institution.id, invitation: 1 } }]);
  });

  it('keeps the address sealed', async () => {
    const [studentId = ''] = await createStudents(1);
    await linked(studentId, 'sensitive.nowhere@mail.example');
    const rows = await sql<{ kept: string }>("SELECT users::text AS kept FROM users WHERE kind = 'guardian' UNION ALL SELECT guardian_links::text FROM guardian_links UNION ALL SELECT body FROM events");
    for (const { kept } of rows) expect(kept).not.toContain('sensitive.nowhere');
  });

  it('has a name or none', async () => {
    const [studentId = ''] = await createStudents(1);
    expect([(await linked(studentId)).guardian_name, (await linked(studentId, newGuardianEmail(), { guardian_name: null })).guardian_name]).toEqual([null, null]);
  });

  // Contract: guardians.invite.body
  it.each<[field: string, body: object]>([
    ['guardian_type', { guardian_type: 'uncle' }],
    ['guardian_email', { guardian_email: 'nobody' }],
    ['guardian_name', { guardian_name: 'two\nlines' }],
    ['guardian_name', { guardian_name: 'x'.repeat(201) }],
    ['is_primary', { is_primary: 'yes' }],
    ['verified', { verified: true }],
  ])('refuses a wrong %s', async (path, over) => {
    const [studentId = ''] = await createStudents(1);
    expect((await asked(studentId, newGuardianEmail(), over)).body).toMatchObject({ error: 'validation_error', issues: [{ path }] });
  });

  it('refuses all that is wrong with the body at once', async () => {
    const { body } = await asked('', 'nobody', { guardian_type: 'uncle', guardian_name: 7, is_primary: 'yes', email: 'augusta@mail.example' });
    expect([body.error, body.issues.length, body.message]).toEqual(['validation_error', 6, expect.stringMatching(/ \(and 5 more\)$/)]);
  });

  it('refuses what is wrong with the body before a student who does not exist or is suspended', async () => {
    const { id, login_email } = await student();
    await call('POST', `/students/${id}/suspend`);
    for (const studentId of ['SIS-7', id]) expect((await asked(studentId, login_email)).body).toMatchObject({ error: 'validation_error', issues: [{ path: 'guardian_email' }] });
  });

  it('answers a student_id of the institution with how to find the id that it takes', async () => {
    await student({ student_id: 'SIS-7' });
    expect((await asked('SIS-7', newGuardianEmail())).body.message).toBe('No such student in this institution. student_id takes stu_… or a login email here; GET /v1/students?student_id= finds both by your identifier.');
  });

  it('is of a student of the institution: not_found otherwise', async () => {
    const otherInstitution = await api.institution();
    const foreign = (await call('POST', '/students', {}, otherInstitution)).data;
    for (const id of ['stu_unknown', foreign.id, foreign.login_email, institution.adminId, institution.adminLoginEmail]) {
      expect((await asked(id, newGuardianEmail())).body.error).toBe('not_found');
    }
  });

  it('is not made for a suspended student: user_inactive', async () => {
    const { id } = await student();
    await call('POST', `/students/${id}/suspend`);
    const { status, body } = await asked(id, newGuardianEmail());
    expect([status, body.error]).toEqual([409, 'user_inactive']);
  });

  it('does not take a login email of the institution for an address', async () => {
    const [{ id }, other] = [await student(), await student()];
    for (const address of [other.login_email, institution.adminLoginEmail.toUpperCase()]) {
      expect((await asked(id, address)).body).toMatchObject({ error: 'validation_error', issues: [{ path: 'guardian_email' }] });
    }
  });

  // Contract: guardians.links.pair-unique, guardians.invite.emailed-or-already-added, errors.409.already-added
  // Contract: errors.conditions.guardian-pair-exists
  it('exists once for a pair: already_added, in any case', async () => {
    const [studentId = ''] = await createStudents(1);
    await linked(studentId, 'once@mail.example');
    const { status, body } = await asked(studentId, 'ONCE@mail.example', { guardian_type: 'father' });
    expect([status, body.error]).toEqual([409, 'already_added']);
    expect(await listed()).toHaveLength(1);
  });

  it('leads many students to one guardian of one address, and the same address of another institution to another', async () => {
    const [first = '', second = ''] = await createStudents(2);
    const address = newGuardianEmail();
    await linked(first, address);
    await linked(second, address);
    const otherInstitution = await api.institution();
    const { data } = await call('POST', '/students', {}, otherInstitution);
    await inviteGuardian(api, otherInstitution, data.id, address);
    expect(await sql('SELECT institution_id, count(*)::int AS count FROM users WHERE kind = \'guardian\' AND institution_id = ANY ($1) GROUP BY 1 ORDER BY 1', [[institution.id, otherInstitution.id]])).toEqual(
      [institution.id, otherInstitution.id].sort().map((institution_id) => ({ institution_id, count: 1 })),
    );
  });

  // Contract: guardians.links.several-per-student
  it('is one of at most 20 of a student: conflict beyond', async () => {
    const [studentId = '', other = ''] = await createStudents(2);
    for (let nth = 0; nth < maxGuardians; nth += 1) await seedGuardian(api, institution, studentId, newGuardianEmail());
    const { status, body } = await asked(studentId, newGuardianEmail());
    expect([status, body.error]).toEqual([409, 'conflict']);
    expect((await asked(other, newGuardianEmail())).status).toBe(200);
  });
});

describe('the primary guardian', () => {
  it('is one: a second one takes the place of the first', async () => {
    const [studentId = '', other = ''] = await createStudents(2);
    const first = await linked(studentId, newGuardianEmail(), { is_primary: true });
    const elsewhere = await linked(other, newGuardianEmail(), { is_primary: true });
    const second = await linked(studentId, newGuardianEmail(), { is_primary: true });
    await linked(studentId);
    const primary = (await listed()).filter(({ is_primary }: { is_primary: boolean }) => is_primary).map(({ id }: { id: string }) => id);
    expect(primary.sort()).toEqual([elsewhere.id, second.id].sort());
    expect(primary).not.toContain(first.id);
  });

  it('stays one when two are named at once', async () => {
    const [studentId = ''] = await createStudents(1);
    const answers = await Promise.all(Array.from({ length: 8 }, () => asked(studentId, newGuardianEmail(), { is_primary: true })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect((await listed()).filter(({ is_primary }: { is_primary: boolean }) => is_primary)).toHaveLength(1);
  });
});

it('the same pair invited at once makes one link, and one person', async () => {
  const [studentId = '', other = ''] = await createStudents(2);
  const address = newGuardianEmail();
  const answers = await Promise.all([studentId, studentId, studentId, other, other, studentId].map((id) => asked(id, address)));
  expect(answers.map(({ status, body }) => body.error ?? status).sort()).toEqual([200, 200, 'already_added', 'already_added', 'already_added', 'already_added']);
  expect(await listed()).toHaveLength(2);
  expect(await sql("SELECT 1 FROM users WHERE kind = 'guardian' AND institution_id = $1", [institution.id])).toHaveLength(1);
});

describe('the lists', () => {
  // Contract: guardians.links.verified-flag, guardians.list.query, guardians.list.response
  it('filter by student, named by id or login email, and by whether the guardian is verified', async () => {
    const ada = await student();
    const [other = ''] = await createStudents(1);
    const invited = await linked(ada.id);
    const verified = await seedGuardian(api, institution, ada.id, newGuardianEmail());
    await linked(other);
    const idsOf = async (query: object) => (await listed('/guardians', query)).map(({ id }: { id: string }) => id);
    expect(await idsOf({ student_id: ada.id })).toEqual([verified, invited.id]);
    expect(await idsOf({ student_id: ada.login_email.toUpperCase() })).toEqual([verified, invited.id]);
    expect(await idsOf({ verified: true })).toEqual([verified]);
    expect(await idsOf({ verified: false, student_id: ada.id })).toEqual([invited.id]);
    expect(await idsOf({ student_id: 'stu_unknown' })).toEqual([]);
    expect((await listAt('/guardians', { verified: 'perhaps' })).body.issues).toMatchObject([{ path: 'verified' }]);
  });

  // Contract: guardians.links.several-per-student, students.guardians.response
  it('name the guardians of a student, in pages', async () => {
    const ada = await student();
    const links = [await linked(ada.id), await linked(ada.id), await linked(ada.id)];
    const { data } = await listAt(`/students/${encodeURIComponent(ada.login_email)}/guardians`, { limit: 2, page: 2 });
    expect(data).toEqual({ items: [links[0]], page: 2, limit: 2, total: 3, has_more: false, next_cursor: null });
    expect((await call('GET', '/students/stu_unknown/guardians')).body.error).toBe('not_found');
  });

  it('need guardians:read, and changes guardians:write', async () => {
    const [studentId = ''] = await createStudents(1);
    const key = await api.keyFor(institution, ['students:read', 'guardians:read']);
    expect((await api.call('GET', `/students/${studentId}/guardians`, { key })).status).toBe(200);
    expect((await api.call('POST', '/guardians', { key, body: {} })).body.missing).toEqual(['guardians:write']);
    const students = await api.keyFor(institution, ['students:write']);
    expect((await api.call('GET', `/students/${studentId}/guardians`, { key: students })).body.missing).toEqual(['guardians:read']);
  });
});

describe('sending an invitation again', () => {
  const resend = async (id: string) => {
    await backdateInvitation(api, id);
    return call('POST', `/guardians/${id}/resend`);
  };

  // Contract: endpoints.resend-guardian-invitation
  it('makes the next one, of 14 days; the one before is worth nothing, accepted or not', async () => {
    const [studentId = ''] = await createStudents(1);
    const link = await linked(studentId);
    const tokens = [1, 2].map((invitation) => invitationToken(api.api.domain.secrets, { linkId: link.id, invitation }));
    await acceptInvitation(api, tokens[0] ?? '');
    const { data } = await resend(link.id);
    expect(data).toMatchObject({ id: link.id, status: 'invited', accepted_at: null, created_at: link.created_at });
    expect(Date.parse(data.invited_at)).toBeGreaterThan(Date.parse(link.invited_at));
    expect(Date.parse(data.expires_at) - Date.parse(data.invited_at)).toBe(14 * 86_400_000);
    expect((await acceptInvitation(api, tokens[0] ?? '')).body.error).toBe('conflict');
    expect((await acceptInvitation(api, tokens[1] ?? '')).status).toBe(200);
  });

  it('has the workflow before look, and starts the next', async () => {
    const [studentId = ''] = await createStudents(1);
    const { id } = await linked(studentId);
    await resend(id);
    expect((await outboxRowsOf(id)).map(({ kind, name, workflow_id }) => [kind, name, workflow_id])).toEqual([
      ['start', 'guardianInvitation', `${id}:1`], ['signal', 'look', `${id}:1`], ['start', 'guardianInvitation', `${id}:2`],
    ]);
    expect((await eventsOf(api, institution)).filter(({ type }) => type === 'guardian.invited')).toHaveLength(1);
  });

  it('brings back one that has expired', async () => {
    const [studentId = ''] = await createStudents(1);
    const { id } = await linked(studentId);
    await sql("UPDATE guardian_links SET expires_at = now() - interval '1 ms' WHERE id = $1", [id]);
    expect((await listed())[0].status).toBe('expired');
    expect((await resend(id)).data.status).toBe('invited');
  });

  // Contract: errors.409.already-verified
  it('is refused once the guardian is verified, and while the student is suspended', async () => {
    const { id: studentId } = await student();
    const verified = await seedGuardian(api, institution, studentId, newGuardianEmail());
    const invited = await linked(studentId);
    await call('POST', `/students/${studentId}/suspend`);
    const refused = [await resend(verified), await resend(invited.id), await resend('gdn_unknown')];
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual([[409, 'already_verified'], [409, 'user_inactive'], [404, 'not_found']]);
  });

  it('of many at once goes once', async () => {
    const [studentId = ''] = await createStudents(1);
    const { id } = await linked(studentId);
    await backdateInvitation(api, id);
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('POST', `/guardians/${id}/resend`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await sql('SELECT invitation FROM guardian_links WHERE id = $1', [id])).toEqual([{ invitation: 2 }]);
    expect((await outboxRowsOf(id)).filter(({ kind }) => kind === 'start').map(({ workflow_id }) => workflow_id)).toEqual([`${id}:1`, `${id}:2`]);
  });
});

describe('removing a link', () => {
  const people = () => sql("SELECT id FROM users WHERE kind = 'guardian' AND institution_id = $1", [institution.id]);

  // Contract: endpoints.remove-guardian
  it('returns its id, once, and has its workflow look', async () => {
    const [studentId = ''] = await createStudents(1);
    const { id } = await linked(studentId);
    expect((await call('DELETE', `/guardians/${id}`)).data).toEqual({ id, deleted: true });
    expect((await call('DELETE', `/guardians/${id}`)).body.error).toBe('not_found');
    expect((await outboxRowsOf(id)).at(-1)).toMatchObject({ kind: 'signal', name: 'look', workflow_id: `${id}:1` });
    expect(await listed()).toEqual([]);
  });

  it('takes the guardian along with the last one, who can be invited again', async () => {
    const [first = '', second = ''] = await createStudents(2);
    const address = newGuardianEmail();
    const links = [await linked(first, address), await linked(second, address)];
    const before = await people();
    await call('DELETE', `/guardians/${links[0].id}`);
    expect(await people()).toEqual(before);
    await call('DELETE', `/guardians/${links[1].id}`);
    expect(await people()).toEqual([]);
    expect((await asked(first, address)).status).toBe(200);
  });

  it('at once with an invitation of the same guardian leaves every link with its person', async () => {
    const students = await createStudents(6);
    for (let round = 0; round < 5; round += 1) {
      const address = newGuardianEmail();
      const [first = '', ...others] = students;
      const { id } = await linked(first, address);
      const answers = await Promise.all([call('DELETE', `/guardians/${id}`), ...others.map((other) => asked(other, address))]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(await people()).toHaveLength(1);
      const left = await listed();
      expect(left).toHaveLength(others.length);
      await Promise.all(left.map((link: { id: string }) => call('DELETE', `/guardians/${link.id}`)));
      expect(await people()).toEqual([]);
    }
  });
});

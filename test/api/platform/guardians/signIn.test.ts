import { invitationToken } from '../../../../domain/guardians/invitation';
import type { TestInstitution } from '../../../support/api';
import { apiFixture } from '../../../support/apiFixture';
import { eventsOf } from '../../../support/events';
import { acceptInvitation, newGuardianEmail, guardianSession, inviteGuardian, backdateInvitation } from '../../../support/guardians';
import { requestCode, codeIn, codeEmailFor, codeEmailsFor, recipientsOf, signIn } from '../../../support/signInCodes';

const fixture = apiFixture();
const { api, sql, call, createStudents } = fixture;

interface Invited {
  id: string;
  address: string;
  studentId: string;
}

/** A guardian who has been invited for a new student. */
async function invited(address = newGuardianEmail(), institution: TestInstitution = fixture.institution): Promise<Invited> {
  const { data: student } = await call('POST', '/students', { full_name: 'Ada Lovelace' }, institution);
  const { data } = await inviteGuardian(api, institution, student.id, address);
  return { id: data.id, address, studentId: student.id };
}

const tokenOf = (linkId: string, invitation = 1) => invitationToken(api.api.domain.secrets, { linkId, invitation });
const accept = (linkId: string, invitation = 1) => acceptInvitation(api, tokenOf(linkId, invitation));
async function accepted(address?: string, institution?: TestInstitution): Promise<Invited> {
  const one = await invited(address, institution);
  expect((await accept(one.id)).status).toBe(200);
  return one;
}
const linkOf = async (id: string, institution = fixture.institution) =>
  (await api.call('GET', '/guardians', { key: institution.apiKey })).data.items.find((link: { id: string }) => link.id === id);
const students = async (session: string) => (await api.platform('GET', '/guardian/students', { key: session })).data.items.map(({ id }: { id: string }) => id);
const expire = (id: string) => sql("UPDATE guardian_links SET expires_at = now() - interval '1 ms' WHERE id = $1", [id]);
const verifiedEvents = async () => (await eventsOf(api, fixture.institution)).filter(({ type }) => type === 'guardian.verified').map(({ data }) => data);

/** No code came, though one that was asked for later did. */
async function gotNone(address: string): Promise<boolean> {
  const { login_email } = (await call('POST', '/students', { personal_email: newGuardianEmail() })).data;
  await requestCode(api, login_email);
  await codeEmailFor(api, login_email);
  return (await codeEmailsFor(api, address)).length === 0;
}

describe('an invitation', () => {
  it('is accepted by the token of its email, and returns without an address whom it is for', async () => {
    const { id } = await invited();
    const { data } = await accept(id);
    expect(data).toMatchObject({ id, status: 'accepted', institution: { id: fixture.institution.id, name: 'North School' }, student: { full_name: 'Ada Lovelace' } });
    expect(await linkOf(id)).toMatchObject({ status: 'accepted', verified: false, expires_at: data.expires_at });
  });

  it('is not found by any token that the service did not make', async () => {
    const { id } = await invited();
    const token = tokenOf(id);
    const other = tokenOf((await invited()).id);
    const wrong = [`${token}x`, token.slice(0, -1), `${id}.1.${other.slice(-43)}`, token.replace('.1.', '.2.'), token.replace('.1.', '.01.'), 'nothing', tokenOf('gdn_01jd4k6f2mep2s5xg5yhc8m1zz')];
    for (const one of wrong) expect([one, (await acceptInvitation(api, one)).body.error]).toEqual([one, 'not_found']);
    expect((await acceptInvitation(api, token)).status).toBe(200);
  });

  it('is a conflict once it is used, has expired, or a newer one has taken its place; not found once its link is gone', async () => {
    const [used, old, replaced, gone] = [await accepted(), await invited(), await invited(), await invited()];
    await expire(old.id);
    await backdateInvitation(api, replaced.id);
    await call('POST', `/guardians/${replaced.id}/resend`);
    await call('DELETE', `/guardians/${gone.id}`);
    const errors = [];
    for (const { id } of [used, old, replaced, gone]) errors.push((await accept(id)).body.error);
    expect(errors).toEqual(['conflict', 'conflict', 'conflict', 'not_found']);
  });

  it('is accepted once by two who come at once', async () => {
    const { id } = await invited();
    const answers = await Promise.all([accept(id), accept(id), accept(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});

describe('signing in', () => {
  // Contract: guardians.links.verified-flag, guardians.sign-in.invitation-then-code, guardians.states.first-sign-in-verifies
  // Contract: events.guardian-verified.no-email
  it('with the code that came to the own address opens a session of a guardian, and verifies the link the first time', async () => {
    const { id, address, studentId } = await accepted();
    await requestCode(api, address.toUpperCase());
    const mail = await codeEmailFor(api, address);
    expect(recipientsOf(mail)).toEqual([address]);
    const { data } = await signIn(api, address, codeIn(mail));
    expect(data.user).toEqual({ id: expect.stringMatching(/^usr_/), kind: 'guardian', login_email: address, full_name: null, status: 'active' });
    expect((Date.parse(data.expires_at) - Date.now()) / 3_600_000).toBeCloseTo(12, 1);
    expect(await linkOf(id)).toMatchObject({ status: 'verified', verified: true });
    expect(await students(data.session)).toEqual([studentId]);
    expect(await verifiedEvents()).toEqual([{ guardian_id: id, student_id: studentId, guardian_type: 'mother' }]);
    await guardianSession(api, address);
    expect(await verifiedEvents()).toHaveLength(1);
  });

  it('verifies every link that was accepted in time, and no other', async () => {
    const address = newGuardianEmail();
    const [first, second, open, old] = [await accepted(address), await accepted(address), await invited(address), await accepted(address)];
    await expire(old.id);
    const session = await guardianSession(api, address);
    const verifiedLinks = [first, second].map(({ id, studentId }) => ({ guardian_id: id, student_id: studentId, guardian_type: 'mother' }));
    expect(await verifiedEvents()).toHaveLength(2);
    expect(await verifiedEvents()).toEqual(expect.arrayContaining(verifiedLinks));
    expect((await students(session)).sort()).toEqual([first.studentId, second.studentId].sort());
    expect([(await linkOf(open.id)).status, (await linkOf(old.id)).status]).toEqual(['invited', 'expired']);
    expect(await sql("SELECT workflow_id FROM owed_workflows WHERE kind = 'signal' AND workflow_id = ANY ($1) GROUP BY 1", [[open.id, old.id].map((id) => `${id}:1`)])).toHaveLength(1);
  });

  it('verifies 500 links at a time: a guardian who has accepted more than a transaction has events for signs in nevertheless', async () => {
    const address = newGuardianEmail();
    const one = await accepted(address);
    const ids = await createStudents(1_000);
    await sql(
      `INSERT INTO guardian_links (id, institution_id, student_id, guardian_id, guardian_type, is_primary, invited_at, expires_at, accepted_at, created_at, updated_at)
       SELECT l.id || s.id, l.institution_id, s.id, l.guardian_id, l.guardian_type, false, l.invited_at, l.expires_at, l.accepted_at, l.created_at, l.updated_at
         FROM guardian_links l CROSS JOIN unnest($2::text[]) AS s (id) WHERE l.id = $1`,
      [one.id, ids],
    );
    const verified = async () => (await sql<{ n: number }>('SELECT count(verified_at)::int AS n FROM guardian_links WHERE institution_id = $1', [fixture.institution.id]))[0]?.n;
    for (const soFar of [500, 1_000, 1_001]) {
      await guardianSession(api, address);
      expect(await verified()).toBe(soFar);
    }
  });

  it('verifies a link that is accepted later at the next sign-in', async () => {
    const address = newGuardianEmail();
    const first = await accepted(address);
    const session = await guardianSession(api, address);
    const second = await accepted(address);
    expect(await students(session)).toEqual([first.studentId]);
    await guardianSession(api, address);
    expect(await students(session)).toEqual([second.studentId, first.studentId]);
  });

  it.each<[whose: string, prepare: () => Promise<Invited>]>([
    ['who was invited and has not accepted', () => invited()],
    ['whose accepted invitation has expired', async () => {
      const one = await accepted();
      await expire(one.id);
      return one;
    }],
    ['whose invitation was sent again', async () => {
      const one = await accepted();
      await backdateInvitation(api, one.id);
      await call('POST', `/guardians/${one.id}/resend`);
      return one;
    }],
    ['whose link is gone', async () => {
      const one = await accepted();
      await call('DELETE', `/guardians/${one.id}`);
      return one;
    }],
    ['of a suspended institution', async () => {
      const otherInstitution = await api.institution();
      const one = await accepted(newGuardianEmail(), otherInstitution);
      await api.platform('POST', `/institutions/${otherInstitution.id}/suspend`);
      return one;
    }],
  ])('is refused to somebody %s, as to an unknown address, and no code is mailed', async (_whose, prepare) => {
    const { address } = await prepare();
    const unknown = newGuardianEmail();
    const [asked, askedUnknown] = [await requestCode(api, address), await requestCode(api, unknown)];
    expect([asked.status, asked.body]).toEqual([askedUnknown.status, askedUnknown.body]);
    expect(await gotNone(address)).toBe(true);
    const [refused, refusedUnknown] = [await signIn(api, address, '123456'), await signIn(api, unknown, '123456')];
    expect([refused.status, refused.body]).toEqual([401, refusedUnknown.body]);
  });

  it('is refused with a code that came before the invitation expired', async () => {
    const { id, address } = await accepted();
    await requestCode(api, address);
    const mail = await codeEmailFor(api, address);
    await expire(id);
    expect((await signIn(api, address, codeIn(mail))).status).toBe(401);
    expect(await verifiedEvents()).toEqual([]);
  });

  it('has the limits of everybody: five codes an hour, five tries a code', async () => {
    const { address } = await accepted();
    for (let nth = 0; nth < 7; nth += 1) await requestCode(api, address);
    const mail = await codeEmailFor(api, address, 5);
    const other = await accepted();
    await requestCode(api, other.address);
    await codeEmailFor(api, other.address);
    expect(await codeEmailsFor(api, address)).toHaveLength(5);
    const code = codeIn(mail);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let nth = 0; nth < 5; nth += 1) expect((await signIn(api, address, wrong)).status).toBe(401);
    expect((await signIn(api, address, code)).status).toBe(401);
  });

  it('ignores a personal email that is sent with it', async () => {
    const { address } = await accepted();
    await requestCode(api, address, { personal_email: 'thief@mail.example' });
    expect(recipientsOf(await codeEmailFor(api, address))).toEqual([address]);
  });
});

describe('a guardian in several institutions', () => {
  it('signs in to the one that they name, else to the one whose invitation they accepted last', async () => {
    const address = newGuardianEmail();
    const otherInstitution = await api.institution();
    const [inOtherInstitution, inInstitution] = [await accepted(address, otherInstitution), await accepted(address)];
    expect(await students(await guardianSession(api, address))).toEqual([inInstitution.studentId]);
    expect(await students(await guardianSession(api, address, otherInstitution.id))).toEqual([inOtherInstitution.studentId]);
    expect((await linkOf(inOtherInstitution.id, otherInstitution)).status).toBe('verified');
    await requestCode(api, address, { institution_id: 'ins_unknown' });
    await guardianSession(api, address, fixture.institution.id);
    expect(await codeEmailsFor(api, address)).toHaveLength(3);
  });

  it('signs in to the other one while one is suspended', async () => {
    const address = newGuardianEmail();
    const otherInstitution = await api.institution();
    const [inInstitution] = [await accepted(address), await accepted(address, otherInstitution)];
    await api.platform('POST', `/institutions/${otherInstitution.id}/suspend`);
    expect(await students(await guardianSession(api, address))).toEqual([inInstitution.studentId]);
  });
});

describe('access ends at once', () => {
  const ask = (session: string, path = '/guardian/students') => api.platform('GET', path, { key: session });
  const verifiedOne = async (address?: string) => {
    const one = await accepted(address);
    return { ...one, session: await guardianSession(api, one.address) };
  };

  it('to a student whose link is removed; the session goes with the last one', async () => {
    const address = newGuardianEmail();
    const [first, second] = [await accepted(address), await accepted(address)];
    const session = await guardianSession(api, address);
    await call('DELETE', `/guardians/${first.id}`);
    expect(await students(session)).toEqual([second.studentId]);
    for (const list of ['exams', 'reports']) expect((await ask(session, `/guardian/students/${first.studentId}/${list}`)).body.error).toBe('not_found');
    await call('DELETE', `/guardians/${second.id}`);
    expect((await ask(session)).status).toBe(401);
  });

  it('when the institution is suspended, and comes back with it; signing out works meanwhile', async () => {
    const one = await verifiedOne();
    const other = await guardianSession(api, one.address);
    await api.platform('POST', `/institutions/${fixture.institution.id}/suspend`);
    for (const path of ['/guardian/students', `/guardian/students/${one.studentId}/exams`, `/guardian/students/${one.studentId}/reports`]) {
      const { status, body } = await ask(one.session, path);
      expect([status, body.error]).toEqual([403, 'institution_not_approved']);
    }
    expect((await api.platform('DELETE', '/sign-in/sessions/current', { key: other })).status).toBe(200);
    await api.platform('POST', `/institutions/${fixture.institution.id}/approve`);
    expect(await students(one.session)).toEqual([one.studentId]);
    expect((await ask(other)).status).toBe(401);
  });

  it('while somebody signs in: a link that is removed leaves no session', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, address } = await accepted();
      await requestCode(api, address);
      const code = codeIn(await codeEmailFor(api, address));
      const [answer] = await Promise.all([signIn(api, address, code), call('DELETE', `/guardians/${id}`)]);
      if (answer.status === 200) expect((await ask(answer.data.session)).status).toBe(401);
    }
    expect(await sql("SELECT 1 FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.institution_id = $1", [fixture.institution.id])).toEqual([]);
  });

  it('when its session is over or signed out: unauthorized, and no app is notified', async () => {
    const { session } = await verifiedOne();
    await api.platform('DELETE', '/sign-in/sessions/current', { key: session });
    expect((await ask(session)).body.error).toBe('unauthorized');
    expect((await api.platform('POST', '/app/heartbeat', { key: session, body: {} })).status).toBe(401);
  });
});

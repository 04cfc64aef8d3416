import { timeOfId } from '../../../domain/ids';
import { inviteDeveloper, newDeveloperEmail } from '../../support/developers';
import { newStudent, signInOn } from '../../support/devices';
import { apiFixture } from '../../support/apiFixture';

const { api, institution, call, sql } = apiFixture();

describe('the events about something', () => {
  const about = async (of: string, query: Record<string, string | number> = {}) => {
    const { status, data } = await api.platform('GET', `/institutions/${institution.id}/events`, { query: { about: of, ...query } });
    expect(status).toBe(200);
    return data;
  };
  const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

  it('are those whose content names an id, or the person with a login email, and no others', async () => {
    const { data: bo } = await call('POST', '/students', { full_name: 'Bo' });
    const { data: ada } = await call('POST', '/students', { full_name: 'Ada' });
    const ofBo = idsOf(await about(String(bo.id)));
    expect(ofBo.length).toBeGreaterThan(1);
    expect(idsOf(await about(String(bo.login_email).toUpperCase()))).toEqual(ofBo);
    expect(idsOf(await about(String(ada.id))).filter((id) => ofBo.includes(id))).toEqual([]);
    const { items, total, note } = await about(String(bo.id), { type: 'student.created' });
    expect([items.map(({ type }: { type: string }) => type), total, note]).toEqual([['student.created'], 1, null]);
  });

  it('are walked by cursor, each once', async () => {
    const { data: bo } = await call('POST', '/students', { full_name: 'Bo' });
    const all = idsOf(await about(String(bo.id)));
    const first = await about(String(bo.id), { cursor: '', limit: 1 });
    const second = await about(String(bo.id), { cursor: first.next_cursor, limit: 200 });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(all);
  });

  it('say why there are none: an id that is cut off, or a login email that nobody has here', async () => {
    expect(await about('stu_01jd')).toMatchObject({ items: [], note: expect.stringContaining('it was cut off') });
    const other = await api.institution();
    const { data: stranger } = await api.call('POST', '/students', { key: other.apiKey, body: { full_name: 'Eve' } });
    expect(await about(String(stranger.login_email))).toMatchObject({ items: [], note: `Nobody of this institution has the login email ${String(stranger.login_email)}.` });
    expect(await about('exm_01jd4k6f2mep2s5xg5yhc8m1zr')).toMatchObject({ items: [], note: null });
  });
});

describe('the search', () => {
  const search = async (q: string) => (await api.platform('GET', '/search', { query: { q } })).data;

  it('finds the writes of a request in the audit log, and says of any other request what is known', async () => {
    const { data, headers } = await call('POST', '/groups', { name: 'Robotics' });
    const { items } = await search(headers.get('x-request-id') ?? '');
    expect(items).toEqual([expect.objectContaining({
      kind: 'audited call', institution_id: institution.id, state: 'createGroup', description: `createGroup (POST /v1/groups) by key “test” ${institution.keyId}; created ${String(data.id)}`,
    })]);
    expect(JSON.stringify(items)).not.toContain(String(data.name));
    const read = await call('GET', '/groups');
    const id = read.headers.get('x-request-id') ?? '';
    const { items: none, note } = await search(id);
    expect(none).toEqual([]);
    expect(note).toContain(`The audit log has no write of the request ${id}.`);
    expect(note).toContain(`The request came at ${timeOfId(id)?.toISOString() ?? ''}, by the time in the id.`);
  });

  it('names a developer, and says how far an invitation of a guardian is', async () => {
    const { data: developer } = await inviteDeveloper(api, institution, newDeveloperEmail(), { name: 'Kim Lee' });
    expect((await search(developer.id)).items).toEqual([expect.objectContaining({ kind: 'developer', state: 'invited', description: 'Kim Lee' })]);
    const { data: student } = await call('POST', '/students', { full_name: 'Ada Lovelace' });
    const { data: link } = await call('POST', '/guardians', { student_id: student.id, guardian_email: 'anne@example.org', guardian_type: 'mother' });
    const stateAfter = async (change: string): Promise<unknown> => {
      await sql(`UPDATE guardian_links SET ${change} WHERE id = $1`, [link.id]);
      return (await search(link.id)).items[0].state;
    };
    expect(await stateAfter('invitation = invitation')).toBe('invited');
    expect(await stateAfter('accepted_at = invited_at')).toBe('accepted');
    expect(await stateAfter("expires_at = now() - interval '1 minute'")).toBe('expired');
    expect(await stateAfter('verified_at = accepted_at')).toBe('verified');
  });
});

describe('the account of a person who is found', () => {
  const accountOf = async (q: string) => (await api.platform('GET', '/search', { query: { q } })).data.items[0].account;

  it('has the license, and whether an address is mapped or an enrolment code is needed to name one', async () => {
    const { data: ada } = await call('POST', '/students', { full_name: 'Ada', personal_email: 'ada@mail.example' });
    expect(await accountOf(String(ada.login_email))).toEqual({
      login_email: ada.login_email, personal_email_mapped: true, enrolment_code_required: false, locked_since: null, locked_until: null, suspended: null,
      license: { id: ada.license.id, status: 'active', expires_at: ada.license.expires_at, changed: null }, seats: [],
    });
    const { data: bo } = await call('POST', '/students', { full_name: 'Bo' });
    await sql('UPDATE institutions SET require_enrolment_code = true WHERE id = $1', [institution.id]);
    expect(await accountOf(String(bo.id))).toMatchObject({ personal_email_mapped: false, enrolment_code_required: true });
    expect(await accountOf(String(ada.id))).toMatchObject({ personal_email_mapped: true, enrolment_code_required: false });
  });

  it('has the license as it is now: revoked, or expired by the clock before that is recorded', async () => {
    const [revoked, ended] = [(await call('POST', '/students', { full_name: 'Rita' })).data, (await call('POST', '/students', { full_name: 'Eva' })).data];
    await call('POST', `/licenses/${String(revoked.license.id)}/revoke`);
    await sql("UPDATE licenses SET expires_at = now() - interval '1 minute' WHERE id = $1", [ended.license.id]);
    expect((await accountOf(String(revoked.id))).license).toMatchObject({ id: revoked.license.id, status: 'revoked' });
    expect((await accountOf(String(ended.id))).license).toMatchObject({ id: ended.license.id, status: 'expired' });
  });

  it('says when, by whom and by which request the person was suspended and the license revoked, while that is so', async () => {
    const { data: rita } = await call('POST', '/students', { full_name: 'Rita' });
    const change = async (method: 'POST' | 'PATCH', path: string, body?: object) => {
      const { status, headers } = await call(method, path, body);
      expect(status).toBe(200);
      return expect.stringMatching(new RegExp(`^at \\S+Z by API key “test” ${institution.keyId} \\(request ${headers.get('x-request-id') ?? ''}\\)$`));
    };
    await change('POST', `/students/${String(rita.id)}/reactivate`);
    const changed = await change('POST', `/licenses/${String(rita.license.id)}/revoke`);
    await change('PATCH', `/students/${String(rita.id)}`, { full_name: 'Rita Levi' });
    for (const suspend of [() => change('POST', `/students/${String(rita.id)}/suspend`), () => change('PATCH', `/students/${String(rita.id)}`, { status: 'suspended' })]) {
      expect(await accountOf(String(rita.id))).toMatchObject({ suspended: null, license: { changed } });
      const suspended = await suspend();
      await change('PATCH', `/students/${String(rita.id)}`, { full_name: 'Rita' });
      expect(await accountOf(String(rita.id))).toMatchObject({ suspended, license: { changed } });
      await change('POST', `/students/${String(rita.id)}/reactivate`);
    }
  });

  it('says of an erased person that the erasure suspended them and revoked the license, and who asked for it', async () => {
    const { data: rita } = await call('POST', '/students', { full_name: 'Rita' });
    const { headers } = await call('POST', `/students/${String(rita.id)}/erase`);
    const erased = expect.stringContaining(`by API key “test” ${institution.keyId} (request ${headers.get('x-request-id') ?? ''})`);
    expect(await accountOf(String(rita.id))).toMatchObject({ suspended: erased, license: { status: 'revoked', changed: erased } });
  });

  it('has the active seats, then those that ended and how', async () => {
    const person = await newStudent(api, institution);
    for (const device of ['one', 'two', 'three']) await signInOn(api, institution, person, 'svcapp', device);
    const { seats } = await accountOf(person.id);
    expect(seats.map(({ app, status, ended_at }: Record<string, string | null>) => [app, status, ended_at === null])).toEqual([['svcapp', 'active', true], ['svcapp', 'active', true], ['svcapp', 'evicted', false]]);
  });

  it('is null of what is no person', async () => {
    expect(await accountOf(institution.id)).toBeNull();
  });
});

describe('a seat that is found', () => {
  const find = async (q: string) => (await api.platform('GET', '/search', { query: { q } })).data.items[0];
  const seatsOf = (userId: string) => sql<{ id: string }>('SELECT id FROM seats WHERE user_id = $1 ORDER BY created_at, id', [userId]);

  it('has app, platform and times, and no device; while it is active, no end', async () => {
    const person = await newStudent(api, institution);
    await signInOn(api, institution, person, 'svcapp', 'one');
    const [{ id } = { id: '' }] = await seatsOf(person.id);
    const moment = expect.stringMatching(/^\d{4}-.+Z$/);
    expect(await find(id)).toMatchObject({ kind: 'seat', state: 'active', parent_id: person.id });
    expect((await find(id)).seat).toEqual({ id, app: 'svcapp', platform: 'macos', status: 'active', signed_in_at: moment, last_seen_at: moment, ended_at: null, ended_because: null, replaced_by: null });
    expect((await find(person.id)).seat).toBeNull();
  });

  it('that was evicted names the seat that took its place, also after another sign-in to that one; not where two may have', async () => {
    const person = await newStudent(api, institution);
    for (const device of ['one', 'two', 'three', 'three']) await signInOn(api, institution, person, 'svcapp', device);
    const [oldest, kept, newest] = (await seatsOf(person.id)).map(({ id }) => id);
    const because = 'a sign-in on another device took its place, as a person has two seats in an app';
    expect((await find(oldest ?? '')).seat).toMatchObject({ status: 'evicted', ended_because: `${because}: ${newest}`, replaced_by: newest });
    await sql('UPDATE seats SET created_at = (SELECT ended_at FROM seats WHERE id = $2) WHERE id = $1', [kept, oldest]);
    expect((await find(oldest ?? '')).seat).toMatchObject({ status: 'evicted', ended_because: because, replaced_by: null });
  });

  it('that was revoked names the call, that of the seat before that of another seat of the license', async () => {
    const person = await newStudent(api, institution);
    for (const device of ['one', 'two']) await signInOn(api, institution, person, 'svcapp', device);
    await signInOn(api, institution, person, 'svccode', 'one');
    const [one = '', two = '', three = ''] = (await seatsOf(person.id)).map(({ id }) => id);
    const revoke = async (path: string) => (await call('POST', `/licenses/${person.license.id}${path}`)).headers.get('x-request-id') ?? '';
    const requests = [await revoke(`/devices/${one}/revoke`), await revoke(`/devices/${two}/revoke`), await revoke('/revoke')];
    const reasons = ['the seat was revoked: revokeSeat', 'the seat was revoked: revokeSeat', 'the license was revoked, which ends its seats: revokeLicense'];
    for (const [index, id] of [one, two, three].entries()) {
      const because = new RegExp(`^${reasons[index] ?? ''} at \\S+Z by API key “test” ${institution.keyId} \\(request ${requests[index] ?? ''}\\)$`);
      expect((await find(id)).seat).toMatchObject({ status: 'revoked', ended_because: expect.stringMatching(because), replaced_by: null });
    }
  });

  it('that was signed out was so by the person, unless a call that ends sessions was made at the time', async () => {
    const person = await newStudent(api, institution);
    const { session } = await signInOn(api, institution, person, 'svcapp', 'one');
    expect((await api.platform('DELETE', '/sign-in/sessions/current', { key: session })).status).toBe(200);
    const [{ id } = { id: '' }] = await seatsOf(person.id);
    await call('PATCH', `/students/${person.id}`, { full_name: 'Ada' });
    expect((await find(id)).seat).toMatchObject({
      status: 'signed_out', ended_because: 'by the person: they signed out in the app, changed the address of their codes elsewhere, or opened more than 20 sessions at a time',
    });
    await signInOn(api, institution, person, 'svccode', 'one');
    const { headers } = await call('PATCH', `/students/${person.login_email}`, { status: 'suspended' });
    const [, { id: second } = { id: '' }] = await seatsOf(person.id);
    const because = new RegExp(`^its session ended, within a minute of a call that set the status or the address of the person: updateStudent at \\S+Z by API key “test” ${institution.keyId} \\(request ${headers.get('x-request-id') ?? ''}\\)$`);
    expect((await find(second)).seat).toMatchObject({ status: 'signed_out', ended_because: expect.stringMatching(because) });
  });
});

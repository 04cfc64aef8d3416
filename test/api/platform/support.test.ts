import { idPrefixes, newId, timeOfId } from '../../../domain/ids';
import { searchedPrefixes } from '../../../db/repositories/support/search';
import { createResource } from '../../support/resourceFactories';
import { seedCouponBatch } from '../../support/seed/coupons';
import { seedDelivery } from '../../support/seed/deliveries';
import { seedEndpoint } from '../../support/seed/endpoints';
import { seedEvents } from '../../support/seed/events';
import { seedLicense } from '../../support/seed/licenses';
import { apiFixture } from '../../support/apiFixture';
import { minutesAgo } from '../../support/time';

const { api, institution, call, sql, createStudents, createGroup, createExam } = apiFixture();

const search = async (q: string) => {
  const { status, data } = await api.platform('GET', '/search', { query: { q } });
  expect(status).toBe(200);
  return data;
};

describe('the search', () => {
  it('says of an id of any kind what it is, of which institution, and when it was created', async () => {
    const [student = ''] = await createStudents(1);
    const endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/in');
    const license = await seedLicense(api, institution);
    const ids: Record<string, string> = {
      institution: institution.id, 'API key': institution.keyId, student, 'faculty member': institution.adminId, group: await createGroup([student]),
      exam: String((await createExam()).id), license: license.id, 'webhook endpoint': endpoint, 'webhook delivery': await seedDelivery(api, institution, endpoint),
      event: (await seedEvents(api, institution, { createdAt: minutesAgo(1) }))[0] ?? '', 'coupon batch': await seedCouponBatch(api, institution),
    };
    for (const [kind, id] of Object.entries(ids)) {
      const { items, note } = await search(id);
      expect([kind, items, note]).toEqual([kind, [expect.objectContaining({ kind, id, institution_id: institution.id, institution_name: 'North School' })], null]);
      expect(new Date(items[0].created_at).getTime()).toBeGreaterThan(Date.now() - 600_000);
    }
  });

  it('names what it found', async () => {
    const endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/in');
    const described = await seedEndpoint(api, institution, 'https://hooks.north.example/in', { description: 'Gradebook' });
    const { data: ada } = await call('POST', '/students', { full_name: 'Ada' });
    const { data: group } = await call('POST', '/groups', { name: 'Robotics' });
    const { data: exam } = await call('POST', '/exams', { faculty_id: institution.adminId, title: 'Algebra', time_limit_minutes: 60 });
    const { data: key } = await api.platform('POST', `/institutions/${institution.id}/keys`, { body: { name: 'SIS sync', scopes: ['students:read'] } });
    const found = async (id: unknown) => {
      const { items: [{ state, description }] } = await search(String(id));
      return [state, description];
    };
    expect(await Promise.all([endpoint, described, ada.id, ada.login_email, group.id, exam.id, key.key_id, institution.id, ada.license.id].map(found))).toEqual([
      ['active', 'https://hooks.north.example/in'], ['active', 'Gradebook'], ['pending', 'Ada'], ['pending', 'Ada'], [null, 'Robotics'], ['published', 'Algebra'], ['active', 'SIS sync'], ['approved', null], ['active', `student, until ${ada.license.expires_at.slice(0, 19)}Z`],
    ]);
    await sql('UPDATE api_keys SET expires_at = now() WHERE id = $1', [key.key_id]);
    expect(await found(key.key_id)).toEqual(['expired', 'SIS sync']);
  });

  it('looks up every kind of id that there is; only of disclosures, of which there are too many, and of requests not by their own row', () => {
    expect([...searchedPrefixes, 'dsc', 'req'].sort()).toEqual([...idPrefixes].sort());
  });

  it('finds a sign-in, an enrolment code and the change of a mailbox with the person whose they are', async () => {
    const { data: ada } = await call('POST', '/students', { full_name: 'Ada' });
    const at = '2026-11-20T09:30:00Z';
    const [signIn, code, change] = (['sgn', 'enc', 'mbx'] as const).map((prefix) => newId(prefix));
    await sql("INSERT INTO sign_ins (id, institution_id, user_id, at, result) VALUES ($1, $2, $3, $4, 'wrong_code')", [signIn, institution.id, ada.id, at]);
    await sql("INSERT INTO enrolment_codes (user_id, institution_id, id, code_hmac, created_at, expires_at) VALUES ($1, $2, $3, '\\x00', $4, now() + interval '1 day')", [ada.id, institution.id, code, at]);
    await sql("INSERT INTO mailbox_changes (id, institution_id, user_id, email_sealed, code_hmac, created_at, expires_at) VALUES ($1, $2, $3, 'sealed', '\\x00', $4, now() - interval '1 day')", [change, institution.id, ada.id, at]);
    const found = await Promise.all([signIn, code, change].map(async (id) => (await search(String(id))).items));
    expect(found).toEqual([['sign-in', 'wrong_code'], ['enrolment code', 'active'], ['change of a mailbox', 'expired']].map(([kind, state]) => [
      expect.objectContaining({ kind, state, parent_id: ada.id, institution_id: institution.id, created_at: '2026-11-20T09:30:00.000Z' }),
    ]));
  });

  it('looks up each kind in one statement, which Postgres can run', async () => {
    for (const prefix of searchedPrefixes) {
      const { items, note } = await search(`${prefix}_01jd4k6f2mep2s5xg5yhc8m1zr`);
      expect([prefix, items, note]).toEqual([prefix, [], expect.stringContaining(`with the id ${prefix}_01jd4k6f2mep2s5xg5yhc8m1zr.`)]);
    }
  });

  it.each([
    ['attempt', 'attempt'], ['curriculum', 'curriculum'], ['enrollment', 'enrollment'], ['guardian', 'guardian link'], ['seat', 'seat'], ['submission', 'submission'],
  ] as const)('finds a thing of the kind %s', async (resource, kind) => {
    const id = await createResource[resource](api, institution);
    expect((await search(id)).items).toEqual([expect.objectContaining({ kind, id, institution_id: institution.id })]);
  });

  it('finds a person by login email, and not by personal email', async () => {
    const { data } = await call('POST', '/students', { full_name: 'Ada', personal_email: 'ada@mail.example' });
    expect((await search(String(data.login_email).toUpperCase())).items).toEqual([expect.objectContaining({ kind: 'student', id: data.id })]);
    const { items, note, looked_for } = await search('ada@mail.example');
    expect([items, looked_for]).toEqual([[], 'person, by login email']);
    expect(note).toBe('Nobody has this login email now. No institution has its domain. Personal emails are stored encrypted and are not searched.');
    expect((await search(`erased.before@${institution.loginDomain}`)).note).toBe(`Nobody has this login email now. It is not kept of a person who was erased: the audit log of North School (${institution.id}) has each erasure, by the operations eraseStudent and eraseFaculty. Personal emails are stored encrypted and are not searched.`);
  });

  it('takes what surrounds an id in an email, and the ids of workflows', async () => {
    const endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/in');
    const delivery = await seedDelivery(api, institution, endpoint);
    const student = await createResource.student(api, institution);
    for (const [typed, id] of [[` "${delivery}". `, delivery], [delivery.toUpperCase(), delivery], [`${delivery}:2`, delivery], [`${endpoint}:3@main-2`, endpoint], [`${institution.id}:reset:1`, institution.id], [`offboard_${institution.id}:1`, institution.id], [`erase_${student}:1`, student], [`export_${student}:2@main-2`, student]] as const) {
      const { query, items } = await search(typed);
      expect([typed, query, items.map((found: { id: string }) => found.id)]).toEqual([typed, id, [id]]);
    }
    expect((await search(institution.loginDomain)).items).toEqual([expect.objectContaining({ id: institution.id })]);
    expect(await search('half an i')).toMatchObject({ items: [], looked_for: 'anything, by id, login email or login domain' });
  });

  it("is the platform's alone", async () => {
    for (const path of ['/search?q=x', `/institutions/${institution.id}/events`, '/events/evt_none']) {
      expect((await api.platform('GET', path, { headers: { 'x-actor': institution.adminId } })).status).toBe(403);
    }
  });
});

it('the time of an id is that at which it was made', () => {
  const before = Date.now();
  expect(timeOfId(newId('stu'))?.getTime()).toBeGreaterThanOrEqual(before);
  expect(timeOfId('stu_01jd4k6f2mep2s5xg5yhc8m1zr')?.toISOString()).toBe('2024-11-20T10:51:54.836Z');
  expect([timeOfId('stu_none'), timeOfId('constructor')]).toEqual([undefined, undefined]);
});

describe('the events of an institution', () => {
  const list = async (query: Record<string, string> = {}) => (await api.platform('GET', `/institutions/${institution.id}/events`, { query })).data.items;

  it('are listed with their deliveries, by type and time', async () => {
    const [graded = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(60) });
    const [published = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(30), type: 'exam.published' });
    const endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/in');
    const delivery = await seedDelivery(api, institution, endpoint, { eventId: graded, status: 'dead' });
    expect(await list({ type: 'exam.graded' })).toEqual([
      { id: graded, type: 'exam.graded', created_at: expect.any(String), deliveries: [{ id: delivery, endpoint_id: endpoint, status: 'dead' }] },
    ]);
    const ids = async (query: Record<string, string>) => (await list(query)).map(({ id }: { id: string }) => id);
    expect(await ids({ since: minutesAgo(61).toISOString(), until: minutesAgo(1).toISOString() })).toEqual([published, graded]);
    expect(await ids({ until: minutesAgo(45).toISOString() })).toEqual([graded]);
    const other = await api.institution();
    expect(JSON.stringify((await api.platform('GET', `/institutions/${other.id}/events`)).data)).not.toContain(graded);
  });
});

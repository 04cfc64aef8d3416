import { createHash } from 'node:crypto';
import { newId } from '../../../domain/ids';
import { stores } from '../../../domain/erasure/stores';
import { realActors, sandboxActors } from '../../support/actors';
import { codeFor, deviceNamed } from '../../support/devices';
import { erasureFixture } from '../../support/erasureFixture';
import { eventually } from '../../support/eventually';
import { publishedCurriculum, chainOf } from '../../support/curricula';
import { seedAttemptFile } from '../../support/seed/files';
import { codeEmailFor, codeIn } from '../../support/signInCodes';

const fixture = erasureFixture();
const { api, institution, sql, call } = fixture;

/** A text that is nowhere else. */
const newText = (what: string): string => `${what}-${newId('req').slice(4)}`;

/** A name that is nowhere else. */
const newName = (): string => `Quillonia ${newId('req').slice(4)}`;
const newAddress = (): string => `${newText('mailbox')}@mail.example`;

const withKey = (method: string, path: string, body: object, key = institution.apiKey) => api.call(method, path, { key, body, headers: { 'idempotency-key': newId('req') } });

/** Sums and statistics; suspended students are on no leaderboard. */
const totals = async (studentId: string, examId: string, groupId: string) => {
  const read = async (path: string) => (await call('GET', path)).data;
  const [sums] = await sql(
    `SELECT (SELECT sum(amount_cents)::int FROM merit_moves WHERE institution_id = $1) AS moved, (SELECT sum(balance_cents)::int FROM wallets WHERE institution_id = $1) AS wallets,
            (SELECT sum(points)::int FROM alpha_points WHERE institution_id = $1) AS points, (SELECT sum(score)::float8 FROM submissions WHERE institution_id = $1) AS scores,
            (SELECT count(*)::int FROM attempt_events WHERE institution_id = $1) AS events, (SELECT count(*)::int FROM attempts WHERE institution_id = $1) AS attempts,
            (SELECT sum(focus_losses)::int FROM attempts WHERE institution_id = $1) AS focus_losses, (SELECT sum(seconds_away)::float8 FROM attempts WHERE institution_id = $1) AS seconds_away`,
    [institution.id],
  );
  const exam = await read(`/exams/${examId}`);
  const people = (await read('/institution')).users;
  return {
    sums, people, stats: exam.stats, analytics: await read(`/exams/${examId}/analytics`), allowance: await read('/merits/allowance'),
    points: (await read(`/alpha/students/${studentId}/points`)).stats, members: (await read(`/groups/${groupId}`)).members.length,
  };
};

it('of an erased student nothing is found in any table, file, key, history, log or metric; totals are as before, and the certificate lists it', async () => {
  const [name, olderName, externalId, address] = [newName(), newName(), newText('SIS'), newAddress()];
  const guardian = { name: newName(), address: newAddress() };
  const [device, essay, usage, feedback, detail, filename, bytes, reason, note, echoed, recording] =
    ['device', 'essay', 'usage', 'feedback', 'detail', 'filename', 'bytes', 'reason', 'note', 'echoed', 'recording'].map(newText) as [string, string, string, string, string, string, string, string, string, string, string];
  const actors = realActors(api, institution);
  fixture.receiver.respond = ({ body }) => ({ status: 500, body: `${echoed} ${name} ${body}`.slice(0, 900) });
  const { data: endpoint } = await call('POST', '/webhooks/endpoints', { url: fixture.receiver.url, events: ['student.*', 'exam.*'] });

  const bulk = await withKey('POST', '/students/bulk', { students: [{ full_name: olderName, student_id: externalId, personal_email: address }] });
  const id: string = bulk.data.results[0].id;
  const { data: student } = await withKey('PATCH', `/students/${id}`, { full_name: name });
  expect([bulk.status, student.full_name]).toEqual([200, name]);
  await call('POST', '/students/bulk', { students: [{ full_name: name, student_id: externalId, personal_email: address }] });
  const invited = await withKey('POST', '/guardians', { student_id: id, guardian_email: guardian.address, guardian_type: 'mother', guardian_name: guardian.name, is_primary: true });
  expect(invited.status).toBe(200);
  await actors.acceptInvitation(invited.data);
  await actors.signInGuardian({ ...invited.data, guardian_email: guardian.address });
  await actors.signIn(student, { app: 'svcapp', device: deviceNamed(device) });
  await codeFor(api, institution, student);

  await api.platform('PUT', `/institutions/${institution.id}/allowance`, { body: { allowance_cents: 10_000 } });
  await withKey('POST', '/merits/credits', { email: student.login_email, amount_cents: 500, reason, ref: newId('req') });
  const curriculum = await publishedCurriculum(api, { 'x-actor': institution.adminId }, { concepts: chainOf(2) });
  await call('POST', '/alpha/enrollments', { curriculum_id: curriculum, student_ids: [id] });
  await withKey('POST', `/alpha/students/${id}/points`, { points: 25, note, ref: newId('req') });

  const group = await fixture.createGroup([id]);
  const exam = await fixture.createExam({ group_ids: [group], time_limit_minutes: 60 });
  const attempt = (await actors.startAttempt(student, exam.id)).data.id;
  const recorded = await actors.recordEvents(student, attempt, [
    { id: 'e1', type: 'focus_lost', at: new Date().toISOString(), detail: { window: detail } },
    { id: 'e2', type: 'focus_gained', at: new Date().toISOString(), detail: { away_seconds: 3, window: detail } },
  ]);
  expect(recorded.status).toBe(200);
  const file = await seedAttemptFile(api, institution, attempt, { filename: `${filename}.pdf`, bytes: Buffer.from(bytes) });
  await seedAttemptFile(api, institution, attempt, { kind: 'recording', filename: `${recording}.webm`, bytes: Buffer.from(recording) });
  await seedAttemptFile(api, institution, attempt, { status: 'storing', filename: `${filename}.part`, bytes: Buffer.from(bytes) });
  const submitted = await actors.submit(student, attempt, { text: essay, attachments: [{ name: `${filename}.pdf`, file: { id: file } }], ai_usage_data: { total_interactions: 1, models_used: [usage] } });
  expect([submitted.status, submitted.body.message]).toEqual([200, undefined]);
  expect((await withKey('POST', `/submissions/${submitted.data.id}/grade`, { score: 80, feedback })).status).toBe(200);
  await eventually('a response that echoes', async () => (await sql('SELECT 1 FROM webhook_attempts WHERE endpoint_id = $1 AND response_body IS NOT NULL', [endpoint.id])).length > 3);

  const values = [
    name, olderName, externalId, address, student.login_email, guardian.name, guardian.address, device, essay, usage, feedback, detail, filename, bytes, recording, reason, note, echoed,
  ];
  const before = await fixture.whereAre(values);
  const tables = [...new Set(before.map((place) => place.split(':')[0]))];
  expect(tables).toEqual(expect.arrayContaining([
    'files', 'table alpha_points', 'table attempt_events', 'table events', 'table files', 'table guardian_links', 'table idempotency_keys', 'table institution_emails', 'table merit_moves',
    'table provisioning_rows', 'table seats', 'table sign_in_codes', 'table submission_attachments', 'table submissions', 'table users', 'table webhook_attempts',
  ]));
  expect(values.filter((value) => !before.some((place) => place.endsWith(`: ${value}`)))).toEqual([]);
  expect(before.filter((place) => /^(?:history|redis|log|metrics)/.test(place))).toEqual([]);
  const totalsBefore = await totals(id, exam.id, group);
  // What is sent from now on is not about these values any more.
  fixture.receiver.respond = () => 200;

  const erasure = await fixture.erase(`/students/${student.login_email}`, { idempotencyKey: newId('req'), id });
  expect(await fixture.whereAre(values)).toEqual([]);
  const { people, ...unchanged } = await totals(id, exam.id, group);
  const { people: peopleBefore, ...unchangedBefore } = totalsBefore;
  expect(unchanged).toEqual(unchangedBefore);
  expect(Object.keys(people)).toEqual(Object.keys(peopleBefore));

  const after = (await call('GET', `/students/${id}`)).data;
  expect(after).toMatchObject({ id, full_name: 'Erased student', student_id: null, status: 'suspended', personal_email_mapped: false, erased_at: erasure.requested_at });
  expect(after.license.status).toBe('revoked');
  expect(after.login_email).toMatch(new RegExp(`^erased\\.[0-9a-f]{8}@${institution.loginDomain}$`));
  const created = (await call('GET', '/events?type=student.created')).data.items;
  expect(created.map(({ data }: { data: { login_email: string } }) => data.login_email)).toContain(after.login_email);

  expect(erasure.removed.map(({ store }: { store: string }) => store)).toEqual(['profile', 'guardian_links', ...Object.keys(stores)]);
  const counts = Object.fromEntries(erasure.removed.map(({ store, count }: { store: string; count: number }) => [store, count]));
  for (const store of ['profile', 'guardian_links', 'login_email', 'sessions', 'sign_in_codes', 'devices', 'submissions', 'proctoring', 'notes', 'bulk_calls', 'events', 'webhook_responses', 'stored_responses']) {
    expect([store, counts[store] > 0]).toEqual([store, true]);
  }
  expect(counts.files).toBe(3);
  const { text, sha256 } = erasure.certificate;
  expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
  expect(JSON.parse(text)).toMatchObject({ erasure: `erase_${id}:1`, person_id: id, kind: 'student', completed_at: erasure.completed_at, removed: erasure.removed });
});

it('of an erased student of a sandbox nothing is found, kept emails included', async () => {
  const sandbox = await api.sandboxOf(institution);
  const [name, guardianName, guardianAddress] = [newName(), newName(), newAddress()];
  const created = await withKey('POST', '/students', { full_name: name, personal_email: newAddress() }, sandbox.apiKey);
  const student = created.data;
  await api.platform('POST', '/sign-in/codes', { key: undefined, body: { login_email: student.login_email } });
  await withKey('POST', '/guardians', { student_id: student.id, guardian_email: guardianAddress, guardian_type: 'father', guardian_name: guardianName }, sandbox.apiKey);
  await sandboxActors(api, sandbox).signIn(student, { app: 'svcapp', device: deviceNamed('d') });
  await eventually('kept emails', async () => (await sql('SELECT 1 FROM sandbox_emails WHERE institution_id = $1', [sandbox.id])).length >= 2);
  const values = [name, guardianName, guardianAddress, student.login_email];
  expect(await fixture.whereAre(values)).toEqual(expect.arrayContaining([`table sandbox_emails: ${name}`, `table sandbox_emails: ${student.login_email}`]));
  await fixture.erase(`/students/${student.id}`, { institution: sandbox });
  expect(await fixture.whereAre(values)).toEqual([]);
});

it('of an erased student who has claimed the account, mistyped a code and asked for another mailbox nothing is found', async () => {
  const [name, claimed, wanted] = [newName(), newAddress(), newAddress()];
  const client = '203.0.113.177';
  const headers = { 'x-forwarded-for': client };
  const { data: student } = await withKey('POST', '/students', { full_name: name });
  const { data: enrolment } = await withKey('POST', `/students/${student.id}/enrolment-code`, {});
  const anybody = (path: string, body: object) => api.platform('POST', path, { key: undefined, headers, body: { login_email: student.login_email, ...body } });
  await anybody('/sign-in/codes', { personal_email: claimed });
  const code = codeIn(await codeEmailFor(api, student.login_email));
  const sentEmails = (): Promise<boolean> =>
    eventually('no sent email waits any more', async () => (await sql('SELECT 1 FROM sign_in_emails WHERE institution_id = $1', [institution.id])).length === 0);
  await sentEmails();
  expect((await anybody('/sign-in/sessions', { code: code === '000000' ? '000001' : '000000' })).status).toBe(401);
  const { data: signedIn } = await anybody('/sign-in/sessions', { code });
  expect((await api.platform('POST', '/me/mailbox', { key: signedIn.session, body: { email: wanted } })).status).toBe(200);
  await sentEmails();
  const values = [name, claimed, wanted, student.login_email, enrolment.code, client];
  const before = await fixture.whereAre(values);
  expect(before).toEqual(expect.arrayContaining([
    `table users: ${claimed}`, `table mailbox_changes: ${wanted}`, `table account_claims: ${client}`, `table sign_ins: ${client}`, `table idempotency_keys: ${enrolment.code}`,
  ]));
  expect(await sql('SELECT 1 FROM enrolment_codes WHERE user_id = $1', [student.id])).toHaveLength(1);
  const erasure = await fixture.erase(`/students/${student.id}`);
  // The limit of sign-ins counts client addresses, anybody's, for two minutes.
  expect((await fixture.whereAre(values)).filter((place) => place !== `redis: ${client}`)).toEqual([]);
  expect(await sql('SELECT 1 FROM enrolment_codes WHERE user_id = $1', [student.id])).toEqual([]);
  const counts = Object.fromEntries(erasure.removed.map(({ store, count }: { store: string; count: number }) => [store, count]));
  expect(counts).toMatchObject({ sign_in_codes: 3, sign_ins: 3 });
});

it('of an erased faculty member nothing is found; what they own stays', async () => {
  const [name, hr, employee, address] = [newName(), newText('HR'), newText('employee'), newAddress()];
  const { data: member } = await withKey('POST', '/faculty', { full_name: name, faculty_id: hr });
  const code = await codeFor(api, institution, member);
  const { data: signedIn } = await api.platform('POST', '/sign-in/sessions', { key: undefined, body: { login_email: member.login_email, code } });
  const profile = { employee_id: employee, department: 'Mathematics', position: 'Lecturer', email: address };
  expect((await api.platform('POST', '/me/profile', { key: signedIn.session, body: profile })).status).toBe(200);
  const { data: group } = await withKey('POST', '/groups', { name: 'Class 7b', faculty_id: member.login_email });
  const values = [name, hr, employee, address, member.login_email];
  const before = await fixture.whereAre(values);
  expect(values.filter((value) => !before.some((place) => place.endsWith(`: ${value}`)))).toEqual([]);
  await fixture.erase(`/faculty/${member.id}`);
  expect(await fixture.whereAre(values)).toEqual([]);
  expect((await call('GET', `/faculty/${member.id}`)).data).toMatchObject({ full_name: 'Erased faculty member', faculty_id: null, status: 'suspended' });
  expect((await call('GET', `/groups/${group.id}`)).data.faculty_id).toBe(member.id);
});

it('of an erased guardian nothing is found, by any of their links', async () => {
  const [name, address] = [newName(), newAddress()];
  const actors = realActors(api, institution);
  const students = await fixture.createStudents(2);
  const links = await Promise.all(students.map(async (student_id) => (await withKey('POST', '/guardians', { student_id, guardian_email: address, guardian_type: 'mother', guardian_name: name })).data));
  await actors.acceptInvitation(links[0]);
  await actors.signInGuardian({ ...links[0], guardian_email: address });
  const before = await fixture.whereAre([name, address]);
  expect(before).toEqual(expect.arrayContaining([`table users: ${address}`, `table guardian_links: ${name}`, `table idempotency_keys: ${address}`]));
  const erasure = await fixture.erase(`/guardians/${links[1].id}`);
  expect(await fixture.whereAre([name, address])).toEqual([]);
  expect((await call('GET', `/guardians/${links[0].id}/erasure`)).data).toEqual(erasure);
  expect((await call('GET', '/guardians')).data.items).toEqual([]);
});

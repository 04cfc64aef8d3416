import { newId } from '../../../domain/ids';
import { openSession } from '../../../domain/signIn/sessions';
import { transact } from '../../../domain/transact';
import { systemCaller } from '../api';
import type { ApiFixture } from '../apiFixture';
import { chainOf, publishedCurriculum } from '../curricula';
import { inviteDeveloper } from '../developers';
import { newGuardianEmail } from '../guardians';
import { addStaffMember } from '../staff';
import { minutesAgo } from '../time';
import { seedAuditLog } from './auditLog';
import { seedCoupons } from './coupons';
import { seedDisclosures } from './disclosures';
import { seedDeadDeliveries } from './deliveries';
import { seedEndpoint } from './endpoints';
import { seedAssignments } from './exams';
import { seedGroup } from './groups';
import { seedGuardian } from './guardians';
import { seedLicense } from './licenses';
import { seedStudents } from './students';
import { seedSubmission } from './submissions';

/** An institution whose every list has several rows, most of them of the same moment. */
export interface EveryList {
  /** What the parameters of a list's path are, by the path. */
  params: Record<string, Record<string, string>>;
  /** The session that a list of the apps is asked with, by the path. */
  sessions: Record<string, string>;
}

const rows = 5;
const nth = Array.from({ length: rows }, (_, index) => index + 1);

/** Seeds at least five rows for every list of both APIs. */
export async function seedEveryList({ api, institution, sql, call, createExam }: ApiFixture): Promise<EveryList> {
  const own = [institution.id];
  const each = <Result>(seed: (n: number) => Promise<Result>): Promise<Result[]> => Promise.all(nth.map(seed));
  const session = async (userId: string, kind: 'student' | 'guardian'): Promise<string> =>
    (await transact(api.api.domain, systemCaller(institution.id), (tx) => openSession(tx, userId, kind))).token;

  const students = await seedStudents(api, institution, rows, newId('stu').slice(-8));
  const [student = ''] = students;
  const groups = await each(() => seedGroup(api, institution, students));
  const exams = (await each(() => createExam())).map(({ id }) => String(id));
  const [exam = ''] = exams;
  for (const id of exams) await seedAssignments(api, institution, id, groups);
  const submissions = await Promise.all(students.map((studentId) => seedSubmission(api, institution, { examId: exam, studentId })));
  const [submission = ''] = submissions;
  await sql(
    `INSERT INTO attempt_events (attempt_id, id, institution_id, type, at, detail)
     SELECT s.attempt_id, 'e' || n, $1, 'focus_gained', now(), jsonb_build_object('away_seconds', n) FROM submissions s, generate_series(1, $3::int) n WHERE s.id = $2`,
    [...own, submission, rows],
  );

  const { id: license } = await seedLicense(api, institution);
  await sql(
    `INSERT INTO activations (institution_id, license_id, device_id, device_name, platform, app_version, first_seen_at, last_seen_at)
     SELECT $1, $2, 'device' || n, 'Lab', 'linux', '1.0', now(), now() FROM generate_series(1, $3::int) n`,
    [...own, license, rows],
  );

  const address = newGuardianEmail();
  const links = await Promise.all(students.map((id) => seedGuardian(api, institution, id, address)));
  await each(() => seedGuardian(api, institution, student, newGuardianEmail()));
  const [guardian] = await sql<{ guardian_id: string }>('SELECT guardian_id FROM guardian_links WHERE id = $1', [links[0]]);
  await sql(
    `INSERT INTO weekly_reports (id, institution_id, student_id, week, minutes, days_met, points, points_balance, concepts_mastered, streak_days, badges, created_at)
     SELECT 'rep_' || s || n, $1, s, '2026-01-05'::date + 7 * n, 1, 1, 1, 1, 1, 1, '{}', now() FROM unnest($2::text[]) s, generate_series(1, $3::int) n`,
    [...own, students, rows],
  );

  const curricula = await each(() => publishedCurriculum(api, { 'x-actor': institution.adminId }, { concepts: chainOf(3) }));
  for (const curriculum_id of curricula) await call('POST', '/alpha/enrollments', { curriculum_id, student_ids: students });
  await each((n) => call('POST', `/alpha/students/${student}/points`, { points: n, ref: newId('pts') }));

  const { id: batch } = await seedCoupons(api, institution, { total_coupons: rows });
  await each(() => seedCoupons(api, institution, { total_coupons: 1 }));
  await sql(`UPDATE coupons SET redeemed_by = $2, redeemed_at = now() WHERE batch_id = $1`, [batch, student]);
  await api.platform('PUT', `/institutions/${institution.id}/allowance`, { body: { allowance_cents: 10_000 } });
  await each(() => call('POST', '/merits/credits', { email: student, amount_cents: 5, ref: newId('req') }));

  const [endpoint = ''] = await each(() => seedEndpoint(api, institution, 'https://hooks.example.org/in', { failingSince: minutesAgo(1) }));
  await seedDeadDeliveries(api, institution, endpoint, rows);
  await seedAuditLog(api, institution, { at: new Date(), count: rows });
  const [teacher] = await each(() => call('POST', '/faculty', { full_name: 'Grace Hopper' }));
  // People whose data no other list is asked for: reads of it would be rows of these.
  const [readStudent, readTeacher] = [students[1] ?? '', String(teacher?.data.id)];
  for (const person of [readStudent, readTeacher]) await seedDisclosures(api, institution, person, rows);
  await each(() => inviteDeveloper(api, institution));
  await each(() => api.keyFor(institution, ['students:read']));

  await sql(
    `INSERT INTO sign_ins (id, institution_id, user_id, at, result) SELECT 'sgn_' || u || n, $1, u, date_trunc('milliseconds', now()), 'wrong_code' FROM unnest($2::text[]) u, generate_series(1, $3::int) n`,
    [...own, [student, institution.adminId], rows],
  );
  const sandbox = await api.sandboxOf(institution);
  const ids = Array.from({ length: rows }, (_, nth) => `eml_${nth + 1}`);
  const kept = ids.map((rowId) =>
    api.api.domain.secrets.seal(JSON.stringify({ subject: 'Invitation', text: 'Welcome', links: [] }), { institutionId: sandbox.id, table: 'sandbox_emails', column: 'email_sealed', rowId }));
  await sql(
    `INSERT INTO sandbox_emails (id, institution_id, message_id, kind, recipient_kind, recipient_id, email_sealed, created_at)
     SELECT id, $1, 'message' || id, 'exam_announcement', 'student', $2, sealed, now() FROM unnest($3::text[], $4::text[]) AS m (id, sealed)`,
    [sandbox.id, student, ids, kept],
  );

  const [person] = await each(() => addStaffMember(api));
  await each((n) => api.platform('POST', `/staff/${person?.id ?? ''}/tokens`, { body: { name: `Token ${n}` } }));

  const ofGuardian = await session(guardian?.guardian_id ?? '', 'guardian');
  return {
    params: {
      '/staff/:id/tokens': { id: person?.id ?? '' },
      '/submissions/:id/events': { id: submission },
      '/licenses/:id/devices': { id: license },
      '/students/:id/guardians': { id: student },
      '/students/:id/exams': { id: student },
      '/students/:id/sign-ins': { id: student },
      '/faculty/:id/sign-ins': { id: institution.adminId },
      '/students/:id/disclosures': { id: readStudent },
      '/faculty/:id/disclosures': { id: readTeacher },
      '/institutions/:id/people/:person_id/disclosures': { person_id: readStudent },
      '/faculty/:id/exams': { id: institution.adminId },
      '/exams/:id/assignments': { id: exam },
      '/exams/:id/attempts': { id: exam },
      '/exams/:id/scores': { id: exam },
      '/alpha/students/:id/mastery': { id: student },
      '/alpha/students/:id/points': { id: student },
      '/guardian/students/:id/exams': { id: student },
      '/guardian/students/:id/reports': { id: student },
    },
    sessions: {
      '/guardian/students': ofGuardian,
      '/guardian/students/:id/exams': ofGuardian,
      '/guardian/students/:id/reports': ofGuardian,
      '/app/exams': await session(student, 'student'),
    },
  };
}

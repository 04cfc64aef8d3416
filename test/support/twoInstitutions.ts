import type { Client } from 'pg';

/** One institution's rows: its number is in every id, and each row refers to rows of its own institution. */
const rowsOf = (n: number): string => `
INSERT INTO institutions (id, name, status, login_domain, time_zone, config, created_at, updated_at)
  VALUES ('ins_${n}', 'School ${n}', 'approved', 'school${n}.example', 'UTC', '{}', now(), now());
INSERT INTO users (id, institution_id, kind, full_name, status, personal_email_sealed, personal_email_hmac, created_at, updated_at) VALUES
  ('fac_${n}', 'ins_${n}', 'faculty', 'Teacher', 'active', NULL, NULL, now(), now()), ('stu_${n}', 'ins_${n}', 'student', 'First', 'active', NULL, NULL, now(), now()),
  ('stu_${n}b', 'ins_${n}', 'student', 'Second', 'active', NULL, NULL, now(), now()), ('grd_${n}', 'ins_${n}', 'guardian', NULL, 'active', 'sealed', 'hmac', now(), now());
INSERT INTO institution_emails (login_email, institution_id, user_id, created_at) VALUES ('first@school${n}.example', 'ins_${n}', 'stu_${n}', now());
INSERT INTO licenses (id, institution_id, user_id, license_type, status, max_activations, is_lifetime, created_at, updated_at)
  VALUES ('lic_${n}', 'ins_${n}', 'stu_${n}', 'student', 'active', 2, true, now(), now());
INSERT INTO sessions (id, institution_id, user_id, kind, token_hash, created_at, expires_at) VALUES ('ses_${n}', 'ins_${n}', 'stu_${n}', 'student', 'token${n}', now(), now());
INSERT INTO seats (id, institution_id, user_id, license_id, session_id, app, device_id, device_name, platform, app_version, status, last_seen_at, signed_in_at, created_at)
  VALUES ('sea_${n}', 'ins_${n}', 'stu_${n}', 'lic_${n}', 'ses_${n}', 'svcapp', 'device', 'Laptop', 'linux', '1', 'active', now(), now(), now());
INSERT INTO activations (license_id, device_id, institution_id, device_name, platform, app_version, first_seen_at, last_seen_at)
  VALUES ('lic_${n}', 'device', 'ins_${n}', 'Laptop', 'linux', '1', now(), now());
INSERT INTO enrolment_codes (id, user_id, institution_id, code_hmac, created_at, expires_at) VALUES ('enc_${n}', 'stu_${n}b', 'ins_${n}', 'hmac', now(), now());
INSERT INTO sign_ins (id, institution_id, user_id, at, result) VALUES ('sgn_${n}', 'ins_${n}', 'stu_${n}b', now(), 'signed_in');
INSERT INTO groups (id, institution_id, faculty_id, name, created_at, updated_at) VALUES ('grp_${n}', 'ins_${n}', 'fac_${n}', 'Class', now(), now());
INSERT INTO group_members (group_id, user_id, institution_id, created_at) VALUES ('grp_${n}', 'stu_${n}', 'ins_${n}', now());
INSERT INTO guardian_links (id, institution_id, student_id, guardian_id, guardian_type, is_primary, created_at, updated_at, invited_at, expires_at)
  VALUES ('gdl_${n}', 'ins_${n}', 'stu_${n}', 'grd_${n}', 'mother', true, now(), now(), now(), now());
INSERT INTO exams (id, institution_id, faculty_id, title, exam_type, status, max_score, allow_late_submission, late_penalty_percentage, proctoring, ai_policy, created_at, updated_at)
  SELECT id, 'ins_${n}', 'fac_${n}', 'Algebra', 'exam', 'draft', 20, false, 0, '{}', '{}', now(), now() FROM unnest(ARRAY['exm_${n}', 'exm_${n}b']) AS id;
INSERT INTO exam_assignments (exam_id, group_id, institution_id, created_at) VALUES ('exm_${n}', 'grp_${n}', 'ins_${n}', now());
INSERT INTO attempts (id, institution_id, exam_id, student_id, status, started_at, ended_at) VALUES
  ('att_${n}', 'ins_${n}', 'exm_${n}', 'stu_${n}', 'submitted', now(), now()), ('att_${n}b', 'ins_${n}', 'exm_${n}', 'stu_${n}b', 'submitted', now(), now()),
  ('att_${n}c', 'ins_${n}', 'exm_${n}b', 'stu_${n}', 'submitted', now(), now());
INSERT INTO attempt_events (attempt_id, id, institution_id, type, at) VALUES ('att_${n}', 'one', 'ins_${n}', 'focus_lost', now());
INSERT INTO submissions (id, institution_id, exam_id, student_id, attempt_id, version, status, is_late, submitted_at, updated_at)
  VALUES ('sub_${n}', 'ins_${n}', 'exm_${n}', 'stu_${n}', 'att_${n}', 1, 'submitted', false, now(), now());
INSERT INTO files (id, institution_id, attempt_id, kind, status, filename, content_type, size, sha256, created_at, updated_at)
  VALUES ('fil_${n}', 'ins_${n}', 'att_${n}', 'attachment', 'stored', 'a.pdf', 'application/pdf', 1, repeat('0', 64), now(), now());
INSERT INTO submission_attachments (submission_id, position, file_id, institution_id, name) VALUES ('sub_${n}', 1, 'fil_${n}', 'ins_${n}', 'a.pdf');
INSERT INTO code_secret_releases (institution_id, exam_id, attempt_id, student_id, released_by, released_at) VALUES ('ins_${n}', 'exm_${n}', 'att_${n}', 'stu_${n}', 'key_1', now());
INSERT INTO exam_notices (exam_id, number, institution_id, created_at) VALUES ('exm_${n}', 1, 'ins_${n}', now());
INSERT INTO exam_notice_recipients (exam_id, notice, recipient_id, institution_id, kind, status) VALUES ('exm_${n}', 1, 'stu_${n}', 'ins_${n}', 'student', 'waiting');
INSERT INTO webhook_endpoints (id, institution_id, url, events, status, secret_sealed, created_at, updated_at)
  VALUES ('we_${n}', 'ins_${n}', 'https://receiver.example/', '{*}', 'active', 'sealed', now(), now());
INSERT INTO webhook_rate_limits (endpoint_id, institution_id, next_at) VALUES ('we_${n}', 'ins_${n}', now());
INSERT INTO webhook_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, created_at)
  VALUES ('whd_${n}', 'ins_${n}', 'we_${n}', 'evt_${n}', 'exam.graded', now(), 'delivered', now());
INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms) VALUES ('whd_${n}', 1, 'ins_${n}', 'we_${n}', 1, now(), 12);`;

/** Writes two institutions, `ins_1` and `ins_2`, whose rows refer to each other in every common way. */
export async function seedTwoInstitutions(client: Client): Promise<void> {
  for (const n of [1, 2]) await client.query(rowsOf(n));
}

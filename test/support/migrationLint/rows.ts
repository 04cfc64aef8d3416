/** Rows a table: the rules ask whether rows are read, not how many there are. */
const rows = 500;

const numbers = `generate_series(1, ${rows}) AS n`;

/**
 * Rows of the schema of 0.10.0 in the tables that grow, all of them allowed by its keys, so that later migrations can validate keys
 * of their own. Columns of later releases are for their migrations to fill.
 */
export const rowsOf0100 = `
INSERT INTO institutions (id, name, status, login_domain, time_zone, config, created_at, updated_at)
VALUES ('ins_1', 'North School', 'approved', 'north.example', 'UTC', '{}', '2026-11-20', '2026-11-20'), ('ins_2', 'South School', 'approved', 'south.example', 'UTC', '{}', '2026-11-20', '2026-11-20');

INSERT INTO users (id, institution_id, kind, full_name, status, created_at, updated_at)
VALUES ('fac_1', 'ins_1', 'faculty', 'Sam', 'active', '2026-11-20', '2026-11-20');
INSERT INTO users (id, institution_id, kind, full_name, status, created_at, updated_at)
SELECT 'stu_' || n, 'ins_1', 'student', 'Student ' || n, CASE WHEN n % 10 = 0 THEN 'suspended' ELSE 'active' END, '2026-11-20', '2026-11-20' FROM ${numbers};

INSERT INTO licenses (id, institution_id, user_id, license_type, status, max_activations, is_lifetime, created_at, updated_at)
SELECT 'lic_' || n, 'ins_1', 'stu_' || n, 'student', 'active', 1, true, '2026-11-20', '2026-11-20' FROM ${numbers};

INSERT INTO exams (id, institution_id, faculty_id, title, exam_type, status, max_score, allow_late_submission, late_penalty_percentage, proctoring, ai_policy, created_at, updated_at)
VALUES ('exm_1', 'ins_1', 'fac_1', 'Fractions', 'exam', 'draft', 20, false, 0, '{}', '{}', '2026-11-20', '2026-11-20');
INSERT INTO attempts (id, institution_id, exam_id, student_id, status, started_at, ended_at)
SELECT 'att_00' || n, 'ins_1', 'exm_1', 'stu_' || n, 'submitted', '2026-11-20', '2026-11-20' FROM ${numbers};
INSERT INTO attempt_events (attempt_id, id, institution_id, type, at)
SELECT 'att_00' || n, 'e1', 'ins_1', 'focus_lost', '2026-11-20' FROM ${numbers};
INSERT INTO submissions (id, institution_id, exam_id, student_id, attempt_id, version, status, is_late, submitted_at, updated_at)
SELECT 'sub_' || n, 'ins_1', 'exm_1', 'stu_' || n, 'att_00' || n, 1, 'submitted', false, '2026-11-20', '2026-11-20' FROM ${numbers};
INSERT INTO files (id, institution_id, kind, exam_id, status, filename, content_type, size, sha256, created_at, updated_at)
SELECT 'file_' || n, 'ins_1', 'exam', 'exm_1', 'stored', n || '.pdf', 'application/pdf', 1, repeat('0', 64), '2026-11-20', '2026-11-20' FROM ${numbers};

INSERT INTO webhook_endpoints (id, institution_id, url, events, status, secret_sealed, created_at, updated_at)
VALUES ('we_1', 'ins_1', 'https://receiver.example/', '{*}', 'active', 'sealed', '2026-11-20', '2026-11-20');
INSERT INTO events (id, institution_id, type, created_at, body)
SELECT 'evt_00' || n, 'ins_1', 'exam.graded', timestamptz '2026-11-20' + n * interval '1 ms', '{}' FROM ${numbers};
INSERT INTO webhook_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, attempts, delivered_at, created_at)
SELECT 'whd_00' || n, 'ins_1', 'we_1', 'evt_00' || n, 'exam.graded', '2026-11-20', 'delivered', 1, '2026-11-20', '2026-11-20' FROM ${numbers};
INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms)
SELECT 'whd_00' || n, 1, 'ins_1', 'we_1', 1, '2026-11-20', 12 FROM ${numbers};

INSERT INTO merit_moves (id, institution_id, kind, from_account, to_account, amount_cents, allowance_number, allowance_cents, allowance_credited, created_at)
VALUES ('mov_1', 'ins_1', 'grant', 'platform', 'allowance', 100, 1, 100, 0, '2026-11-20');
INSERT INTO audit_log (id, institution_id, actor_kind, actor_id, operation, method, path, target, changed, request_id)
SELECT 'aud_00' || n, 'ins_1', 'platform', 'platform', 'suspendStudent', 'POST', '/students/{id}/suspend', '{}', '{}', 'req_1' FROM ${numbers};
`;

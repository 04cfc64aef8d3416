import type { KeyEnvironment } from '../../entities/apiKey';
import type { LicenseEntity, LicenseStatus } from '../../entities/license';
import type { InstitutionScope } from '../../database';
import { statement, type Sql } from '../../statement';

/** A person as support sees them: never a personal email. */
export interface FoundPerson {
  name: string | null;
  /** Of a developer, that of the access. */
  status: string;
  login_email: string | null;
  /** Whether a personal email is mapped. */
  personal_email_mapped: boolean;
  /** Whether they need an enrolment code to name one at the first sign-in. */
  enrolment_code_required: boolean;
  license_id: string | null;
  /** As stored: one that has ended may still be active. */
  license_status: LicenseStatus | null;
  license_expires_at: Date | null;
}

const person = statement(
  'support_found_person',
  `SELECT u.full_name AS name, coalesce(d.status, u.status) AS status, e.login_email, u.personal_email_hmac IS NOT NULL AS personal_email_mapped,
          u.kind = 'student' AND u.personal_email_hmac IS NULL AND i.require_enrolment_code AS enrolment_code_required,
          l.id AS license_id, l.status AS license_status, l.expires_at AS license_expires_at
     FROM users u JOIN institutions i ON i.id = u.institution_id LEFT JOIN institution_emails e ON e.user_id = u.id LEFT JOIN licenses l ON l.user_id = u.id
     LEFT JOIN developers d ON d.user_id = u.id
    WHERE u.institution_id = $1 AND u.id = $2`,
);

/** Returns a person of the institution with their license. */
export async function findFoundPerson(scope: InstitutionScope, id: string): Promise<FoundPerson | undefined> {
  const [row] = await scope.sql<FoundPerson>(person, [scope.institutionId, id]);
  return row;
}

/** A revoked key that a developer has made. */
export interface RevokedKey {
  id: string;
  name: string;
  created_by: string;
  revoked_at: Date;
}

/** Maximum number of revoked keys that are shown of a developer. */
const maxRevokedKeys = 20;

const revokedKeys = statement(
  'support_found_revoked_keys',
  `SELECT id, name, created_by, revoked_at FROM api_keys
    WHERE institution_id IN (SELECT i.id FROM institutions i WHERE i.id = $1 OR i.sandbox_of = $1) AND created_by = $2 AND revoked_at IS NOT NULL
    ORDER BY revoked_at DESC, id DESC LIMIT ${maxRevokedKeys}`,
);

/** Returns the keys of the institution and its sandbox that a developer made and that are revoked, the last revoked first; at most 20. */
export function listRevokedKeysOf(scope: InstitutionScope, developerId: string): Promise<RevokedKey[]> {
  return scope.platform.sql<RevokedKey>(revokedKeys, [scope.institutionId, developerId]);
}

/** An invitation of a guardian of a student, as support sees it: never a name or an address. */
export interface FoundGuardianLink {
  id: string;
  invited_at: Date;
  expires_at: Date;
  accepted_at: Date | null;
  verified_at: Date | null;
}

/** Maximum number of guardians that are shown of a student. */
const maxGuardianLinks = 10;

const guardianLinks = statement(
  'support_found_guardian_links',
  `SELECT id, invited_at, expires_at, accepted_at, verified_at FROM guardian_links WHERE institution_id = $1 AND student_id = $2 ORDER BY invited_at DESC, id DESC LIMIT ${maxGuardianLinks}`,
);

/** Returns the guardian links of a student, the newest invitation first; at most 10. */
export function listFoundGuardianLinks(scope: InstitutionScope, studentId: string): Promise<FoundGuardianLink[]> {
  return scope.sql(guardianLinks, [scope.institutionId, studentId]);
}

/** A license as support sees it; the status is as stored: one that has ended may still be active. */
export interface FoundLicense {
  license_type: LicenseEntity['licenseType'];
  status: LicenseStatus;
  expires_at: Date | null;
  user_id: string | null;
}

const license = statement('support_found_license', 'SELECT license_type, status, expires_at, user_id FROM licenses WHERE institution_id = $1 AND id = $2');

/** Returns a license of the institution. */
export async function findFoundLicense(scope: InstitutionScope, id: string): Promise<FoundLicense | undefined> {
  const [row] = await scope.sql<FoundLicense>(license, [scope.institutionId, id]);
  return row;
}

/** A key as support sees it: never the key itself. */
export interface FoundKey {
  name: string;
  environment: KeyEnvironment;
  prefix: string;
  last_four: string;
  scopes: string[];
  created_by: string;
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
}

const key = statement(
  'support_found_key',
  `SELECT name, environment, prefix, last_four, scopes, created_by, last_used_at, expires_at, revoked_at
     FROM api_keys WHERE institution_id = $1 AND id = $2`,
);

/** Returns a key of the institution. */
export async function findFoundKey(scope: InstitutionScope, id: string): Promise<FoundKey | undefined> {
  const [row] = await scope.sql<FoundKey>(key, [scope.institutionId, id]);
  return row;
}

/** A group, exam or submission as support sees it: its name, and the people and things it belongs to. */
export interface FoundWork {
  name: string;
  status: string | null;
  /** Of the exam; null of a group. */
  max_score: number | null;
  faculty_id: string | null;
  exam_id: string | null;
  student_id: string | null;
  /** What has happened to it, and is to happen, and when: null for what has not happened or is not set. */
  moments: readonly (readonly [name: string, at: Date | null])[];
}

const group = statement('support_found_group', 'SELECT name, faculty_id FROM groups WHERE institution_id = $1 AND id = $2');
const exam = statement(
  'support_found_exam',
  'SELECT title AS name, status, max_score::float8 AS max_score, faculty_id, published_at, due_date, closed_at FROM exams WHERE institution_id = $1 AND id = $2',
);
const attempt = statement(
  'support_found_attempt',
  `SELECT x.title AS name, a.status, x.faculty_id, a.exam_id, a.student_id, a.started_at, a.expires_at, a.ended_at
     FROM attempts a JOIN exams x ON x.id = a.exam_id WHERE a.institution_id = $1 AND a.id = $2`,
);
const submission = statement(
  'support_found_submission',
  `SELECT x.title AS name, s.status, x.max_score::float8 AS max_score, x.faculty_id, s.exam_id, s.student_id, x.due_date, s.submitted_at, s.graded_at, a.started_at AS next_began_at, a.expires_at AS next_ends_at
     FROM submissions s JOIN exams x ON x.id = s.exam_id
     LEFT JOIN attempts a ON a.institution_id = s.institution_id AND a.exam_id = s.exam_id AND a.student_id = s.student_id AND a.status = 'in_progress'
    WHERE s.institution_id = $1 AND s.id = $2`,
);

type WorkOf = (scope: InstitutionScope, id: string) => Promise<FoundWork | undefined>;

const groupWork: WorkOf = async ({ sql, institutionId }, id) => {
  const [row] = await sql<{ name: string; faculty_id: string }>(group, [institutionId, id]);
  return row && { ...row, status: null, max_score: null, exam_id: null, student_id: null, moments: [] };
};

interface ExamRow {
  name: string;
  status: string;
  max_score: number;
  faculty_id: string;
  published_at: Date | null;
  due_date: Date | null;
  closed_at: Date | null;
}

const examWork: WorkOf = async ({ sql, institutionId }, id) => {
  const [row] = await sql<ExamRow>(exam, [institutionId, id]);
  if (row === undefined) return undefined;
  const { published_at, due_date, closed_at, ...columns } = row;
  return { ...columns, exam_id: null, student_id: null, moments: [['Published', published_at], ['Due', due_date], ['Closed', closed_at]] };
};

interface AttemptRow {
  name: string;
  status: string;
  faculty_id: string;
  exam_id: string;
  student_id: string;
  started_at: Date;
  expires_at: Date | null;
  ended_at: Date | null;
}

const attemptWork: WorkOf = async ({ sql, institutionId }, id) => {
  const [row] = await sql<AttemptRow>(attempt, [institutionId, id]);
  if (row === undefined) return undefined;
  const { started_at, expires_at, ended_at, ...columns } = row;
  return { ...columns, max_score: null, moments: [['Begun', started_at], ['Ends', expires_at], ['Ended', ended_at]] };
};

interface SubmissionRow {
  name: string;
  status: string;
  max_score: number;
  faculty_id: string;
  exam_id: string;
  student_id: string;
  due_date: Date | null;
  submitted_at: Date;
  graded_at: Date | null;
  /** Of the attempt that the student has under way, if there is one. */
  next_began_at: Date | null;
  next_ends_at: Date | null;
}

const submissionWork: WorkOf = async ({ sql, institutionId }, id) => {
  const [row] = await sql<SubmissionRow>(submission, [institutionId, id]);
  if (row === undefined) return undefined;
  const { due_date, submitted_at, graded_at, next_began_at, next_ends_at, ...columns } = row;
  const next: FoundWork['moments'] = next_began_at === null ? [] : [['Next attempt begun', next_began_at], ['Next attempt ends', next_ends_at]];
  return { ...columns, moments: [['Due', due_date], ['Handed in', submitted_at], ['Graded', graded_at], ...next] };
};

const works = { group: groupWork, exam: examWork, attempt: attemptWork, submission: submissionWork };

/** Returns a group, exam, attempt or submission of the institution; the name of an attempt or a submission is that of its exam. */
export const findFoundWork = (scope: InstitutionScope, kind: keyof typeof works, id: string): Promise<FoundWork | undefined> => works[kind](scope, id);

const namesOfPerson = statement(
  'support_person_names',
  `SELECT e.user_id, e.login_email, l.id AS license_id FROM institution_emails e LEFT JOIN licenses l ON l.institution_id = e.institution_id AND l.user_id = e.user_id
    WHERE e.institution_id = $1 AND (e.login_email = $2 OR e.user_id = $2)`,
);

/** Returns what the audit log and events may call a thing: its id, and of a person also the login email, whichever is given, and the license. */
export async function namesOfTarget(scope: InstitutionScope, name: string): Promise<string[]> {
  const [row] = await scope.sql<{ user_id: string; login_email: string; license_id: string | null }>(namesOfPerson, [scope.institutionId, name]);
  if (row === undefined) return [name];
  return [row.user_id, row.login_email, ...(row.license_id === null ? [] : [row.license_id])];
}

/** An endpoint that was found by a part of its URL or description. */
export interface FoundEndpoint {
  id: string;
  url: string;
  description: string | null;
  state: string;
  institution_id: string;
  institution_name: string;
}

// Ids begin with their time, so the primary key is in order of creation.
const endpointsByText = statement(
  'support_endpoints_by_text',
  `SELECT e.id, e.url, e.description, e.status AS state, e.institution_id, i.name AS institution_name
     FROM webhook_endpoints e JOIN institutions i ON i.id = e.institution_id
    WHERE e.deleted_at IS NULL AND (strpos(lower(e.url), lower($1)) > 0 OR strpos(lower(e.description), lower($1)) > 0) ORDER BY e.id DESC LIMIT $2`,
);

/** Returns the newest endpoints of all institutions whose URL or description has a text in it, at most `limit`. */
export function findEndpointsByText(sql: Sql, text: string, limit: number): Promise<FoundEndpoint[]> {
  return sql(endpointsByText, [text, limit]);
}

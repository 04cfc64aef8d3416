import { sealEmail } from '../../../domain/people/personalEmail';
import { createStudent } from '../../../domain/students/createStudent';
import { transact } from '../../../domain/transact';
import type { TestApi, TestInstitution } from '../api';
import { registerSecret } from '../leaks';

/** So many active students with login email and license, written in one statement; returns their ids in the order of their login emails. */
export async function seedStudents({ api }: TestApi, { id, loginDomain }: TestInstitution, count: number, batch = 'many'): Promise<string[]> {
  const rows = await api.domain.database.sql<{ id: string }>(
    `WITH people AS (
       SELECT 'stu_' || $2 || '_' || $1 || '_' || lpad(n::text, 6, '0') AS id, $2 || lpad(n::text, 6, '0') || '@' || $3 AS login_email
         FROM generate_series(1, $4::int) n
     ), written AS (
       INSERT INTO users (id, institution_id, kind, full_name, status, created_at, updated_at)
       SELECT id, $1, 'student', 'Student ' || login_email, 'active', now(), now() FROM people
     ), emails AS (
       INSERT INTO institution_emails (login_email, institution_id, user_id, created_at) SELECT login_email, $1, id, now() FROM people
     ), licenses AS (
       INSERT INTO licenses (id, institution_id, user_id, license_type, status, max_activations, expires_at, created_at, updated_at)
       SELECT 'lic_' || id, $1, id, 'student', 'active', 2, now() + interval '1 year', now(), now() FROM people
     )
     SELECT id FROM people ORDER BY login_email`,
    [id, batch, loginDomain, count],
  );
  return rows.map((row) => row.id);
}

/** A student with this mailbox, or with none; returns the id. */
export async function seedStudentWithEmail({ api }: TestApi, { caller }: TestInstitution, personal_email: string | null, full_name?: string): Promise<string> {
  if (personal_email !== null) registerSecret(personal_email);
  const student = await transact(api.domain, caller, (tx) => createStudent(tx, { personal_email, ...(full_name === undefined ? {} : { full_name }) }));
  return student.id;
}

/** Gives students a mailbox each, named after their ids; one statement for any number. */
export async function seedPersonalEmails({ api }: TestApi, studentIds: readonly string[]): Promise<void> {
  const owners = await api.domain.database.sql<{ id: string; institution_id: string }>('SELECT id, institution_id FROM users WHERE id = ANY ($1)', [studentIds]);
  const mailboxes = owners.map(({ id, institution_id: institutionId }) => sealEmail(api.domain.secrets, { institutionId, userId: id }, `${id}@mail.example`));
  await api.domain.database.sql(
    `UPDATE users u SET personal_email_sealed = m.sealed, personal_email_hmac = m.fingerprint
       FROM unnest($1::text[], $2::text[], $3::bytea[]) AS m (id, sealed, fingerprint) WHERE u.id = m.id`,
    [owners.map(({ id }) => id), mailboxes.map(({ sealed }) => sealed), mailboxes.map(({ fingerprint }) => fingerprint)],
  );
}

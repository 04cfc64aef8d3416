import type { TestApi, TestInstitution } from './api';

/** So many active students with login email and license, written in one statement; answers their ids in the order of their login emails. */
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

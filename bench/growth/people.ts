import type { Client } from 'pg';
import { newId } from '../../domain/ids';
import type { BenchInstitution } from '../institutions';

const memberCount = 500;

const studentId = (position: string): string => `'stu_' || lpad((${position})::text, 26, '0')`;

// Of a hundred students 10 are pending and 2 suspended; a second between two of them, so that the newest are recent.
const insertPeople = `WITH people AS (
  SELECT ${studentId('n')} AS id, 'student' || n || '.00000000@' || $2::text AS login_email, 'SIS-' || n AS external_id, 'Student ' || n AS full_name,
         CASE WHEN n % 100 < 10 THEN 'pending' WHEN n % 100 < 12 THEN 'suspended' ELSE 'active' END AS status,
         now() - ($5::int - n) * interval '1 s' AS at
    FROM generate_series($3::int, $4::int) n
), written AS (
  INSERT INTO users (id, institution_id, kind, full_name, external_id, status, suspended_at, created_at, updated_at)
  SELECT id, $1, 'student', full_name, external_id, status, CASE WHEN status = 'suspended' THEN at END, at, at FROM people
), emails AS (
  INSERT INTO institution_emails (login_email, institution_id, user_id, created_at) SELECT login_email, $1, id, at FROM people
)
INSERT INTO licenses (id, institution_id, user_id, license_type, status, max_activations, expires_at, created_at, updated_at)
SELECT 'lic_' || right(id, 26), $1, id, 'student', CASE WHEN status = 'suspended' THEN 'suspended' ELSE 'active' END, 2, at + interval '1 year', at, at FROM people`;

/** Inserts the n-th to the m-th of `count` students, each with login email and license. */
export async function insertStudents(client: Client, { id, loginDomain }: BenchInstitution, count: number, first: number, last: number): Promise<void> {
  await client.query(insertPeople, [id, loginDomain, first, last, count]);
}

/** Inserts a group of the institution's admin, with 500 students, or all if there are fewer, from everywhere in the list; returns its id. */
export async function insertGroup(client: Client, { id }: BenchInstitution, count: number): Promise<string> {
  const groupId = newId('grp');
  await client.query(
    `INSERT INTO groups (id, institution_id, faculty_id, name, created_at, updated_at)
     SELECT $2, $1, u.id, 'Growth', now(), now() FROM users u WHERE u.institution_id = $1 AND u.is_admin`,
    [id, groupId],
  );
  const members = Math.min(count, memberCount);
  await client.query(
    `INSERT INTO group_members (group_id, user_id, institution_id, created_at)
     SELECT $2, ${studentId('n')}, $1, now() FROM generate_series(1, $3::int, $4::int) n LIMIT $5`,
    [id, groupId, count, Math.floor(count / members), members],
  );
  return groupId;
}

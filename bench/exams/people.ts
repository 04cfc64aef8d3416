import { requestBenchData } from '../benchClient';
import type { BenchEnvironment } from '../environment';
import type { BenchInstitution } from '../institutions';
import { sealEmail } from '../../domain/people/personalEmail';

/** Inserts `count` active students with login email, license and a mapped personal email each, in one statement; returns their ids. */
export async function seedStudents({ domain }: BenchEnvironment, { id, loginDomain }: BenchInstitution, count: number): Promise<string[]> {
  const mailboxes = Array.from({ length: count }, (_, nth) => sealEmail(domain.secrets, { institutionId: id, userId: `stu_${loginDomain}_${String(nth + 1).padStart(6, '0')}` }, `reader${nth + 1}@mail.${loginDomain}`));
  const rows = await domain.database.sql<{ id: string }>(
    `WITH people AS (
       SELECT 'stu_' || $2 || '_' || lpad(n::text, 6, '0') AS id, 'student' || n || '.00000000@' || $2 AS login_email, sealed, hmac
         FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS mailbox (sealed, hmac, n)
     ), written AS (
       INSERT INTO users (id, institution_id, kind, full_name, status, personal_email_sealed, personal_email_hmac, created_at, updated_at)
       SELECT id, $1, 'student', 'Student', 'active', sealed, decode(hmac, 'hex'), now(), now() FROM people
     ), emails AS (
       INSERT INTO institution_emails (login_email, institution_id, user_id, created_at) SELECT login_email, $1, id, now() FROM people
     ), licenses AS (
       INSERT INTO licenses (id, institution_id, user_id, license_type, status, max_activations, expires_at, created_at, updated_at)
       SELECT 'lic_' || id, $1, id, 'student', 'active', 2, now() + interval '1 year', now(), now() FROM people
     )
     SELECT id FROM people ORDER BY id`,
    [id, loginDomain, mailboxes.map(({ sealed }) => sealed), mailboxes.map(({ fingerprint }) => fingerprint.toString('hex'))],
  );
  return rows.map((row) => row.id);
}

/** Makes one call of the API with the institution's first key, and returns its `data`. */
export function call<Data>({ apiUrl }: BenchEnvironment, { keys }: BenchInstitution, method: string, path: string, body?: object): Promise<Data> {
  return requestBenchData({ method, url: apiUrl + path, token: keys[0], body });
}

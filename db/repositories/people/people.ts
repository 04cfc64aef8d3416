import type { InstitutionScope } from '../../database';
import type { LicenseType } from '../../entities/license';
import { UserEntity, type UserKind, type UserStatus } from '../../entities/user';
import { entityManager, ownRow } from '../../entityManager';
import { statement, type Statement } from '../../statement';
import { endSeats } from '../devices/seats';

/** One person as provisioning writes it: the user, the institution email and the license. */
export interface ProvisionedPerson {
  id: string;
  license_id: string;
  /** Random part of the login email: eight hexadecimal digits. */
  hex: string;
  full_name: string | null;
  external_id: string | null;
  is_admin: boolean;
  personal_email_sealed: string | null;
  /** Hexadecimal, or null with no personal email. */
  personal_email_hmac: string | null;
  expires_at: string;
}

/** The values shared by all people of one provisioning call. */
export interface ProvisioningTerms {
  kind: UserKind;
  status: UserStatus;
  licenseType: LicenseType;
  maxActivations: number;
  now: Date;
  /** The first of the numbers reserved earlier; if absent, the next numbers are used. */
  firstNumber?: number | undefined;
}

// One statement, so that numbers are consecutive and all three records are inserted together.
const provision = (name: string, numbers: string): Statement => statement(
  name,
  `WITH input AS (
     SELECT p.*, row_number() OVER (ORDER BY p.position) AS nth, count(*) OVER () AS total
       FROM ROWS FROM (json_to_recordset($3::json) AS (id text, license_id text, hex text, full_name text, external_id text,
              is_admin boolean, personal_email_sealed text, personal_email_hmac text, expires_at timestamptz)) WITH ORDINALITY
            AS p (id, license_id, hex, full_name, external_id, is_admin, personal_email_sealed, personal_email_hmac, expires_at, position)
   ), counter AS (
     ${numbers}
   ), named AS (
     SELECT i.*, $2 || (c.before + i.nth) || '.' || i.hex || '@' || n.login_domain AS login_email
       FROM input i CROSS JOIN counter c JOIN institutions n ON n.id = $1
   ), new_users AS (
     INSERT INTO users (id, institution_id, kind, full_name, external_id, status, is_admin, personal_email_sealed, personal_email_hmac, created_at, updated_at)
     SELECT id, $1, $2, full_name, external_id, $4, is_admin, personal_email_sealed, decode(personal_email_hmac, 'hex'), $7, $7 FROM named
   ), new_emails AS (
     INSERT INTO institution_emails (login_email, institution_id, user_id, created_at) SELECT login_email, $1, id, $7 FROM named
   ), new_licenses AS (
     INSERT INTO licenses (id, institution_id, user_id, license_type, status, max_activations, expires_at, created_at, updated_at)
     SELECT license_id, $1, id, $5, 'active', $6, expires_at, $7, $7 FROM named
   )
   SELECT id, login_email FROM named ORDER BY nth`,
);

const provisionNext = provision(
  'people_provision_next',
  `UPDATE login_counters SET last_number = last_number + json_array_length($3::json)
    WHERE institution_id = $1 AND kind = $2
   RETURNING last_number - json_array_length($3::json) AS before`,
);
const provisionReserved = provision('people_provision_reserved', 'SELECT $8::integer - 1 AS before');

/** Inserts users, institution emails and licenses; returns the generated login emails in input order. */
export function insertPeople(
  scope: InstitutionScope,
  terms: ProvisioningTerms,
  people: readonly ProvisionedPerson[],
): Promise<{ id: string; login_email: string }[]> {
  const { kind, status, licenseType, maxActivations, now, firstNumber } = terms;
  const values = [scope.institutionId, kind, JSON.stringify(people), status, licenseType, maxActivations, now];
  return firstNumber === undefined ? scope.sql(provisionNext, values) : scope.sql(provisionReserved, [...values, firstNumber]);
}

const reserve = statement(
  'people_reserve_numbers',
  'UPDATE login_counters SET last_number = last_number + $3 WHERE institution_id = $1 AND kind = $2 RETURNING last_number - $3 + 1 AS first',
);

/** Reserves consecutive numbers for people inserted later; returns the first. Unused ones stay unused. */
export async function reserveNumbers(scope: InstitutionScope, kind: UserKind, count: number): Promise<number> {
  const [row] = await scope.sql<{ first: number }>(reserve, [scope.institutionId, kind, count]);
  if (row === undefined) throw new Error('The institution has no counter of login emails');
  return row.first;
}

const takenEmails = statement(
  'people_taken_personal_emails',
  `SELECT encode(personal_email_hmac, 'hex') AS hmac FROM users WHERE institution_id = $1 AND personal_email_hmac = ANY ($2::bytea[]) AND kind IN ('student', 'faculty')`,
);

/** Returns those of these fingerprints that a person of the institution already has (hexadecimal). */
export async function takenPersonalEmails(scope: InstitutionScope, fingerprints: readonly Buffer[]): Promise<Set<string>> {
  if (fingerprints.length === 0) return new Set();
  const rows = await scope.sql<{ hmac: string }>(takenEmails, [scope.institutionId, fingerprints]);
  return new Set(rows.map(({ hmac }) => hmac));
}

/** The columns of a person that commands update directly. */
export type PersonChanges = Partial<Pick<UserEntity, 'status' | 'fullName' | 'externalId' | 'erasedAt' | 'profile' | 'profileCompleted' | 'firstSignedInAt' | 'personalEmailSealed' | 'personalEmailHmac'>>;

/** Updates a person of the institution; absent columns stay unchanged, `updated_at` never goes back. Fails on `users_personal_email` if another person has the email. */
export async function updatePerson(scope: InstitutionScope, id: string, changes: PersonChanges, now: Date): Promise<void> {
  await scope[entityManager]((manager) => manager
    .createQueryBuilder()
    .update(UserEntity)
    .set({ ...changes, updatedAt: () => 'greatest(updated_at, :now)' })
    .where(ownRow(scope, id))
    .setParameter('now', now)
    .execute());
}

/** Returns the fingerprint of a person's personal email; null without one. Fails if the institution has no such person. */
export async function readPersonalEmailHmac(scope: InstitutionScope, id: string): Promise<Buffer | null> {
  return (await scope[entityManager]((manager) => manager.findOneByOrFail(UserEntity, ownRow(scope, id)))).personalEmailHmac;
}

const endSessionsOf = statement('sessions_end', 'UPDATE sessions SET ended_at = $3 WHERE institution_id = $1 AND user_id = $2 AND ended_at IS NULL');

/** Ends every session of a person immediately, and the seats that they hold. */
export async function endSessions(scope: InstitutionScope, userId: string, now: Date): Promise<void> {
  await endSeats(scope, 'user', userId, 'signed_out', now);
  await scope.sql(endSessionsOf, [scope.institutionId, userId, now]);
}

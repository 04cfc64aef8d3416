import type { InstitutionScope } from '../../database';
import { statement, type Statement } from '../../statement';

/** How rows of a person are found by position, and what is done with them by their ids. */
interface OwnRows {
  list: Statement;
  write: Statement;
}

const ownRows = (name: string, from: string, write: string): OwnRows => ({
  list: statement(`erasure_list_${name}`, `SELECT t.id FROM ${from} AND t.id > $3 ORDER BY t.id LIMIT $4`),
  write: statement(`erasure_write_${name}`, `${write} RETURNING 1`),
});

const byUser = (table: string): string => `${table} t WHERE t.institution_id = $1 AND t.user_id = $2`;
const byStudent = (table: string): string => `${table} t WHERE t.institution_id = $1 AND t.student_id = $2`;
const theirs = 'institution_id = $1 AND id = ANY ($2::text[])';

/**
 * Rows of a person that are deleted, or lose their text, by name. A row is found once: what comes later is found by a list from
 * the beginning.
 */
const statements = {
  sessions: ownRows('sessions', byUser('sessions'), `DELETE FROM sessions WHERE ${theirs}`),
  sign_in_codes: ownRows('sign_in_codes', byUser('sign_in_codes'), `DELETE FROM sign_in_codes WHERE ${theirs}`),
  enrolment_codes: ownRows('enrolment_codes', byUser('enrolment_codes'), `DELETE FROM enrolment_codes WHERE ${theirs}`),
  mailbox_changes: ownRows('mailbox_changes', byUser('mailbox_changes'), `DELETE FROM mailbox_changes WHERE ${theirs}`),
  sign_ins: ownRows('sign_ins', byUser('sign_ins'), `DELETE FROM sign_ins WHERE ${theirs}`),
  account_claims: ownRows('account_claims', byUser('(SELECT institution_id, user_id, user_id AS id FROM account_claims)'), 'DELETE FROM account_claims WHERE institution_id = $1 AND user_id = ANY ($2::text[])'),
  seats: ownRows('seats', byUser('seats'), `DELETE FROM seats WHERE ${theirs}`),
  submissions: ownRows(
    'submissions',
    `${byStudent('submissions')} AND (t.text IS NOT NULL OR t.ai_usage_data IS NOT NULL OR t.feedback IS NOT NULL OR t.void_reason IS NOT NULL)`,
    `UPDATE submissions SET text = NULL, ai_usage_data = NULL, feedback = NULL, void_reason = NULL WHERE ${theirs}`,
  ),
  merit_moves: ownRows('merit_moves', `${byUser('merit_moves')} AND t.reason IS NOT NULL`, `UPDATE merit_moves SET reason = NULL WHERE ${theirs}`),
  alpha_points: ownRows('alpha_points', `${byStudent('alpha_points')} AND t.note IS NOT NULL`, `UPDATE alpha_points SET note = NULL WHERE ${theirs}`),
  licenses: ownRows('licenses', `${byUser('licenses')} AND t.revoke_reason IS NOT NULL`, `UPDATE licenses SET revoke_reason = NULL WHERE ${theirs}`),
};
export type OwnRowsName = keyof typeof statements;

/** The ids of at most `limit` of a person's rows, after an id; '' for the first. */
export async function listOwnRows(scope: InstitutionScope, name: OwnRowsName, personId: string, after: string, limit: number): Promise<string[]> {
  return (await scope.sql<{ id: string }>(statements[name].list, [scope.institutionId, personId, after, limit])).map(({ id }) => id);
}

/** Deletes these rows, or their text; returns how many there were. */
export async function eraseOwnRows(scope: InstitutionScope, name: OwnRowsName, ids: readonly string[]): Promise<number> {
  return (await scope.sql(statements[name].write, [scope.institutionId, ids])).length;
}

const attempts = statement('erasure_attempts', 'SELECT id FROM attempts WHERE institution_id = $1 AND student_id = $2 AND id > $3 ORDER BY id LIMIT $4');

/** The ids of at most `limit` of a student's attempts, after an id. */
export async function listAttempts(scope: InstitutionScope, studentId: string, after: string, limit: number): Promise<string[]> {
  return (await scope.sql<{ id: string }>(attempts, [scope.institutionId, studentId, after, limit])).map(({ id }) => id);
}

const details = statement('erasure_event_details', 'UPDATE attempt_events SET detail = NULL WHERE institution_id = $1 AND attempt_id = ANY ($2::text[]) AND detail IS NOT NULL RETURNING 1');

/** Removes the details of the proctoring events of attempts; types and times stay. Returns how many. */
export async function eraseEventDetails(scope: InstitutionScope, attemptIds: readonly string[]): Promise<number> {
  return (await scope.sql(details, [scope.institutionId, attemptIds])).length;
}

const activations = statement('erasure_activations', 'DELETE FROM activations WHERE institution_id = $1 AND license_id = ANY ($2::text[]) RETURNING 1');

/** Deletes the activations of licenses; returns how many. */
export async function eraseActivations(scope: InstitutionScope, licenseIds: readonly string[]): Promise<number> {
  return (await scope.sql(activations, [scope.institutionId, licenseIds])).length;
}

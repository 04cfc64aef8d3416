import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

const lock = statement('personal_emails_lock', "SELECT pg_advisory_xact_lock(hashtext('personal_emails'), hashtext($1))");

/** Locks the personal emails of the institution until the transaction ends: one transaction at a time stores them. */
export async function lockPersonalEmails(scope: InstitutionScope): Promise<void> {
  await scope.sql(lock, [scope.institutionId]);
}

import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

/** The kinds of people with one row per address in an institution. */
export type AddressedKind = 'guardian' | 'developer';

const find = statement('own_address_find', 'SELECT id FROM users WHERE institution_id = $1 AND kind = $2 AND personal_email_hmac = ANY ($3::bytea[])');

/** Returns the id of the guardian or developer with one of these fingerprints of an address; undefined if the institution has none. */
export async function findAddressOwner(scope: InstitutionScope, kind: AddressedKind, fingerprints: readonly Buffer[]): Promise<string | undefined> {
  const [row] = await scope.sql<{ id: string }>(find, [scope.institutionId, kind, fingerprints]);
  return row?.id;
}

const reseal = statement('own_address_reseal', 'UPDATE users SET personal_email_sealed = $3, personal_email_hmac = $4 WHERE institution_id = $1 AND id = $2');

/** Replaces seal and fingerprint of a person's address, which stays the same. */
export async function resealAddress(scope: InstitutionScope, id: string, { sealed, fingerprint }: { sealed: string; fingerprint: Buffer }): Promise<void> {
  await scope.sql(reseal, [scope.institutionId, id, sealed, fingerprint]);
}

import { institutionScope, type Database, type InstitutionScope } from '../../db/database';
import { findLastChange, type AuditedChange } from '../../db/repositories/auditLog/auditLog';
import { findFoundPerson, listFoundGuardianLinks, listRevokedKeysOf, type FoundGuardianLink, type FoundPerson, type RevokedKey } from '../../db/repositories/support/found';
import { listFoundSeats, type FoundSeat } from '../../db/repositories/support/seats';
import { clockOf } from '../clock';
import { linkStatus, type GuardianLinkStatus } from '../guardians/linkStatus';
import { licenseStatusAt } from '../licenses/expiry';
import { readWrongTries, type AccountLock } from '../signIn/accountLock';
import { readKeyRevocation } from './changedBy';
import type { SearchResult } from './search';

/** The kinds of things that are found and are people. */
export const personKinds: ReadonlySet<string> = new Set(['student', 'faculty member', 'guardian', 'developer']);

/** A person with what decides whether they can sign in. */
export interface PersonAccount extends FoundPerson {
  /** Since and until when no code opens a session, because too many wrong ones were tried. */
  lock: AccountLock | undefined;
  /** The call that suspended the person, if they are suspended, and that which suspended or revoked the license; undefined where the audit log has none. */
  suspension: AuditedChange | undefined;
  licenseChange: AuditedChange | undefined;
  /** Of a suspended developer, the keys that a suspension revoked, the last revoked first. Null for other people. */
  revokedKeys: RevokedKey[] | null;
  /** Active ones first; at most 20. */
  seats: FoundSeat[];
  /** Of a student, the newest invitation first; at most 10. Null for other people. */
  guardianLinks: (FoundGuardianLink & { status: GuardianLinkStatus })[] | null;
}

const erasingCalls = ['eraseStudent', 'eraseFaculty'];

/** The operations that end what a person may do, temporarily or permanently. */
const suspendingCalls = ['suspendStudent', 'suspendFaculty', 'updateStudent', 'updateFaculty', 'suspendDeveloper', ...erasingCalls];
const licenseCalls = ['suspendLicense', 'revokeLicense'];

/** Returns who suspended or revoked a license, while it is so. */
export const readLicenseChange = async (scope: InstitutionScope, id: string, status: string | null): Promise<AuditedChange | undefined> =>
  status === 'suspended' || status === 'revoked' ? findLastChange(scope, licenseCalls, id) : undefined;

/** Returns the same of the license of a person: an erasure revokes it, too, and names the person alone. */
const readLicenseChangeOf = async (scope: InstitutionScope, personId: string, id: string, status: string | null): Promise<AuditedChange | undefined> =>
  (await readLicenseChange(scope, id, status)) ?? (status === 'revoked' ? findLastChange(scope, erasingCalls, personId) : undefined);

/** Returns who suspended a person, and who suspended or revoked their license, while that is so. */
async function readStops(scope: InstitutionScope, id: string, { status, license_id, license_status }: FoundPerson): Promise<Pick<PersonAccount, 'suspension' | 'licenseChange'>> {
  const [suspension, licenseChange] = await Promise.all([
    status === 'suspended' ? findLastChange(scope, suspendingCalls, id, 'status') : undefined,
    license_id === null ? undefined : readLicenseChangeOf(scope, id, license_id, license_status),
  ]);
  return { suspension, licenseChange };
}

/** Returns the keys that were revoked by a suspension of the developer, not one by one. */
async function readKeysRevokedBySuspension(scope: InstitutionScope, id: string): Promise<RevokedKey[]> {
  const keys = await listRevokedKeysOf(scope, id);
  const revocations = await Promise.all(keys.map((key) => readKeyRevocation(scope, key.id, key)));
  return keys.filter((_, index) => revocations[index]?.operation === 'suspendDeveloper');
}

/** Returns a person of the institution with their license, lock and seats, as they are at a moment of its clock; undefined for an unknown id. */
export async function readPersonAccount(scope: InstitutionScope, id: string, now: Date): Promise<PersonAccount | undefined> {
  const found = await findFoundPerson(scope, id);
  if (found === undefined) return undefined;
  const [{ lock }, seats, stops, links, revokedKeys] = await Promise.all([
    readWrongTries(scope, id, now), listFoundSeats(scope, id), readStops(scope, id, found), id.startsWith('stu_') ? listFoundGuardianLinks(scope, id) : null,
    id.startsWith('dev_') && found.status === 'suspended' ? readKeysRevokedBySuspension(scope, id) : null,
  ]);
  const guardianLinks = links?.map((link) => ({ ...link, status: linkStatus(link, now) })) ?? null;
  const { license_status: status, license_expires_at: expiresAt } = found;
  return { ...found, license_status: status && licenseStatusAt(status, expiresAt, now), lock, ...stops, revokedKeys, seats, guardianLinks };
}

/** Returns who suspended or revoked the license that a search found; undefined if it found none, or one that is neither. */
export async function findLicenseChange(database: Database, { items: [found] }: Pick<SearchResult, 'items'>): Promise<AuditedChange | undefined> {
  if (found === undefined || found.institution_id === null || found.kind !== 'license') return undefined;
  return readLicenseChange(institutionScope(database, found.institution_id), found.id, found.state);
}

/** Returns the account of the person whom a search found; undefined if it found nobody. */
export async function findAccount(database: Database, { items: [found] }: Pick<SearchResult, 'items'>): Promise<PersonAccount | undefined> {
  if (found === undefined || found.institution_id === null || !personKinds.has(found.kind)) return undefined;
  return readPersonAccount(institutionScope(database, found.institution_id), found.id, clockOf(found.clock_offset_ms ?? 0).now);
}

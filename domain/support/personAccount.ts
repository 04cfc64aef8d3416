import { institutionScope, type Database, type InstitutionScope } from '../../db/database';
import { findFoundPerson, listFoundSeats, type FoundPerson, type FoundSeat } from '../../db/repositories/support/found';
import { clockOf } from '../clock';
import { licenseStatusAt } from '../licenses/expiry';
import { lockedUntil } from '../signIn/accountLock';
import type { SearchResult } from './search';

/** The kinds of things that are found and are people. */
export const personKinds: ReadonlySet<string> = new Set(['student', 'faculty member', 'guardian', 'developer']);

/** A person with what decides whether they can sign in. */
export interface PersonAccount extends FoundPerson {
  /** Until when no code opens a session, because too many wrong ones were tried. */
  lockedUntil: Date | undefined;
  /** Active ones first; at most 20. */
  seats: FoundSeat[];
}

/** Returns a person of the institution with their license, lock and seats, as they are at a moment of its clock; undefined for an unknown id. */
export async function readPersonAccount(scope: InstitutionScope, id: string, now: Date): Promise<PersonAccount | undefined> {
  const found = await findFoundPerson(scope, id);
  if (found === undefined) return undefined;
  const [until, seats] = await Promise.all([lockedUntil(scope, id, now), listFoundSeats(scope, id)]);
  const { license_status: status, license_expires_at: expiresAt } = found;
  return { ...found, license_status: status && licenseStatusAt(status, expiresAt, now), lockedUntil: until, seats };
}

/** Returns the account of the person whom a search found; undefined if it found nobody. */
export async function findAccount(database: Database, { items: [found] }: Pick<SearchResult, 'items'>): Promise<PersonAccount | undefined> {
  if (found === undefined || found.institution_id === null || !personKinds.has(found.kind)) return undefined;
  return readPersonAccount(institutionScope(database, found.institution_id), found.id, clockOf(found.clock_offset_ms ?? 0).now);
}

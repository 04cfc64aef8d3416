import { institutionScope, type Database, type InstitutionScope } from '../../db/database';
import type { AuditedChange } from '../../db/repositories/auditLog/auditLog';
import { namesOfTarget } from '../../db/repositories/support/found';
import { findFoundSeat, findSuccessorOfSeat, type FoundSeatOfPerson } from '../../db/repositories/support/seats';
import { toRealTime } from '../clock';
import { maxSessions } from '../signIn/limits';
import { findChangeAt } from './changedBy';
import type { SearchResult } from './search';

/** Why a seat ended. */
export interface SeatEnd {
  /** In words. */
  reason: string;
  /** The seat that took its place, where that is certain. */
  successor: string | undefined;
  /** The call that ended it, as far as the audit log has it. */
  change: AuditedChange | undefined;
}

/** A seat, and why it ended; undefined while it is active. */
export interface SeatWithEnd extends FoundSeatOfPerson {
  end: SeatEnd | undefined;
}

/** What the calls do that end the sessions of a person with seats; those that update somebody end them only by one of the fields. */
const sessionEndingCalls: Readonly<Record<string, string>> = {
  suspendStudent: 'suspended the person',
  updateStudent: 'set the status or the address of the person',
  updateFaculty: 'set the status of the person',
  eraseStudent: 'erased the person',
  eraseFaculty: 'erased the person',
};
const sessionEndingFields = ['status', 'personal_email'];

const revokedReasons: Readonly<Record<string, string>> = {
  revokeSeat: 'the seat was revoked',
  revokeLicense: 'the license was revoked, which ends its seats',
};

async function revokedEnd(scope: InstitutionScope, { id, license_id }: FoundSeatOfPerson, endedAt: Date): Promise<SeatEnd> {
  // The calls about other seats name the license, too.
  const change = (await findChangeAt(scope, ['revokeSeat'], [id], endedAt)) ?? (await findChangeAt(scope, ['revokeLicense'], [license_id], endedAt));
  return { reason: revokedReasons[change?.operation ?? ''] ?? 'the seat or the license was revoked', successor: undefined, change };
}

async function signedOutEnd(scope: InstitutionScope, { user_id }: FoundSeatOfPerson, endedAt: Date): Promise<SeatEnd> {
  const change = await findChangeAt(scope, Object.keys(sessionEndingCalls), await namesOfTarget(scope, user_id), endedAt, sessionEndingFields);
  return {
    reason: change === undefined
      ? `by the person: they signed out in the app, changed the address of their codes elsewhere, or opened more than ${maxSessions} sessions at a time`
      : `its session ended, within a minute of a call that ${sessionEndingCalls[change.operation] ?? change.operation}`,
    successor: undefined,
    change,
  };
}

async function readSeatEnd(scope: InstitutionScope, seat: FoundSeatOfPerson, clockOffsetMs: number): Promise<SeatEnd | undefined> {
  const { id, status, ended_at } = seat;
  if (status === 'active' || ended_at === null) return undefined;
  if (status === 'evicted') return { reason: 'a sign-in on another device took its place, as a person has two seats in an app', successor: await findSuccessorOfSeat(scope, id), change: undefined };
  const endedAt = toRealTime({ clockOffsetMs }, ended_at);
  return status === 'revoked' ? revokedEnd(scope, seat, endedAt) : signedOutEnd(scope, seat, endedAt);
}

/** Returns a seat of the institution, and why it ended. The offset is that of the institution's clock, by which it ended. */
export async function readSeat(scope: InstitutionScope, id: string, clockOffsetMs: number): Promise<SeatWithEnd | undefined> {
  const seat = await findFoundSeat(scope, id);
  return seat && { ...seat, end: await readSeatEnd(scope, seat, clockOffsetMs) };
}

/** Returns the seat that a search found; undefined if it found none. */
export async function findSeat(database: Database, { items: [found] }: Pick<SearchResult, 'items'>): Promise<SeatWithEnd | undefined> {
  if (found === undefined || found.institution_id === null || found.kind !== 'seat') return undefined;
  return readSeat(institutionScope(database, found.institution_id), found.id, found.clock_offset_ms ?? 0);
}

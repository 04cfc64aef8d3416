import { IsNull } from 'typeorm';
import type { InstitutionScope } from '../../database';
import type { InstitutionStatus } from '../../entities/institution';
import { SessionEntity, type SessionKind } from '../../entities/session';
import { entityManager, ownRow } from '../../entityManager';
import { onClock } from '../../institutionClock';
import { statement, type Sql } from '../../statement';

/** A session as recognition reads it, with the institution it hangs on. */
export interface SessionRow {
  id: string;
  user_id: string;
  kind: SessionKind;
  institution_id: string;
  institution_status: InstitutionStatus;
  /** How far the clock of the institution is ahead, in ms: 0 unless it is a sandbox. */
  clock_offset_ms: number;
  /** Neither ended nor expired, of a person who is not suspended. */
  is_live: boolean;
}

const recent = statement(
  'session_recent',
  `SELECT s.id, s.user_id, s.kind, i.id AS institution_id, i.status AS institution_status, i.clock_offset_ms::float8 AS clock_offset_ms,
          s.ended_at IS NULL AND s.expires_at > ${onClock('$2::timestamptz', 'i.clock_offset_ms')} AND u.status <> 'suspended' AS is_live
     FROM sessions s JOIN users u ON u.id = s.user_id JOIN institutions i ON i.id = s.institution_id
    WHERE s.token_hash = $1 AND least(s.ended_at, s.expires_at) > ${onClock('$3::timestamptz', 'i.clock_offset_ms')}`,
);

/** The session with this SHA-256, unless it ended or expired before `endedSince`; whether it is live is said of `now`. Both are real times; a session lives by the clock of its institution. */
export async function findRecentSession(sql: Sql, tokenHash: Buffer, now: Date, endedSince: Date): Promise<SessionRow | undefined> {
  const [row] = await sql<SessionRow>(recent, [tokenHash, now, endedSince]);
  return row;
}

/** Writes a new session of a person. */
export async function insertSession(scope: InstitutionScope, session: Omit<SessionEntity, 'institutionId'>): Promise<void> {
  await scope[entityManager].insert(SessionEntity, { ...session, institutionId: scope.institutionId });
}

/** Ends a session; one that has ended keeps the time of its end. */
export async function markSessionEnded(scope: InstitutionScope, id: string, endedAt: Date): Promise<void> {
  await scope[entityManager].update(SessionEntity, { ...ownRow(scope, id), endedAt: IsNull() }, { endedAt });
}

import { IsNull } from 'typeorm';
import type { InstitutionScope } from '../../database';
import type { InstitutionStatus } from '../../entities/institution';
import { SessionEntity, type SessionKind } from '../../entities/session';
import { entityManager, ownRow } from '../../entityManager';
import { onClock } from '../../institutionClock';
import { statement, type Sql } from '../../statement';

/** A session as authentication reads it, with its institution. */
export interface SessionRow {
  id: string;
  user_id: string;
  kind: SessionKind;
  institution_id: string;
  institution_status: InstitutionStatus;
  /** How far the clock of the institution is ahead, in ms: 0 unless it is a sandbox. */
  clock_offset_ms: number;
  /** Of an institution that leaves: until then it is read-only. */
  read_only_until: Date | null;
  /** Whether it has neither ended nor expired, and its person is not suspended. */
  is_live: boolean;
}

const recent = statement(
  'session_recent_read_only',
  `SELECT s.id, s.user_id, s.kind, i.id AS institution_id, i.status AS institution_status, i.clock_offset_ms::float8 AS clock_offset_ms, i.read_only_until,
          s.ended_at IS NULL AND s.expires_at > ${onClock('$2::timestamptz', 'i.clock_offset_ms')} AND u.status <> 'suspended' AS is_live
     FROM sessions s JOIN users u ON u.id = s.user_id JOIN institutions i ON i.id = s.institution_id
    WHERE s.token_hash = $1 AND i.erasing_since IS NULL AND least(s.ended_at, s.expires_at) > ${onClock('$3::timestamptz', 'i.clock_offset_ms')}`,
);

/** Returns the session with this SHA-256, unless its institution is being erased, or it ended or expired before `endedSince`; `is_live` is as of `now`. Both are real times; a session lives by the clock of its institution. */
export async function findRecentSession(sql: Sql, tokenHash: Buffer, now: Date, endedSince: Date): Promise<SessionRow | undefined> {
  const [row] = await sql<SessionRow>(recent, [tokenHash, now, endedSince]);
  return row;
}

/** Inserts a session of a person. */
export async function insertSession(scope: InstitutionScope, session: Omit<SessionEntity, 'institutionId'>): Promise<void> {
  await scope[entityManager]((manager) => manager.insert(SessionEntity, { ...session, institutionId: scope.institutionId }));
}

/** Ends a session; an ended session keeps its end time. */
export async function markSessionEnded(scope: InstitutionScope, id: string, endedAt: Date): Promise<void> {
  await scope[entityManager]((manager) => manager.update(SessionEntity, { ...ownRow(scope, id), endedAt: IsNull() }, { endedAt }));
}

const beyond = statement(
  'sessions_beyond',
  `SELECT id FROM sessions WHERE institution_id = $1 AND user_id = $2 AND ended_at IS NULL AND expires_at > $3 ORDER BY created_at DESC, id DESC OFFSET $4`,
);

/** Returns the ids of a person's live sessions other than the newest `count`. */
export async function findSessionsBeyond(scope: InstitutionScope, userId: string, now: Date, count: number): Promise<string[]> {
  return (await scope.sql<{ id: string }>(beyond, [scope.institutionId, userId, now, count])).map(({ id }) => id);
}

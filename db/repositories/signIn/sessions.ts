import type { InstitutionStatus } from '../../entities/institution';
import type { SessionKind } from '../../entities/session';
import { statement, type Sql } from '../../statement';

/** A session as recognition reads it, with the institution it hangs on. */
export interface SessionRow {
  id: string;
  user_id: string;
  kind: SessionKind;
  institution_id: string;
  institution_status: InstitutionStatus;
  /** Neither ended nor expired, of a person who is not suspended. */
  is_live: boolean;
}

const recent = statement(
  'session_recent',
  `SELECT s.id, s.user_id, s.kind, i.id AS institution_id, i.status AS institution_status,
          s.ended_at IS NULL AND s.expires_at > $2 AND u.status <> 'suspended' AS is_live
     FROM sessions s JOIN users u ON u.id = s.user_id JOIN institutions i ON i.id = s.institution_id
    WHERE s.token_hash = $1 AND least(s.ended_at, s.expires_at) > $3`,
);

/** The session with this SHA-256, unless it ended or expired before `endedSince`; whether it is live is said of `now`. */
export async function findRecentSession(sql: Sql, tokenHash: Buffer, now: Date, endedSince: Date): Promise<SessionRow | undefined> {
  const [row] = await sql<SessionRow>(recent, [tokenHash, now, endedSince]);
  return row;
}

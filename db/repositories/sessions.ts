import type { InstitutionStatus } from '../entities/institution';
import type { SessionKind } from '../entities/session';
import { statement, type Sql } from '../statement';

/** A live session as recognition reads it, with the institution it hangs on. */
export interface LiveSessionRow {
  id: string;
  user_id: string;
  kind: SessionKind;
  institution_id: string;
  institution_status: InstitutionStatus;
}

const live = statement(
  'session_live',
  `SELECT s.id, s.user_id, s.kind, i.id AS institution_id, i.status AS institution_status
     FROM sessions s JOIN users u ON u.id = s.user_id JOIN institutions i ON i.id = s.institution_id
    WHERE s.token_hash = $1 AND s.ended_at IS NULL AND s.expires_at > $2 AND u.status <> 'suspended'`,
);

/** The session with this SHA-256 that is neither ended nor expired at `now`, of a person who is not suspended. */
export async function findLiveSession(sql: Sql, tokenHash: Buffer, now: Date): Promise<LiveSessionRow | undefined> {
  const [row] = await sql<LiveSessionRow>(live, [tokenHash, now]);
  return row;
}

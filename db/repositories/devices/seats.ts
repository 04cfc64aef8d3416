import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

/** The apps that have seats (section License). */
export const appNames = ['svcapp', 'svccode', 'svcfilm'] as const;
export type AppName = (typeof appNames)[number];

/** How a seat can end: its session was signed out or its person suspended; a newer device took it; the institution revoked it. */
export type SeatEnding = 'signed_out' | 'evicted' | 'revoked';

/** A device as its app describes it at sign-in. */
export interface DeviceColumns {
  device_id: string;
  device_name: string;
  platform: string;
  app_version: string;
}

/** The seat of a device, in one app of one person. */
export interface SeatRow extends DeviceColumns {
  id: string;
  app: AppName;
  last_seen_at: Date;
  signed_in_at: Date;
}

/** A seat's person and app, and the session that holds it. */
export interface SeatHolder {
  userId: string;
  licenseId: string;
  sessionId: string;
  app: AppName;
}

const columns = 'id, app, device_id, device_name, platform, app_version, last_seen_at, signed_in_at';

const active = statement(
  'seats_active',
  `SELECT ${columns} FROM seats WHERE institution_id = $1 AND license_id = $2 AND status = 'active' ORDER BY signed_in_at DESC, id DESC`,
);

/** The active seats of a license, the newest sign-in first: two in each app at most. */
export function listSeats(scope: InstitutionScope, licenseId: string): Promise<SeatRow[]> {
  return scope.sql(active, [scope.institutionId, licenseId]);
}

const transfer = statement(
  'seat_take_over',
  `UPDATE seats s SET session_id = $5, device_name = $6, platform = $7, app_version = $8, last_seen_at = $9, signed_in_at = $9
     FROM (SELECT id, session_id FROM seats
            WHERE institution_id = $1 AND user_id = $2 AND app = $3 AND device_id = $4 AND status = 'active' FOR NO KEY UPDATE) former
    WHERE s.id = former.id
   RETURNING s.id, former.session_id`,
);

/** Assigns a device's existing seat to a new session; returns the seat, and the session that held it. Requires the person's lock. */
export async function transferSeat(
  scope: InstitutionScope,
  { userId, app, sessionId }: SeatHolder,
  device: DeviceColumns,
  now: Date,
): Promise<{ id: string; session_id: string | null } | undefined> {
  const described = [device.device_name, device.platform, device.app_version];
  const [row] = await scope.sql<{ id: string; session_id: string | null }>(transfer, [scope.institutionId, userId, app, device.device_id, sessionId, ...described, now]);
  return row;
}

const insert = statement(
  'seat_insert',
  `INSERT INTO seats (id, institution_id, user_id, license_id, session_id, app, device_id, device_name, platform, app_version, status,
                      last_seen_at, signed_in_at, created_at)
   VALUES ($2, $1, $3, $4, $5, $6, $7, $8, $9, $10, 'active', $11, $11, $11)`,
);

/** Writes a new seat. */
export async function insertSeat(scope: InstitutionScope, id: string, { userId, licenseId, sessionId, app }: SeatHolder, device: DeviceColumns, now: Date): Promise<void> {
  const described = [device.device_id, device.device_name, device.platform, device.app_version];
  await scope.sql(insert, [scope.institutionId, id, userId, licenseId, sessionId, app, ...described, now]);
}

// The status is read again from the locked row: a seat whose session ended in between was signed out, not evicted.
const evict = statement(
  'seats_evict_active',
  `UPDATE seats SET status = 'evicted', ended_at = $6
    WHERE status = 'active' AND id IN (SELECT id FROM seats
                  WHERE institution_id = $1 AND user_id = $2 AND app = $3 AND status = 'active' AND id <> $4
                  ORDER BY signed_in_at DESC, id DESC OFFSET $5)
   RETURNING session_id`,
);

/** Ends a person's seats in an app except this one and the newest `others`; returns the sessions that held them. */
export async function evictOldest(
  scope: InstitutionScope,
  { userId, app }: SeatHolder,
  { seatId, others }: { seatId: string; others: number },
  now: Date,
): Promise<(string | null)[]> {
  const rows = await scope.sql<{ session_id: string | null }>(evict, [scope.institutionId, userId, app, seatId, others, now]);
  return rows.map(({ session_id }) => session_id);
}

const revoke = statement(
  'seat_revoke',
  `UPDATE seats SET status = 'revoked', ended_at = $4 WHERE institution_id = $1 AND license_id = $2 AND id = $3 AND status = 'active'
   RETURNING ${columns}, session_id`,
);

/** Ends one active seat of a license; undefined if it has none with this id. */
export async function revokeSeatOf(scope: InstitutionScope, licenseId: string, seatId: string, now: Date): Promise<(SeatRow & { session_id: string | null }) | undefined> {
  const [row] = await scope.sql<SeatRow & { session_id: string | null }>(revoke, [scope.institutionId, licenseId, seatId, now]);
  return row;
}

const endings = {
  license: statement('seats_end_of_license', "UPDATE seats SET status = $3, ended_at = $4 WHERE institution_id = $1 AND license_id = $2 AND status = 'active'"),
  session: statement('seats_end_of_session', "UPDATE seats SET status = $3, ended_at = $4 WHERE institution_id = $1 AND session_id = $2 AND status = 'active'"),
  user: statement('seats_end_of_user', "UPDATE seats SET status = $3, ended_at = $4 WHERE institution_id = $1 AND user_id = $2 AND status = 'active'"),
};

/** Ends the active seats of a license, of a session or of a person, before their sessions: seats are always locked first. */
export async function endSeats(scope: InstitutionScope, of: keyof typeof endings, id: string, ending: SeatEnding, now: Date): Promise<void> {
  await scope.sql(endings[of], [scope.institutionId, id, ending, now]);
}

// An expired session is skipped: housekeeping may have locked it.
const endSessions = statement(
  'seats_end_sessions',
  'UPDATE sessions SET ended_at = $3 WHERE institution_id = $1 AND id = ANY ($2::text[]) AND ended_at IS NULL AND expires_at > $3',
);

/** Ends the sessions that held seats which have ended. */
export async function endSessionsOfSeats(scope: InstitutionScope, sessionIds: readonly (string | null)[], now: Date): Promise<void> {
  const held = sessionIds.filter((id) => id !== null);
  if (held.length > 0) await scope.sql(endSessions, [scope.institutionId, held, now]);
}

const touch = statement(
  'seat_keep',
  `WITH kept AS (
     UPDATE seats SET last_seen_at = greatest(last_seen_at, $3), app_version = coalesce($4::text, app_version)
      WHERE institution_id = $1 AND session_id = $2 AND status = 'active' AND (last_seen_at <= $5 OR app_version <> $4::text)
     RETURNING license_id, device_id, last_seen_at, app_version
   )
   UPDATE activations a SET last_seen_at = greatest(a.last_seen_at, kept.last_seen_at), app_version = kept.app_version
     FROM kept WHERE a.license_id = kept.license_id AND a.device_id = kept.device_id`,
);

/**
 * Records that the device of a session's seat is in use, and its app's version if given. No-op if it was seen after
 * `seenSince` with this version, or if the seat has ended.
 */
export async function touchSeat(
  scope: InstitutionScope,
  sessionId: string,
  { appVersion, seenSince }: { appVersion: string | undefined; seenSince: Date },
  now: Date,
): Promise<void> {
  await scope.sql(touch, [scope.institutionId, sessionId, now, appVersion ?? null, seenSince]);
}

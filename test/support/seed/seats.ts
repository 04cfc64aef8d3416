import type { AppName, SeatEnding } from '../../../db/repositories/devices/seats';
import { newId } from '../../../domain/ids';
import type { TestApi, TestInstitution } from '../api';

interface SeatFields {
  userId: string;
  app?: AppName;
  sessionId?: string;
  createdAt?: Date;
  /** Null while it is active. */
  endedAt?: Date | null;
  status?: SeatEnding;
}

/** A seat of a person written as it stands, by default active and without a session; returns its id. */
export async function seedSeat(
  { api }: TestApi,
  { id }: Pick<TestInstitution, 'id'>,
  { userId, app = 'svcapp', sessionId, createdAt = new Date(), endedAt = null, status = 'signed_out' }: SeatFields,
): Promise<string> {
  const seatId = newId('seat');
  await api.domain.database.sql(
    `INSERT INTO seats (id, institution_id, user_id, license_id, session_id, app, device_id, device_name, platform, app_version, status,
                        last_seen_at, signed_in_at, created_at, ended_at)
     SELECT $2, $1, $3, l.id, $4, $5, $2, 'A laptop', 'linux', '1.0.0', $8, $6, $6, $6, $7 FROM licenses l WHERE l.user_id = $3`,
    [id, seatId, userId, sessionId ?? null, app, createdAt, endedAt, endedAt === null ? 'active' : status],
  );
  return seatId;
}

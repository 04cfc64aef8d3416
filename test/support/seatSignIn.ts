import { lockAccount } from '../../db/repositories/signIn/accounts';
import type { AppName } from '../../db/repositories/devices/seats';
import { lockLicenseForSeats, assignSeat } from '../../domain/devices/assignSeat';
import { openSession } from '../../domain/signIn/sessions';
import { transact } from '../../domain/transact';
import { systemCaller, type TestApi, type TestInstitution } from './api';

/** What signing in to an app does once the code is right: its session's id, or the status of a license that gives no seats. */
export function signInToApp({ api }: TestApi, { id: institutionId }: TestInstitution, userId: string, app: AppName, device: string, now = new Date()): Promise<string> {
  return transact(api.domain, systemCaller(institutionId, now), async (tx) => {
    await lockAccount(tx, userId);
    const license = await lockLicenseForSeats(tx, userId);
    if (license.status !== 'active') return license.status;
    const { id } = await openSession(tx, userId, 'student');
    await assignSeat(tx, { userId, licenseId: license.id, sessionId: id, app }, { device_id: device, device_name: device, platform: 'linux', app_version: '1.0.0' });
    return id;
  });
}

/** An active seat, and whether its session is live. */
export interface ActiveSeat {
  id: string;
  app: AppName;
  device_id: string;
  session_id: string;
}

/** A person's active seats, the newest sign-in first. */
export function activeSeats({ api }: TestApi, userId: string): Promise<ActiveSeat[]> {
  return api.domain.database.sql("SELECT id, app, device_id, session_id FROM seats WHERE user_id = $1 AND status = 'active' ORDER BY signed_in_at DESC, id DESC", [userId]);
}

/** The ids of a person's sessions that have not ended. */
export async function liveSessions({ api }: TestApi, userId: string): Promise<string[]> {
  const rows = await api.domain.database.sql<{ id: string }>('SELECT id FROM sessions WHERE user_id = $1 AND ended_at IS NULL', [userId]);
  return rows.map(({ id }) => id);
}

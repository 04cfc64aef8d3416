import type { PersonLicenseColumns } from '../../db/repositories/people/licensedPeople';
import { touchSeat } from '../../db/repositories/devices/seats';
import type { Transaction } from '../context';
import { checkIn } from '../licenses/checkIn';
import { endSession } from '../signIn/sessions';
import { heartbeatWriteIntervalMs } from './limits';

/** A heartbeat of an app in use. */
export interface HeartbeatInput {
  userId: string;
  /** Null if the session has ended. */
  sessionId: string | null;
  appVersion: string | undefined;
}

/**
 * Records an app's heartbeat (section States, License): records an expiry not yet noticed; ends the session if the license
 * is revoked, else updates the device and its app's version. Returns the license, and whether the app is signed out.
 */
export async function recordHeartbeat(tx: Transaction, { userId, sessionId, appVersion }: HeartbeatInput): Promise<{ signedOut: boolean; license: PersonLicenseColumns }> {
  const license = await checkIn(tx, userId);
  if (sessionId === null) return { signedOut: true, license };
  if (license.license_status === 'revoked') {
    await endSession(tx, sessionId);
    return { signedOut: true, license };
  }
  await touchSeat(tx, sessionId, { appVersion, seenSince: new Date(tx.now.getTime() - heartbeatWriteIntervalMs) }, tx.now);
  return { signedOut: false, license };
}

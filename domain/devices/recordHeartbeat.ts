import type { PersonLicenseColumns } from '../../db/repositories/people/licensedPeople';
import { touchSeat } from '../../db/repositories/devices/seats';
import type { Transaction } from '../context';
import { checkIn } from '../licenses/checkIn';
import { endSession } from '../signIn/sessions';
import { heartbeatWriteIntervalMs } from './limits';

/** An app that tells that it is in use. */
export interface HeartbeatInput {
  userId: string;
  /** Null where the session has ended. */
  sessionId: string | null;
  appVersion: string | undefined;
}

/**
 * Takes an app's heartbeat (section States, License): settles an expiry that nobody has seen yet, ends the session where the license
 * is revoked, and notes the device and its app's version otherwise. Answers the license, and whether the app is signed out.
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

import type { LicenseStatus } from '../../db/entities/license';
import type { UserKind, UserStatus } from '../../db/entities/user';
import type { SeatRow } from '../../db/repositories/devices/seats';
import { updatePerson } from '../../db/repositories/people/people';
import type { AccountRow } from '../../db/repositories/signIn/accounts';
import { markEnrolmentCodeUsed } from '../../db/repositories/signIn/enrolmentCodes';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { assignSeat, lockLicenseForSeats, type AppOnDevice } from '../devices/assignSeat';
import { verifyLinks } from '../guardians/verifyLinks';
import { mapEmail } from '../people/mapEmail';
import { signInName } from './maySignIn';
import { openSession, type OpenedSession } from './sessions';

/** A person who may sign in: the email that a student named for the code, and the device that needs a seat. */
export interface CompletedSignIn {
  namedEmail: string | null;
  /** The enrolment code that admitted this email; it is used with the sign-in. */
  enrolmentCodeId?: string | null;
  onDevice: AppOnDevice | undefined;
}

/** The result of a sign-in. */
export interface SignedIn {
  session: OpenedSession;
  user: { id: string; kind: UserKind; loginEmail: string; fullName: string | null; status: UserStatus };
  /** Null unless it was on a device. */
  seat: SeatRow | null;
}

/** The result of a sign-in, of which nothing is written, with a license that allows no seats now. */
export interface UnlicensedSignIn {
  unlicensed: Exclude<LicenseStatus, 'active'>;
}

/** What makes a license active again. */
const wayBack: Readonly<Record<UnlicensedSignIn['unlicensed'], string>> = {
  expired: 'the institution extends it, by POST /v1/licenses/{id}/extend.',
  suspended: 'the operators of the platform resume it.',
  revoked: 'that is final.',
};

/** Returns the sign-in; `conflict` if the license allows no seats now. */
export function requireLicensed(signedIn: SignedIn | UnlicensedSignIn): SignedIn {
  if ('unlicensed' in signedIn) throw new DomainError('conflict', `The license is ${signedIn.unlicensed}: ${wayBack[signedIn.unlicensed]}`);
  return signedIn;
}

/**
 * Signs in a locked account that may sign in and has proved that it reads its mailbox: opens a session, and assigns the seat
 * of a device. The first sign-in activates a pending student and maps the email that they named (`student.updated`,
 * `student.email_mapped`); `conflict` if that email now belongs to another person. A guardian's sign-in verifies their
 * accepted links. With a license that is not active the caller must commit, because its expiry may have been recorded.
 */
export async function completeSignIn(tx: Transaction, account: AccountRow, { namedEmail, enrolmentCodeId = null, onDevice }: CompletedSignIn): Promise<SignedIn | UnlicensedSignIn> {
  const license = onDevice && (await lockLicenseForSeats(tx, account.id));
  if (license !== undefined && license.status !== 'active') return { unlicensed: license.status };
  const status = await recordFirstSignIn(tx, account);
  if (namedEmail !== null) await mapNamedEmail(tx, account, namedEmail);
  if (enrolmentCodeId !== null) await markEnrolmentCodeUsed(tx, enrolmentCodeId, tx.now);
  if (account.kind === 'guardian') await verifyLinks(tx, account.id);
  const session = await openSession(tx, account.id, account.kind);
  const seat =
    onDevice === undefined || license === undefined
      ? null
      : await assignSeat(tx, { userId: account.id, licenseId: license.id, sessionId: session.id, app: onDevice.app }, onDevice.device);
  return { session, user: { id: account.id, kind: account.kind, loginEmail: signInName(tx.secrets, account), fullName: account.full_name, status }, seat };
}

/** Records a first sign-in, which activates a pending student; returns the new status. */
async function recordFirstSignIn(tx: Transaction, account: AccountRow): Promise<UserStatus> {
  if (account.first_signed_in_at !== null) return account.status;
  await updatePerson(tx, account.id, { status: 'active', firstSignedInAt: tx.now }, tx.now);
  if (account.status === 'pending') tx.emit('student.updated', { student_id: account.id, changed: ['status'], status: 'active' });
  return 'active';
}

async function mapNamedEmail(tx: Transaction, account: AccountRow, email: string): Promise<void> {
  if (await mapEmail(tx, account.id, 'personal_email', email)) tx.emit('student.email_mapped', { student_id: account.id });
}

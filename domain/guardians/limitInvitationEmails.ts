import { moveInvitationRecord, recordInvitationEmail } from '../../db/repositories/guardians/invitationEmails';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { lockEmailsOfRotation } from '../people/freeEmails';
import { emailFingerprints } from '../people/personalEmail';

/** Maximum number of invitations to one address of an institution per period, regardless of their links. */
const invitationsPerPeriod = { emails: 10, periodMs: 24 * 3_600_000 };

/** Counts an invitation to an address; `conflict` above ten within a day. */
export async function limitInvitationEmails(tx: Transaction, email: string): Promise<void> {
  const { emails, periodMs } = invitationsPerPeriod;
  const [address, ...earlier] = emailFingerprints(tx.secrets, email);
  if (address === undefined) throw new Error('An address has no fingerprint');
  await lockEmailsOfRotation(tx);
  // A rotation of the keys begins no new count.
  if (earlier.length > 0) await moveInvitationRecord(tx, earlier, address);
  if ((await recordInvitationEmail(tx, address, new Date(tx.now.getTime() - periodMs), tx.now)) > emails) {
    throw new DomainError('conflict', `This address has been invited ${emails} times within a day; try again tomorrow.`);
  }
}

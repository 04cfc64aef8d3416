import { recordInvitationEmail } from '../../db/repositories/guardians/invitationEmails';
import type { Transaction } from '../context';
import { DomainError } from '../errors';

/** Maximum number of invitations to one address of an institution per period, regardless of their links. */
const invitationsPerPeriod = { emails: 10, periodMs: 24 * 3_600_000 };

/** Counts an invitation to an address, by its fingerprint; `conflict` above ten within a day. */
export async function limitInvitationEmails(tx: Transaction, address: Buffer): Promise<void> {
  const { emails, periodMs } = invitationsPerPeriod;
  if ((await recordInvitationEmail(tx, address, new Date(tx.now.getTime() - periodMs), tx.now)) > emails) {
    throw new DomainError('conflict', `This address has been invited ${emails} times within a day; try again tomorrow.`);
  }
}

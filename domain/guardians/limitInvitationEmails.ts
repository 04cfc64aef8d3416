import { noteGuardianLetter } from '../../db/repositories/guardians/invitationEmails';
import type { Transaction } from '../context';
import { DomainError } from '../errors';

/** So many invitations go to one address of an institution within a period, whatever becomes of their links. */
const invitationsPerPeriod = { letters: 10, periodMs: 24 * 3_600_000 };

/** Counts an invitation that is to go to an address, by its fingerprint; `conflict` beyond ten within a day. */
export async function limitLetters(tx: Transaction, address: Buffer): Promise<void> {
  const { letters, periodMs } = invitationsPerPeriod;
  if ((await noteGuardianLetter(tx, address, new Date(tx.now.getTime() - periodMs), tx.now)) > letters) {
    throw new DomainError('conflict', `This address has been invited ${letters} times within a day; try again tomorrow.`);
  }
}

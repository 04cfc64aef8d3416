import { removeMailbox, setPersonalEmail } from '../../db/repositories/people/mailboxes';
import type { Transaction } from '../context';
import { openEmail, sealEmail } from './personalEmail';

/** Moves the personal email of one locked person to another: two people never have the same. */
export async function moveMailbox(tx: Transaction, from: string, to: string): Promise<void> {
  const { institutionId, secrets } = tx;
  const email = openEmail(secrets, { institutionId, userId: from }, await removeMailbox(tx, from, tx.now));
  await setPersonalEmail(tx, to, sealEmail(secrets, { institutionId, userId: to }, email), tx.now);
}

import { findAccount } from '../../db/repositories/signIn/accounts';
import type { Transaction } from '../context';
import { validationError } from '../errors';

/** A login email is nobody's mailbox, and signs its own person in: `validation_error` where this field names one of the institution's. */
export async function requireNotLoginEmail(tx: Transaction, path: string, email: string): Promise<void> {
  const account = await findAccount(tx.sql, email);
  if (account?.institution_id !== tx.institutionId) return;
  throw validationError({ path, message: `${path} must be an address of their own, not a login email` });
}

import { findAccount } from '../../db/repositories/signIn/accounts';
import type { Transaction } from '../context';
import { validationError } from '../errors';

/** `validation_error` if this field is a login email of the institution, which is never a mailbox. */
export async function requireNotLoginEmail(tx: Transaction, path: string, email: string): Promise<void> {
  const account = await findAccount(tx.sql, email);
  if (account?.institution_id !== tx.institutionId) return;
  throw validationError({ path, message: `${path} must be the person's own address, not a login email` });
}

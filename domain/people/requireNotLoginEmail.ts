import { findLoginEmails } from '../../db/repositories/signIn/accounts';
import type { Transaction } from '../context';
import { validationError, type DomainError } from '../errors';
import { canonicalEmail } from './personalEmail';

/** Whether an email is a login email of the institution, which is never a mailbox. */
export const isLoginEmail = async (tx: Transaction, email: string): Promise<boolean> => (await findLoginEmails(tx, [canonicalEmail(email)])).size > 0;

/** The `validation_error` of a field with a login email where a person's own address belongs. */
export const loginEmailGiven = (path: string): DomainError => validationError({ path, message: `${path} must be the person's own address, not a login email` });

/** `validation_error` if this field is a login email of the institution. */
export async function requireNotLoginEmail(tx: Transaction, path: string, email: string): Promise<void> {
  if (await isLoginEmail(tx, email)) throw loginEmailGiven(path);
}

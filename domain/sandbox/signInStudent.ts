import { lockAccount } from '../../db/repositories/signIn/accounts';
import type { Transaction } from '../context';
import type { AppOnDevice } from '../devices/assignSeat';
import { requireFound, suspendedStudent, validationError } from '../errors';
import { completeSignIn, type SignedIn, type UnlicensedSignIn } from '../signIn/completeSignIn';
import { codeDestination } from '../signIn/mailbox';
import { maySignIn } from '../signIn/maySignIn';
import { requireStudent } from '../students/requireStudent';

/** How a student signs in: with the email that they name for the code, and on a device. */
export interface StudentSignIn {
  personalEmail: string | undefined;
  onDevice: AppOnDevice | undefined;
}

/**
 * Signs a student of a sandbox in, as the code from their mailbox does ({@link completeSignIn}). `user_inactive` if the
 * student is suspended; `validation_error` without a mapped and without a named email: no code could reach the student.
 */
export async function signInStudent(tx: Transaction, idOrEmail: string, { personalEmail, onDevice }: StudentSignIn): Promise<SignedIn | UnlicensedSignIn> {
  const { id } = await requireStudent(tx, idOrEmail);
  const account = requireFound(await lockAccount(tx, id), 'student');
  if (!(await maySignIn(tx, account))) throw suspendedStudent();
  const destination = codeDestination(tx.secrets, account, personalEmail);
  if (destination === undefined) throw validationError({ path: 'personal_email', message: 'personal_email is required for a student without a mapped email: no code could be sent' });
  return completeSignIn(tx, account, { namedEmail: destination.isNamed ? destination.email : null, onDevice });
}

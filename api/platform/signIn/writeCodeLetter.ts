import type { Domain } from '../../../domain/context';
import type { Letter } from '../../../domain/letter';
import { codeLetter } from '../../../domain/signIn/codeLetter';
import { findPlace } from '../../../domain/signIn/findPlace';
import { issueCode } from '../../../domain/signIn/issueCode';
import { transact } from '../../../domain/transact';
import type { CodeRequest } from './signIn.schemas';

/** Gives the account a code, commits it, and writes its letter; undefined where none is due. */
export async function writeCodeLetter(domain: Domain, request: CodeRequest, now: Date): Promise<Letter | undefined> {
  const account = await findPlace(domain, request, now);
  if (account === undefined) return undefined;
  const issued = await transact(domain, { institutionId: account.institution_id, now }, (tx) =>
    issueCode(tx, account.user_id, request.personal_email),
  );
  return issued && codeLetter(issued);
}

import { setCodeSecret } from '../../db/repositories/codeSecrets/codeSecrets';
import type { Transaction } from '../context';
import { notFound } from '../errors';
import { hiddenKeyPlace } from './hiddenKeyPlace';

/**
 * Sets or replaces an exam's hidden-test key (base64 of 32 bytes), which is stored encrypted; earlier releases stay
 * recorded. `not_found` for an unknown exam (section Exams (coding)).
 */
export async function setSecret(tx: Transaction, examId: string, keyBase64: string): Promise<void> {
  if (!(await setCodeSecret(tx, examId, tx.secrets.seal(keyBase64, hiddenKeyPlace(tx, examId)), tx.now))) throw notFound('exam');
}

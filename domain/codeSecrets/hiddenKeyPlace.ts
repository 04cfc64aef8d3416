import type { Transaction } from '../context';
import type { SealContext } from '../secrets/sealContext';

/** Returns where the hidden-test key of an exam is sealed. */
export const hiddenKeyPlace = ({ institutionId }: Pick<Transaction, 'institutionId'>, examId: string): SealContext =>
  ({ institutionId, table: 'exams', column: 'hidden_key_sealed', rowId: examId });

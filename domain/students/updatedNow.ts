import type { StudentRow } from '../../db/repositories/students/students';
import type { Transaction } from '../context';

/** Returns the `updated_at` of a locked student whom this transaction changes, as it is stored: it never goes back. */
export const updatedNow = ({ now }: Pick<Transaction, 'now'>, { updated_at }: StudentRow): Date => (updated_at > now ? updated_at : now);

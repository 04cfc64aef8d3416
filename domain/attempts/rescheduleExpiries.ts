import { moveExpiries } from '../../db/repositories/attempts/expiries';
import type { Transaction } from '../context';
import { scheduleExpiry } from './scheduleExpiry';

/** Has the attempts in progress of a locked exam, whose terms have changed, end by them; what is over stays over. */
export async function rescheduleExpiries(tx: Transaction, examId: string): Promise<void> {
  const first = await moveExpiries(tx, examId, tx.now);
  if (first !== null) await scheduleExpiry(tx, examId, first);
}

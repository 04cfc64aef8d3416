import { moveExpiries } from '../../db/repositories/attempts/expiries';
import type { Transaction } from '../context';
import { scheduleExpiry } from './scheduleExpiry';

/** Applies a locked exam's changed time rules to its attempts in progress; ended attempts stay unchanged. */
export async function rescheduleExpiries(tx: Transaction, examId: string): Promise<void> {
  const first = await moveExpiries(tx, examId, tx.now);
  if (first !== null) await scheduleExpiry(tx, examId, first);
}

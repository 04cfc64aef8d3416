import type { InstitutionScope } from '../database';
import { statement } from '../statement';

/** One run of what waits for an exam's attempts to expire: the workflow `<exam id>:attempts:<run>`. */
export interface ExpiryRun {
  examId: string;
  run: number;
}

const open = statement(
  'attempt_expiries_open',
  `INSERT INTO attempt_expiries (exam_id, institution_id, run, open, next_at) VALUES ($2, $1, 1, true, $3)
   ON CONFLICT (exam_id) DO UPDATE SET run = attempt_expiries.run + 1, open = true, next_at = excluded.next_at 
      WHERE NOT attempt_expiries.open OR attempt_expiries.next_at < $4
   RETURNING run`,
);

/**
 * Opens the next run of an exam, to look at `nextAt`; undefined when one is open, whose row is locked either way. One
 * that should have looked before `deadSince` and has not is taken to have been ended by hand.
 */
export async function openExpiryRun(scope: InstitutionScope, examId: string, nextAt: Date, deadSince: Date): Promise<number | undefined> {
  const [row] = await scope.sql<{ run: number }>(open, [scope.institutionId, examId, nextAt, deadSince]);
  return row?.run;
}

const earlier = statement(
  'attempt_expiries_earlier',
  'UPDATE attempt_expiries SET next_at = $3 WHERE institution_id = $1 AND exam_id = $2 AND open AND next_at > $3 RETURNING run',
);

/** Has the open run of an exam look at `nextAt`; undefined when it looks by then as it is. */
export async function lookEarlier(scope: InstitutionScope, examId: string, nextAt: Date): Promise<number | undefined> {
  const [row] = await scope.sql<{ run: number }>(earlier, [scope.institutionId, examId, nextAt]);
  return row?.run;
}

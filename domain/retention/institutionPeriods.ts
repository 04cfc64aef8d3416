import { findRetention, saveRetention } from '../../db/repositories/retention/periods';
import type { InstitutionScope } from '../../db/database';
import type { Transaction } from '../context';

/** How many days an institution may keep what is recorded of exams, and suspended people; without a period of its own it has the default. */
export const retentionBounds = {
  /** Counted from grading or voiding; of an attempt that was never submitted, from its end. */
  recording_days: { min: 30, max: 1_825, default: 180 },
  /** Counted from the end of the attempt. */
  proctoring_days: { min: 30, max: 1_825, default: 365 },
  /** Counted from the suspension. Null, the default, keeps them; 730 days are recommended. */
  suspended_days: { min: 365, max: 3_650, default: null },
} as const;

/** How many days an institution keeps what is recorded of exams, and suspended people. */
export interface RetentionPeriods {
  recording_days: number;
  proctoring_days: number;
  suspended_days: number | null;
}

/** The periods of an institution without its own. */
export const defaultRetention: RetentionPeriods = { recording_days: retentionBounds.recording_days.default, proctoring_days: retentionBounds.proctoring_days.default, suspended_days: retentionBounds.suspended_days.default };

/** Returns the periods of the institution, or the defaults. */
export async function readRetention(scope: InstitutionScope): Promise<RetentionPeriods> {
  return (await findRetention(scope)) ?? defaultRetention;
}

/** Replaces the periods of the institution. The next daily run removes by them. */
export async function replaceRetention(tx: Transaction, periods: RetentionPeriods): Promise<RetentionPeriods> {
  await saveRetention(tx, periods, tx.now);
  return periods;
}

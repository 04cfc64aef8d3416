import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

/** How many days an institution keeps what is recorded of exams, and suspended people. */
export interface RetentionPeriodsRow {
  recording_days: number;
  proctoring_days: number;
  /** After how many days suspended people are erased; null: they are kept. */
  suspended_days: number | null;
}

const find = statement('retention_find_all', 'SELECT recording_days, proctoring_days, suspended_days FROM institution_retention WHERE institution_id = $1');

/** Returns the institution's own periods; undefined if it has none. */
export async function findRetention(scope: InstitutionScope): Promise<RetentionPeriodsRow | undefined> {
  const [row] = await scope.sql<RetentionPeriodsRow>(find, [scope.institutionId]);
  return row;
}

const save = statement(
  'retention_save_all',
  `INSERT INTO institution_retention (institution_id, recording_days, proctoring_days, suspended_days, updated_at) VALUES ($1, $2, $3, $5, $4)
   ON CONFLICT (institution_id) DO UPDATE SET recording_days = EXCLUDED.recording_days, proctoring_days = EXCLUDED.proctoring_days, suspended_days = EXCLUDED.suspended_days, updated_at = EXCLUDED.updated_at`,
);

/** Sets the institution's own periods. */
export async function saveRetention(scope: InstitutionScope, { recording_days, proctoring_days, suspended_days }: RetentionPeriodsRow, now: Date): Promise<void> {
  await scope.sql(save, [scope.institutionId, recording_days, proctoring_days, now, suspended_days]);
}

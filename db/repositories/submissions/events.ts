import type { InstitutionScope } from '../../database';
import { readPage, type Order, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';
import type { AttemptStatus } from '../exams/studentExams';

/** The attempt that a submission came from. */
export interface SubmittedAttemptRow {
  id: string;
  student_id: string;
  status: AttemptStatus;
  started_at: Date;
  expires_at: Date | null;
  hidden_released_at: Date | null;
  ended_at: Date | null;
}

const attempt = statement(
  'submission_attempt',
  `SELECT a.id, a.student_id, a.status, a.started_at, a.expires_at, a.hidden_released_at, a.ended_at
     FROM submissions s JOIN attempts a ON a.id = s.attempt_id WHERE s.institution_id = $1 AND s.id = $2`,
);

/** Returns the attempt of a submission of the institution. */
export async function findAttemptOfSubmission(scope: InstitutionScope, submissionId: string): Promise<SubmittedAttemptRow | undefined> {
  const [row] = await scope.sql<SubmittedAttemptRow>(attempt, [scope.institutionId, submissionId]);
  return row;
}

// Not prepared: an attempt may have from none to 20,000 rows.
const counts = 'SELECT type, count(*)::int AS events FROM attempt_events WHERE institution_id = $1 AND attempt_id = $2 GROUP BY type ORDER BY type';

/** The number of events of each type of an attempt. */
export async function countAttemptEvents(scope: InstitutionScope, attemptId: string): Promise<Record<string, number>> {
  const rows = await scope.sql<{ type: string; events: number }>(counts, [scope.institutionId, attemptId]);
  return Object.fromEntries(rows.map(({ type, events }) => [type, events]));
}

/** One row of an attempt's feed. */
export interface AttemptEventRow {
  type: string;
  at: Date;
  detail: Record<string, unknown> | null;
}

const asHappened: Order = [
  { sql: 'v.at', type: 'timestamptz', direction: 'ASC' },
  { sql: 'v.id', type: 'text', direction: 'ASC' },
];

/** One page of an attempt's feed, in the order in which it happened. */
export function listAttemptEvents(scope: InstitutionScope, attemptId: string, page: Page): Promise<PageOf<AttemptEventRow>> {
  const conditions = [
    { sql: 'v.institution_id = $', value: scope.institutionId },
    { sql: 'v.attempt_id = $', value: attemptId },
  ];
  return readPage(scope.sql, { columns: 'v.type, v.at, v.detail', from: 'attempt_events v', conditions, order: asHappened }, page);
}

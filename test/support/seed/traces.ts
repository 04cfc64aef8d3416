import type { TestApi, TestInstitution } from '../api';
import { newId } from '../../../domain/ids';
import { seedAttemptFile } from './files';
import { seedStudents } from './students';
import { seedSubmission } from './submissions';

/** What a test chooses of a submission that was recorded. */
export interface TraceFields {
  examId: string;
  /** Null if it is not graded. */
  gradedAt: Date | null;
  endedAt: Date;
}

/** A submission that was recorded. */
export interface Traces {
  submissionId: string;
  attemptId: string;
}

/** A student's submission with one recording and two proctoring events that have details. */
export async function seedTraces(api: TestApi, institution: TestInstitution, { examId, gradedAt, endedAt }: TraceFields): Promise<Traces> {
  const [studentId = ''] = await seedStudents(api, institution, 1, newId('stu').slice(-8));
  const grade = gradedAt === null ? {} : { status: 'graded' as const, score: 1, percentage: 1 };
  const submissionId = await seedSubmission(api, institution, { examId, studentId }, grade);
  const { sql } = api.api.domain.database;
  await sql('UPDATE submissions SET graded_at = $3 WHERE institution_id = $1 AND id = $2', [institution.id, submissionId, gradedAt]);
  const [attempt] = await sql<{ id: string }>(
    'UPDATE attempts SET started_at = $3, ended_at = $3 WHERE institution_id = $1 AND id = (SELECT attempt_id FROM submissions WHERE id = $2) RETURNING id',
    [institution.id, submissionId, endedAt],
  );
  const attemptId = attempt?.id ?? '';
  await seedAttemptFile(api, institution, attemptId, { kind: 'recording', filename: 'segment.webm' });
  await sql(
    `INSERT INTO attempt_events (attempt_id, id, institution_id, type, at, detail)
     SELECT $2, 'e' || n, $1, 'focus_gained', $3, jsonb_build_object('away_seconds', n) FROM generate_series(1, 2) n`,
    [institution.id, attemptId, endedAt],
  );
  return { submissionId, attemptId };
}

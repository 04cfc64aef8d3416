import { lockFacultyForShare } from '../../db/repositories/faculty/faculty';
import { lockExamToGrade, writeGrade, type GradedExam } from '../../db/repositories/submissions/changes';
import type { Transaction } from '../context';
import { requireFound, validationError } from '../errors';
import { invalidFaculty } from '../faculty/requireOwner';
import { percentageOf } from './percentage';
import { requestResubmission } from './requestResubmission';
import { lockNewestSubmission } from './lockNewestSubmission';

/** The score that requests a resubmission instead of giving a grade. */
export const resubmissionScore = -1;

/** A grading: a score of up to two decimals, or {@link resubmissionScore}. */
export interface Grading {
  score: number;
  feedback?: string | null | undefined;
  /** A faculty member by id or login email; the exam's owner if absent. */
  graded_by?: string | null | undefined;
}

// The owner is the default even if suspended by now, because a grader is required.
async function resolveGrader(tx: Transaction, { graded_by: named }: Grading, exam: GradedExam): Promise<string> {
  if (named == null) return exam.faculty_id;
  const grader = await lockFacultyForShare(tx, named);
  if (grader?.status === 'active') return grader.id;
  throw invalidFaculty('graded_by');
}

/** Returns the result of a score under the exam's rules; null for a resubmission request. */
function computeScore({ score }: Grading, exam: GradedExam, isLate: boolean): { score: number; max_score: number; percentage: number; late_penalty_percentage: number } | null {
  if (score === resubmissionScore) return null;
  const penalty = isLate ? exam.late_penalty_percentage : 0;
  return { score, max_score: exam.max_score, percentage: percentageOf(score, exam.max_score, penalty), late_penalty_percentage: penalty };
}

/**
 * Grades a submission, also a second time, or requests a resubmission (section Submissions, POST …/grade). A late
 * submission gets the exam's present penalty. Emits `exam.graded` in both cases; a resubmission request also starts emails
 * to the student and their verified guardians. `validation_error` above the exam's max_score, `invalid_faculty` for the
 * grader, `conflict` for an older or voided version, `not_found` for an unknown one.
 */
export async function gradeSubmission(tx: Transaction, id: string, grading: Grading): Promise<void> {
  const verdict = grading.score === resubmissionScore ? 'resubmission_required' : 'graded';
  const exam = requireFound(await lockExamToGrade(tx, id, verdict), 'submission');
  if (grading.score > exam.max_score) throw validationError({ path: 'score', message: `score must be at most ${exam.max_score}, the max_score of the exam` });
  const grader = await resolveGrader(tx, grading, exam);
  const { student_id, is_late } = await lockNewestSubmission(tx, id, verdict, 'conflict');
  const gradeValues = computeScore(grading, exam, is_late);
  await writeGrade(tx, id, { status: verdict, gradeValues, feedback: grading.feedback ?? null, graded_by: grader }, tx.now);
  tx.emit('exam.graded', {
    submission_id: id,
    exam_id: exam.id,
    student_id,
    score: gradeValues?.score ?? null,
    max_score: exam.max_score,
    resubmission_required: gradeValues === null,
  });
  if (gradeValues === null) await requestResubmission(tx, exam.id, id);
}

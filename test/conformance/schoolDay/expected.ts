import { attemptsOf, newestOf, versionsOf, type ExamRecord, type Sitting, type VersionRecord } from './schoolRecord';
import { terms } from './plan';

const rounded = (value: number): number => Math.round(value * 100) / 100;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const count = (values: readonly boolean[]): number => values.filter(Boolean).length;

const newest = ({ sittings }: ExamRecord): VersionRecord[] => sittings.flatMap((sitting) => newestOf(sitting) ?? []);
const percentages = (exam: ExamRecord): number[] =>
  newest(exam).flatMap(({ status, grade }) => (status === 'graded' && grade !== null ? [grade.percentage] : [])).sort((a, b) => a - b);

/** A mean of percentages: the sum in whole hundredths. */
const meanOf = (values: readonly number[]): number => Math.round(sum(values.map((value) => Math.round(value * 100))) / values.length) / 100;

/** What `GET /exams/{id}` counts. */
export function expectedStats(exam: ExamRecord): object {
  const standing = newest(exam).map(({ status }) => status);
  return {
    assigned: exam.sittings.length,
    started: count(exam.sittings.map(({ attempts }) => attempts.length > 0)),
    submitted: count(standing.map((status) => status !== 'voided')),
    graded: count(standing.map((status) => status === 'graded')),
    average_percentage: meanOf(percentages(exam)),
  };
}

/** What the analytics of an exam come to; fractions of what is no whole number of hundredths are near. */
export function expectedAnalytics(exam: ExamRecord): object {
  const values = percentages(exam);
  const mean = sum(values) / values.length;
  const [lower = 0, upper = 0] = [values[Math.ceil(values.length / 2) - 1], values[Math.floor(values.length / 2)]];
  const standing = newest(exam).map(({ status }) => status);
  const of = (wanted: string): number => count(standing.map((status) => status === wanted));
  const durations = versionsOf(exam).map(({ submittedAt, attempt }) => Date.parse(submittedAt) - Date.parse(attempt.startedAt));
  const near = (value: number, digits: number): unknown => expect.closeTo(value, digits);
  return {
    counts: { not_submitted: exam.sittings.length - standing.length, submitted: of('submitted'), graded: of('graded'), resubmission_required: of('resubmission_required'), voided: of('voided') },
    percentage: {
      mean: meanOf(values),
      median: meanOf([lower, upper]),
      min: values[0],
      max: values.at(-1),
      standard_deviation: near(rounded(Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / values.length)), 1),
    },
    histogram: Array.from({ length: 10 }, (_, bin) => ({ from: bin * 10, to: bin * 10 + 10, count: count(values.map((value) => Math.min(Math.floor(value / 10), 9) === bin)) })),
    late_count: count(newest(exam).map(({ isLate, status }) => isLate && status !== 'voided')),
    mean_duration_seconds: near(sum(durations) / durations.length / 1000, 2),
    focus: { losses: sum(attemptsOf(exam).map(({ focusLosses }) => focusLosses)), seconds_away: sum(attemptsOf(exam).map(({ secondsAway }) => secondsAway)) },
  };
}

/** A version as `GET /submissions` lists it. */
export function expectedSubmission(exam: ExamRecord, sitting: Sitting, version: VersionRecord): object {
  const { attempt, grade } = version;
  return {
    id: version.id,
    exam_id: exam.id,
    student_id: sitting.student.id,
    student_email: sitting.student.loginEmail,
    attempt_id: attempt.id,
    version: version.version,
    is_latest: version === newestOf(sitting),
    status: version.status,
    is_late: version.isLate,
    score_detail: grade === null ? null : { score: grade.score, max_score: terms[exam.kind].max_score, percentage: grade.percentage, late_penalty_percentage: grade.penalty },
    proctoring: { focus_losses: attempt.focusLosses, seconds_away: attempt.secondsAway, recorder_errors: attempt.recorderErrors, segments: attempt.recordings.length },
    graded_by: version.gradedBy,
    graded_at: version.gradedAt,
    submitted_at: version.submittedAt,
  };
}

/** A student as `GET /exams/{id}/scores` has them. */
export function expectedScore(exam: ExamRecord, sitting: Sitting): Record<string, string | number | boolean | null> {
  const version = newestOf(sitting);
  const graded = version?.status === 'graded' ? version : undefined;
  return {
    id: sitting.student.id,
    student_id: sitting.student.plan.externalId,
    email: sitting.student.loginEmail,
    status: version?.status ?? 'not_submitted',
    score: graded?.grade?.score ?? null,
    max_score: terms[exam.kind].max_score,
    percentage: graded?.grade?.percentage ?? null,
    is_late: version?.isLate ?? null,
    submitted_at: version?.submittedAt ?? null,
    graded_at: graded?.gradedAt ?? null,
  };
}

const columns = ['email', 'student_id', 'status', 'score', 'max_score', 'percentage', 'is_late', 'submitted_at', 'graded_at'] as const;

/** The records of the export, its header first; what a spreadsheet would run has an apostrophe in front. */
export function expectedCsv(exam: ExamRecord): string[][] {
  const cell = (value: string | number | boolean | null | undefined): string => (value == null ? '' : String(value).replace(/^(?=[=+\-@])/, "'"));
  const rows = byEmail(exam).map((sitting) => {
    const score = expectedScore(exam, sitting);
    return columns.map((column) => cell(score[column]));
  });
  return [[...columns], ...rows];
}

/** The sittings of an exam by login email, bytewise. */
export const byEmail = ({ sittings }: ExamRecord): Sitting[] =>
  [...sittings].sort((a, b) => Buffer.compare(Buffer.from(a.student.loginEmail), Buffer.from(b.student.loginEmail)));

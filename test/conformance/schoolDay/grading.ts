import { expectEmail, gradeOf, newestOf, type ExamRecord, type SchoolRecord, type Sitting, type VersionRecord } from './schoolRecord';
import { terms } from './plan';

function versionToMark(sitting: Sitting): VersionRecord {
  const version = newestOf(sitting);
  if (version === undefined) throw new Error('Nothing has been handed in');
  return version;
}

/** Grades the newest version of a sitting, or asks for it again with -1. */
async function gradeVersion(book: SchoolRecord, exam: ExamRecord, sitting: Sitting, score: number, by: string | undefined): Promise<void> {
  const version = versionToMark(sitting);
  const max = terms[exam.kind].max_score;
  const grade = score === -1 ? null : gradeOf(score, { max, penalty: version.isLate ? terms[exam.kind].late_penalty_percentage : 0 });
  const answer = await book.client.callSuccessfully('POST', `/submissions/${version.id}/grade`, { score, feedback: `Seen by ${by ?? 'the owner'}`, ...(by === undefined ? {} : { graded_by: by }) });
  Object.assign(version, { status: grade === null ? 'resubmission_required' : 'graded', grade, gradedAt: answer.graded_at, gradedBy: book.teachers.find(({ login_email }) => login_email === by)?.id ?? exam.ownerId });
  const eventData = { submission_id: version.id, exam_id: exam.id, student_id: sitting.student.id, score: grade?.score ?? null, max_score: max, resubmission_required: grade === null };
  book.expectedEvents.push({ type: 'exam.graded', data: eventData });
}

/** Requests a resubmission; an email notifies its student. */
async function requestResubmission(book: SchoolRecord, exam: ExamRecord, sitting: Sitting): Promise<void> {
  await gradeVersion(book, exam, sitting, -1, undefined);
  expectEmail(book, sitting.student.plan.email);
}

/** Grades as planned, some a second time, by the teachers in turn. */
export async function grade(book: SchoolRecord, exam: ExamRecord, sitting: Sitting): Promise<void> {
  const plan = sitting.plan.attempts[sitting.versions.length - 1];
  if (plan === undefined) throw new Error('No such version is planned');
  const position = book.students.indexOf(sitting.student) % (book.teachers.length + 1);
  const by = book.teachers[position]?.login_email;
  await gradeVersion(book, exam, sitting, plan.score, by);
  if (plan.regraded !== null) await gradeVersion(book, exam, sitting, plan.regraded, by);
}

/** Voids a submission, which has no event and no email. */
async function voidSubmission(book: SchoolRecord, sitting: Sitting): Promise<void> {
  const version = versionToMark(sitting);
  expect(await book.client.callSuccessfully('POST', `/submissions/${version.id}/void`, { reason: 'Handed in for somebody else' })).toMatchObject({ status: 'voided' });
  version.status = 'voided';
}

/** What befalls a first version before the second, by how the submission goes. */
export async function replaceFirstVersion(book: SchoolRecord, exam: ExamRecord, sitting: Sitting): Promise<void> {
  const { course } = sitting.plan;
  if (course === 'resubmitted') await requestResubmission(book, exam, sitting);
  if (course === 'voided after grading') await grade(book, exam, sitting);
  if (course === 'voided' || course === 'voided after grading') await voidSubmission(book, sitting);
}

import type { SubmissionStatus } from '../../db/repositories/exams/studentExams';
import type { ApiResponse } from './api';
import { seedAttemptFile } from './seed/files';
import { seedSubmission, type SubmissionFields } from './seed/submissions';
import { examFixtureForEachTest, type ExamData, type ExamFixture } from './examFixture';

/** An exam desk with short ways to submissions. */
export interface SubmissionFixture {
  examFixture: ExamFixture;
  /** A submission of a student of its own in an exam of its own, unless they are given. */
  seed(fields?: Partial<SubmissionFields>, of?: { examId?: string; studentId?: string }): Promise<SeededSubmission>;
  /** The same, brought to a state as the service would have left it. */
  seedWithStatus(status: SubmissionStatus, of?: { examId?: string; studentId?: string; version?: number }): Promise<SeededSubmission>;
  grade(id: string, body: object): Promise<ApiResponse>;
  voidSubmission(id: string, body?: object): Promise<ApiResponse>;
  /** The submission as it stands now. */
  read(id: string): Promise<ExamData>;
  /** A file of an attempt as its upload would have left it, its bytes `hello`; answers its id. */
  file(attemptId: string, kind: 'attachment' | 'recording', filename: string): Promise<string>;
}

export interface SeededSubmission {
  id: string;
  examId: string;
  studentId: string;
}

/** What a submission of each state has been graded. */
const gradeByStatus: Record<SubmissionStatus, Partial<SubmissionFields>> = {
  submitted: {},
  graded: { score: 80, percentage: 80 },
  resubmission_required: {},
  voided: {},
};

/** Starts an API for the tests of the file that calls it, each with an institution of its own. */
export function submissionFixtureForEachTest(): SubmissionFixture {
  const examFixture = examFixtureForEachTest();
  const seed: SubmissionFixture['seed'] = async (fields = {}, { examId, studentId } = {}) => {
    const [student = ''] = studentId === undefined ? await examFixture.students(1) : [studentId];
    const of = { examId: examId ?? (await examFixture.exam()).id, studentId: student };
    return { id: await seedSubmission(examFixture.api, examFixture.institution, of, fields), ...of };
  };
  return {
    examFixture,
    seed,
    seedWithStatus: (status, { version, ...of } = {}) => seed({ status, ...gradeByStatus[status], ...(version === undefined ? {} : { version }) }, of),
    grade: (id, body) => examFixture.call('POST', `/submissions/${id}/grade`, body),
    voidSubmission: (id, body = {}) => examFixture.call('POST', `/submissions/${id}/void`, body),
    read: async (id) => (await examFixture.call('GET', `/submissions/${id}`)).data,
    file: (attemptId, kind, filename) => seedAttemptFile(examFixture.api, examFixture.institution, attemptId, { kind, filename, bytes: Buffer.from('hello') }),
  };
}

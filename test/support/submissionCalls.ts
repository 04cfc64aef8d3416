import type { SubmissionStatus } from '../../db/repositories/exams/studentExams';
import type { ApiResponse } from './api';
import type { ApiFixture, ExamData } from './apiFixture';
import { seedAttemptFile } from './seed/files';
import { seedSubmission, type SubmissionFields } from './seed/submissions';

/** Calls about submissions of a fixture's institution. */
export interface SubmissionCalls {
  /** Seeds a submission, by default of a new student in a new exam. */
  newSubmission(fields?: Partial<SubmissionFields>, of?: { examId?: string; studentId?: string }): Promise<SeededSubmission>;
  /** Seeds a submission with a status, graded as the service leaves it. */
  submissionWithStatus(status: SubmissionStatus, of?: { examId?: string; studentId?: string; version?: number }): Promise<SeededSubmission>;
  grade(id: string, body: object): Promise<ApiResponse>;
  voidSubmission(id: string, body?: object): Promise<ApiResponse>;
  readSubmission(id: string): Promise<ExamData>;
  /** Seeds a file of an attempt with the bytes `hello`; returns its id. */
  attemptFile(attemptId: string, kind: 'attachment' | 'recording', filename: string): Promise<string>;
}

export interface SeededSubmission {
  id: string;
  examId: string;
  studentId: string;
}

/** The grade of a submission of each status. */
const gradeByStatus: Record<SubmissionStatus, Partial<SubmissionFields>> = {
  submitted: {},
  graded: { score: 80, percentage: 80 },
  resubmission_required: {},
  voided: {},
};

/** Calls about submissions of the fixture's institution. */
export function submissionCalls({ api, institution, call, createExam, createStudents }: ApiFixture): SubmissionCalls {
  const newSubmission: SubmissionCalls['newSubmission'] = async (fields = {}, { examId, studentId } = {}) => {
    const [student = ''] = studentId === undefined ? await createStudents(1) : [studentId];
    const of = { examId: examId ?? (await createExam()).id, studentId: student };
    return { id: await seedSubmission(api, institution, of, fields), ...of };
  };
  return {
    newSubmission,
    submissionWithStatus: (status, { version, ...of } = {}) => newSubmission({ status, ...gradeByStatus[status], ...(version === undefined ? {} : { version }) }, of),
    grade: (id, body) => call('POST', `/submissions/${id}/grade`, body),
    voidSubmission: (id, body = {}) => call('POST', `/submissions/${id}/void`, body),
    readSubmission: async (id) => (await call('GET', `/submissions/${id}`)).data,
    attemptFile: (attemptId, kind, filename) => seedAttemptFile(api, institution, attemptId, { kind, filename, bytes: Buffer.from('hello') }),
  };
}

import type { SubmissionStatus } from '../../db/repositories/exams/studentExams';
import type { Answer } from './api';
import { plantAttemptFile } from './attemptFiles';
import { deskOfEachTest, type ExamAnswer, type Desk } from './examFixture';
import { plantSubmission, type SubmissionFields } from './examAttempts';

/** An exam desk with short ways to submissions. */
export interface SubmissionDesk {
  desk: Desk;
  /** A submission of a student of its own in an exam of its own, unless they are given. */
  plant(fields?: Partial<SubmissionFields>, of?: { examId?: string; studentId?: string }): Promise<PlantedSubmission>;
  /** The same, brought to a state as the service would have left it. */
  plantIn(status: SubmissionStatus, of?: { examId?: string; studentId?: string; version?: number }): Promise<PlantedSubmission>;
  grade(id: string, body: object): Promise<Answer>;
  annul(id: string, body?: object): Promise<Answer>;
  /** The submission as it stands now. */
  read(id: string): Promise<ExamAnswer>;
  /** A file of an attempt as its upload would have left it, its bytes `hello`; answers its id. */
  file(attemptId: string, kind: 'attachment' | 'recording', filename: string): Promise<string>;
}

export interface PlantedSubmission {
  id: string;
  examId: string;
  studentId: string;
}

/** What a submission of each state has been graded. */
const gradeIn: Record<SubmissionStatus, Partial<SubmissionFields>> = {
  submitted: {},
  graded: { score: 80, percentage: 80 },
  resubmission_required: {},
  voided: {},
};

/** Starts an API for the tests of the file that calls it, each with an institution of its own. */
export function submissionDeskOfEachTest(): SubmissionDesk {
  const desk = deskOfEachTest();
  const plant: SubmissionDesk['plant'] = async (fields = {}, { examId, studentId } = {}) => {
    const [student = ''] = studentId === undefined ? await desk.students(1) : [studentId];
    const of = { examId: examId ?? (await desk.exam()).id, studentId: student };
    return { id: await plantSubmission(desk.api, desk.north, of, fields), ...of };
  };
  return {
    desk,
    plant,
    plantIn: (status, { version, ...of } = {}) => plant({ status, ...gradeIn[status], ...(version === undefined ? {} : { version }) }, of),
    grade: (id, body) => desk.call('POST', `/submissions/${id}/grade`, body),
    annul: (id, body = {}) => desk.call('POST', `/submissions/${id}/void`, body),
    read: async (id) => (await desk.call('GET', `/submissions/${id}`)).data,
    file: (attemptId, kind, filename) => plantAttemptFile(desk.api, desk.north, attemptId, { kind, filename, bytes: Buffer.from('hello') }),
  };
}

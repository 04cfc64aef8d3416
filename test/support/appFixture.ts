import type { Settings } from '../../config/settings';
import { openSession } from '../../domain/signIn/sessions';
import { transact } from '../../domain/transact';
import { systemCaller, type ApiResponse } from './api';
import { examFixtureForEachTest, type ExamData, type ExamFixture } from './examFixture';

/** A student with a session of an app. */
export interface SignedInStudent {
  id: string;
  session: string;
}

/** A row of an attempt's feed. */
export interface FeedRow {
  id: string;
  type: string;
  at: Date;
  detail: object | null;
}

/** The desk of exams, with students at their apps. */
export interface AppFixture {
  readonly exams: ExamFixture;
  /** A new student, signed in. */
  student(): Promise<SignedInStudent>;
  /** A call to the platform API with a student's session. */
  callAs(who: SignedInStudent, method: string, path: string, body?: unknown): Promise<ApiResponse>;
  /** An exam that these students see. */
  examFor(students: readonly SignedInStudent[], body?: object): Promise<ExamData>;
  /** Asks for an attempt. */
  requestAttempt(who: SignedInStudent, examId: string): Promise<ApiResponse>;
  /** An attempt in progress: its id. */
  startAttempt(who: SignedInStudent, examId: string): Promise<string>;
  /** Hands in. */
  submit(who: SignedInStudent, attemptId: string, body?: object): Promise<ApiResponse>;
  /** A new student with an attempt at an exam. */
  studentWithAttempt(body?: object): Promise<{ who: SignedInStudent; examId: string; attemptId: string }>;
  /** An attempt's feed, in the order of its times. */
  feed(attemptId: string): Promise<FeedRow[]>;
  /** The states of a student's attempts at an exam, the oldest first. */
  attemptStatuses(who: SignedInStudent, examId: string): Promise<string[]>;
}

/** The paths of a refusal's issues; none where it has none. */
export const issuePaths = ({ body }: ApiResponse): string[] => (body.issues ?? []).map(({ path }: { path: string }) => path);

/** As {@link examFixtureForEachTest}, with students and their apps. */
export function appFixtureForEachTest(overrides?: () => Partial<Settings>): AppFixture {
  const exams = examFixtureForEachTest(overrides);

  const callAs: AppFixture['callAs'] = (who, method, path, body) => exams.api.platform(method, path, { key: who.session, body });
  const requestAttempt: AppFixture['requestAttempt'] = (who, examId) => callAs(who, 'POST', `/app/exams/${examId}/attempts`);
  const student: AppFixture['student'] = async () => {
    const [id = ''] = await exams.students(1);
    const { token } = await transact(exams.api.api.domain, systemCaller(exams.institution.id), (tx) => openSession(tx, id, 'student'));
    return { id, session: token };
  };
  const examFor: AppFixture['examFor'] = async (students, body = {}) => exams.exam({ group_ids: [await exams.group(students.map(({ id }) => id))], ...body });
  const startAttempt: AppFixture['startAttempt'] = async (who, examId) => {
    const { status, data, body } = await requestAttempt(who, examId);
    if (status !== 200) throw new Error(`No attempt: ${status} ${JSON.stringify(body)}`);
    return data.id;
  };
  return {
    exams,
    student,
    callAs,
    examFor,
    requestAttempt,
    startAttempt,
    submit: (who, attemptId, body = {}) => callAs(who, 'POST', `/app/attempts/${attemptId}/submit`, body),
    studentWithAttempt: async (body) => {
      const who = await student();
      const { id: examId } = await examFor([who], body);
      return { who, examId, attemptId: await startAttempt(who, examId) };
    },
    feed: (attemptId) => exams.sql<FeedRow>('SELECT id, type, at, detail FROM attempt_events WHERE attempt_id = $1 ORDER BY at, id', [attemptId]),
    attemptStatuses: async (who, examId) => {
      const rows = await exams.sql<{ status: string }>('SELECT status FROM attempts WHERE exam_id = $1 AND student_id = $2 ORDER BY started_at, id', [examId, who.id]);
      return rows.map(({ status }) => status);
    },
  };
}

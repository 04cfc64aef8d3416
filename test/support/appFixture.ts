import { openSession } from '../../domain/signIn/sessions';
import { transact } from '../../domain/transact';
import { systemCaller, type ApiResponse } from './api';
import { apiFixture, type ApiFixture, type ApiFixtureOptions, type ExamData } from './apiFixture';

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

/** An API fixture with students who are signed in to an app. */
export interface AppFixture extends ApiFixture {
  /** Creates a student and signs them in. */
  signedInStudent(): Promise<SignedInStudent>;
  /** A call to the platform API with a student's session. */
  callAs(who: SignedInStudent, method: string, path: string, body?: unknown): Promise<ApiResponse>;
  /** An exam that these students see. */
  examFor(students: readonly SignedInStudent[], body?: object): Promise<ExamData>;
  /** Requests an attempt. */
  requestAttempt(who: SignedInStudent, examId: string): Promise<ApiResponse>;
  /** Starts an attempt; returns its id. */
  startAttempt(who: SignedInStudent, examId: string): Promise<string>;
  /** Submits an attempt. */
  submit(who: SignedInStudent, attemptId: string, body?: object): Promise<ApiResponse>;
  /** Creates a signed-in student with an attempt at an exam. */
  studentWithAttempt(body?: object): Promise<{ who: SignedInStudent; examId: string; attemptId: string }>;
  /** An attempt's feed, ordered by time. */
  attemptFeed(attemptId: string): Promise<FeedRow[]>;
  /** The statuses of a student's attempts at an exam, oldest first. */
  attemptStatuses(who: SignedInStudent, examId: string): Promise<string[]>;
}

/** The paths of an error response's issues; empty without issues. */
export const issuePaths = ({ body }: ApiResponse): string[] => (body.issues ?? []).map(({ path }: { path: string }) => path);

/** Starts an API for the tests of the calling file, as {@link apiFixture} does, with students who are signed in to an app. */
export function appFixture(options?: ApiFixtureOptions): AppFixture {
  const fixture = apiFixture(options);
  const { api, institution, sql } = fixture;

  const callAs: AppFixture['callAs'] = (who, method, path, body) => api.platform(method, path, { key: who.session, body });
  const requestAttempt: AppFixture['requestAttempt'] = (who, examId) => callAs(who, 'POST', `/app/exams/${examId}/attempts`);
  const signedInStudent: AppFixture['signedInStudent'] = async () => {
    const [id = ''] = await fixture.createStudents(1);
    const { token } = await transact(api.api.domain, systemCaller(institution.id), (tx) => openSession(tx, id, 'student'));
    return { id, session: token };
  };
  const examFor: AppFixture['examFor'] = async (students, body = {}) => fixture.createExam({ group_ids: [await fixture.createGroup(students.map(({ id }) => id))], ...body });
  const startAttempt: AppFixture['startAttempt'] = async (who, examId) => {
    const { status, data, body } = await requestAttempt(who, examId);
    if (status !== 200) throw new Error(`No attempt: ${status} ${JSON.stringify(body)}`);
    return data.id;
  };
  return {
    ...fixture,
    signedInStudent,
    callAs,
    examFor,
    requestAttempt,
    startAttempt,
    submit: (who, attemptId, body = {}) => callAs(who, 'POST', `/app/attempts/${attemptId}/submit`, body),
    studentWithAttempt: async (body) => {
      const who = await signedInStudent();
      const { id: examId } = await examFor([who], body);
      return { who, examId, attemptId: await startAttempt(who, examId) };
    },
    attemptFeed: (attemptId) => sql<FeedRow>('SELECT id, type, at, detail FROM attempt_events WHERE attempt_id = $1 ORDER BY at, id', [attemptId]),
    attemptStatuses: async (who, examId) => {
      const rows = await sql<{ status: string }>('SELECT status FROM attempts WHERE exam_id = $1 AND student_id = $2 ORDER BY started_at, id', [examId, who.id]);
      return rows.map(({ status }) => status);
    },
  };
}

import type { Settings } from '../../config/settings';
import { openSession } from '../../domain/signIn/sessions';
import { transact } from '../../domain/transact';
import { systemCaller, type Answer } from './api';
import { deskOfEachTest, type ExamAnswer, type Desk } from './examFixture';

/** A student with a session of an app. */
export interface SignedIn {
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
export interface AppDesk {
  readonly exams: Desk;
  /** A new student, signed in. */
  student(): Promise<SignedIn>;
  /** A call to the platform API with a student's session. */
  as(who: SignedIn, method: string, path: string, body?: unknown): Promise<Answer>;
  /** An exam that these students see. */
  examFor(students: readonly SignedIn[], body?: object): Promise<ExamAnswer>;
  /** Asks for an attempt. */
  ask(who: SignedIn, examId: string): Promise<Answer>;
  /** An attempt in progress: its id. */
  begun(who: SignedIn, examId: string): Promise<string>;
  /** Hands in. */
  submit(who: SignedIn, attemptId: string, body?: object): Promise<Answer>;
  /** A new student with an attempt at an exam. */
  seated(body?: object): Promise<{ who: SignedIn; examId: string; attemptId: string }>;
  /** An attempt's feed, in the order of its times. */
  feed(attemptId: string): Promise<FeedRow[]>;
  /** The states of a student's attempts at an exam, the oldest first. */
  states(who: SignedIn, examId: string): Promise<string[]>;
}

/** The paths of a refusal's issues; none where it has none. */
export const issuePaths = ({ body }: Answer): string[] => (body.issues ?? []).map(({ path }: { path: string }) => path);

/** As {@link deskOfEachTest}, with students and their apps. */
export function appDeskOfEachTest(overrides?: () => Partial<Settings>): AppDesk {
  const exams = deskOfEachTest(overrides);

  const as: AppDesk['as'] = (who, method, path, body) => exams.api.platform(method, path, { key: who.session, body });
  const ask: AppDesk['ask'] = (who, examId) => as(who, 'POST', `/app/exams/${examId}/attempts`);
  const student: AppDesk['student'] = async () => {
    const [id = ''] = await exams.students(1);
    const { token } = await transact(exams.api.api.domain, systemCaller(exams.north.id), (tx) => openSession(tx, id, 'student'));
    return { id, session: token };
  };
  const examFor: AppDesk['examFor'] = async (students, body = {}) => exams.exam({ group_ids: [await exams.group(students.map(({ id }) => id))], ...body });
  const begun: AppDesk['begun'] = async (who, examId) => {
    const { status, data, body } = await ask(who, examId);
    if (status !== 200) throw new Error(`No attempt: ${status} ${JSON.stringify(body)}`);
    return data.id;
  };
  return {
    exams,
    student,
    as,
    examFor,
    ask,
    begun,
    submit: (who, attemptId, body = {}) => as(who, 'POST', `/app/attempts/${attemptId}/submit`, body),
    seated: async (body) => {
      const who = await student();
      const { id: examId } = await examFor([who], body);
      return { who, examId, attemptId: await begun(who, examId) };
    },
    feed: (attemptId) => exams.sql<FeedRow>('SELECT id, type, at, detail FROM attempt_events WHERE attempt_id = $1 ORDER BY at, id', [attemptId]),
    states: async (who, examId) => {
      const rows = await exams.sql<{ status: string }>('SELECT status FROM attempts WHERE exam_id = $1 AND student_id = $2 ORDER BY started_at, id', [examId, who.id]);
      return rows.map(({ status }) => status);
    },
  };
}

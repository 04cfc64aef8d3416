import { startAttempt } from '../../../domain/attempts/startAttempt';
import { startTransitions, type StudentExamState } from '../../../domain/attempts/transitions';
import { systemCaller } from '../../support/api';
import { appFixture, type AppFixture, type SignedInStudent } from '../../support/appFixture';
import { eventsDuring } from '../../support/events';
import { seedExamAttempt, seedSubmission } from '../../support/seed/submissions';

const fixture = appFixture();
const { api, institution, sql, signedInStudent, examFor, attemptStatuses, requestAttempt, attemptFeed, submit } = fixture;
const minute = 60_000;

/** How far a student is: the standings of the table, and an attempt whose time has run out though nobody has noted it. */
const standings = [...(Object.keys(startTransitions) as StudentExamState[]), 'expired'] as const;
type Standing = (typeof standings)[number];

/** How an exam stands towards its students. */
const exams = {
  open: {},
  'past due, late allowed': { due_date: new Date(Date.now() - minute), allow_late_submission: true },
  'past due, nothing late': { due_date: new Date(Date.now() - minute), allow_late_submission: false },
  closed: { status: 'closed', closed_at: new Date(), published_at: new Date() },
} as const;
type ExamState = keyof typeof exams;

const takesMore = (exam: ExamState): boolean => exam === 'open' || exam === 'past due, late allowed';

/** What asking for an attempt comes to, by the specification's words. */
function asked(standing: Standing, exam: ExamState): 'started' | 'resumed' | 'conflict' {
  if (!takesMore(exam)) return 'conflict';
  if (standing === 'in_progress') return 'resumed';
  return ['none', 'resubmission_required', 'voided'].includes(standing) ? 'started' : 'conflict';
}

const seedAttempt: Record<Exclude<Standing, 'none'>, (at: AppFixture, who: SignedInStudent, examId: string) => Promise<string>> = {
  in_progress: (at, who, examId) => seedExamAttempt(at.api, at.institution, { examId, studentId: who.id }),
  expired: (at, who, examId) =>
    seedExamAttempt(at.api, at.institution, { examId, studentId: who.id }, { startedAt: new Date(Date.now() - minute), expiresAt: new Date(Date.now() - 1_000) }),
  abandoned: (at, who, examId) => seedExamAttempt(at.api, at.institution, { examId, studentId: who.id }, { status: 'abandoned' }),
  submitted: (at, who, examId) => submission(at, who, examId, 'submitted'),
  graded: (at, who, examId) => submission(at, who, examId, 'graded'),
  resubmission_required: (at, who, examId) => submission(at, who, examId, 'resubmission_required'),
  voided: (at, who, examId) => submission(at, who, examId, 'voided'),
};

async function submission(at: AppFixture, { id: studentId }: SignedInStudent, examId: string, status: 'submitted' | 'graded' | 'resubmission_required' | 'voided'): Promise<string> {
  const score = status === 'graded' ? { score: 7, percentage: 7 } : {};
  const id = await seedSubmission(at.api, at.institution, { examId, studentId }, { status, ...score });
  const [row] = await at.sql<{ attempt_id: string }>('SELECT attempt_id FROM submissions WHERE id = $1', [id]);
  return row?.attempt_id ?? '';
}

/** A student who stands like that towards an exam like that, and their latest attempt, or none. */
async function placed(standing: Standing, exam: ExamState): Promise<{ who: SignedInStudent; examId: string; attemptId: string | undefined }> {
  const who = await signedInStudent();
  const { id: examId } = await examFor([who]);
  const attemptId = standing === 'none' ? undefined : await seedAttempt[standing](fixture, who, examId);
  const columns = Object.entries(exams[exam]);
  if (columns.length > 0) {
    await sql(`UPDATE exams SET ${columns.map(([name], nth) => `${name} = $${nth + 2}`).join(', ')} WHERE id = $1`, [examId, ...columns.map(([, value]) => value)]);
  }
  return { who, examId, attemptId };
}

/** Everything that is kept of a student's work on an exam. */
const kept = async ({ id }: SignedInStudent, examId: string): Promise<unknown> => [
  await sql('SELECT to_jsonb(a) AS row FROM attempts a WHERE exam_id = $1 AND student_id = $2 ORDER BY id', [examId, id]),
  await sql('SELECT to_jsonb(e) AS row FROM attempt_events e JOIN attempts a ON a.id = e.attempt_id WHERE a.exam_id = $1 ORDER BY e.id', [examId]),
  await sql('SELECT to_jsonb(s) AS row FROM submissions s WHERE exam_id = $1 ORDER BY id', [examId]),
];

const cases = standings.flatMap((standing) => (Object.keys(exams) as ExamState[]).map((exam) => ({ standing, exam })));

it.each(cases)('asking for an attempt: $standing, exam $exam', async ({ standing, exam }) => {
  const { who, examId, attemptId } = await placed(standing, exam);
  const before = await kept(who, examId);
  const states = await attemptStatuses(who, examId);
  const expected = asked(standing, exam);
  const events = await eventsDuring(api, institution, async () => {
    const { status, body, data } = await requestAttempt(who, examId);
    const said = status === 200 ? (data.resumed === true ? 'resumed' : 'started') : body.error;
    expect([said, status]).toEqual([expected, expected === 'conflict' ? 409 : 200]);
  });
  expect(events.map(({ type }) => type)).toEqual(expected === 'started' ? ['exam.attempt_started'] : []);
  if (expected === 'started') expect(await attemptStatuses(who, examId)).toEqual([...states, 'in_progress']);
  else if (expected === 'resumed') expect((await attemptFeed(attemptId ?? '')).map(({ type }) => type)).toEqual(['attempt_resumed']);
  else if (standing === 'expired') expect(await attemptStatuses(who, examId)).toEqual(['abandoned']);
  else expect(await kept(who, examId)).toEqual(before);
});

it.each(cases.filter(({ standing }) => standing !== 'none'))('submitting the latest attempt: $standing, exam $exam', async ({ standing, exam }) => {
  const { who, examId, attemptId = '' } = await placed(standing, exam);
  const before = await kept(who, examId);
  const legal = standing === 'in_progress' && takesMore(exam);
  const events = await eventsDuring(api, institution, async () => {
    const { status, data } = await submit(who, attemptId);
    expect([status, data?.is_late]).toEqual(legal ? [200, exam !== 'open'] : [409, undefined]);
  });
  expect(events.map(({ type }) => type)).toEqual(legal ? ['exam.submitted'] : []);
  if (legal) expect(await attemptStatuses(who, examId)).toEqual(['submitted']);
  else expect(await kept(who, examId)).toEqual(before);
});

it('an attempt that has run out is recorded once, in any order of calls', async () => {
  const { who, examId, attemptId = '' } = await placed('expired', 'open');
  const { domain } = api.api;
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => startAttempt(domain, systemCaller(institution.id), examId, who.id)));
  expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
  expect((await attemptFeed(attemptId)).map(({ type }) => type)).toEqual(['attempt_abandoned']);
});

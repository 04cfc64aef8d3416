import type { SubmissionStatus } from '../../../db/repositories/exams/studentExams';
import { submissionTransitions, type ReviewStatus } from '../../../domain/submissions/transitions';
import { errorSummary } from '../../support/responses';
import { eventsDuring } from '../../support/events';
import { apiFixture } from '../../support/apiFixture';
import { submissionCalls, type SeededSubmission } from '../../support/submissionCalls';

/**
 * The steps of the specification (section States, Submission) and of the record of decisions: from each state, what
 * leads where.
 */
const specified: Record<SubmissionStatus, readonly SubmissionStatus[]> = {
  submitted: ['graded', 'resubmission_required', 'voided'],
  graded: ['graded', 'resubmission_required', 'voided'],
  resubmission_required: ['graded', 'resubmission_required'],
  voided: [],
};

const fixture = apiFixture();
const { api, institution, sql } = fixture;
const { grade, voidSubmission, submissionWithStatus, readSubmission } = submissionCalls(fixture);

/** What an integrator does to bring a submission to a state, and how it is refused. */
const stepTo: Record<ReviewStatus, { does: (id: string) => ReturnType<typeof grade>; refusedWith: string; score: number | null }> = {
  graded: { does: (id) => grade(id, { score: 40, feedback: 'Half of it' }), refusedWith: 'conflict', score: 40 },
  resubmission_required: { does: (id) => grade(id, { score: -1, feedback: 'Once more' }), refusedWith: 'conflict', score: null },
  voided: { does: (id) => voidSubmission(id, { reason: 'Not theirs' }), refusedWith: 'void_failed', score: null },
};

const states: SubmissionStatus[] = ['submitted', 'graded', 'resubmission_required', 'voided'];
const verdicts: ReviewStatus[] = ['graded', 'resubmission_required', 'voided'];

/** Everything that is kept of a submission and its exam's notices. */
const kept = async ({ id, examId }: SeededSubmission): Promise<unknown> => [
  await sql('SELECT to_jsonb(s) AS submission FROM submissions s WHERE s.id = $1', [id]),
  await sql('SELECT to_jsonb(n) AS notice FROM exam_notices n WHERE n.exam_id = $1', [examId]),
  await sql('SELECT last_notice FROM exams WHERE id = $1', [examId]),
];

it('the table of the states is the one of the specification', () => {
  expect(submissionTransitions).toEqual(specified);
});

it('every state but the first is reached by an operation', () => {
  expect(new Set(Object.values(submissionTransitions).flat())).toEqual(new Set(verdicts));
});

it('a voided submission that is graded is answered with what to do; one that is voided again is not', async () => {
  const { id } = await submissionWithStatus('voided');
  const next = "grade that of the student's next attempt, which voiding allows while the exam takes submissions.";
  expect((await grade(id, { score: 40 })).body.message).toBe(`A submission that is voided cannot be graded: ${next}`);
  expect((await grade(id, { score: -1 })).body.message).toBe(`A submission that is voided cannot be returned for resubmission: ${next}`);
  expect((await voidSubmission(id, {})).body.message).toBe('A submission that is voided cannot be voided.');
});

const steps = states.flatMap((from) =>
  verdicts.map((to) => ({ from, to, outcome: specified[from].includes(to) ? `leads to ${to}` : `is refused as ${stepTo[to].refusedWith}` })),
);

// Contract: submissions.states.graded, submissions.grade.event, submissions.states.resubmission-required, submissions.resubmission.event
// Contract: submissions.states.voided, submissions.void.void-failed, submissions.grade.minus-one-requests-resubmission, events.exam-graded.data
// Contract: events.exam-graded.grade-or-resubmission, errors.409.void-failed
describe.each(steps)('a step to $to', ({ from, to, outcome }) => {
  const { does, refusedWith, score } = stepTo[to];

  it(`of a submission that is ${from} ${outcome}`, async () => {
    const seeded = await submissionWithStatus(from);
    if (!specified[from].includes(to)) return expectRefused(seeded);
    const events = await eventsDuring(api, institution, async () => {
      const { status, data } = await does(seeded.id);
      expect([status, data.status]).toEqual([200, to]);
      const { recordings: _recordings, ...answered } = data;
      expect(await readSubmission(seeded.id)).toMatchObject(answered);
    });
    const { id, examId, studentId } = seeded;
    const eventData = { submission_id: id, exam_id: examId, student_id: studentId, score, max_score: 100, resubmission_required: to === 'resubmission_required' };
    expect(events).toEqual(to === 'voided' ? [] : [{ type: 'exam.graded', data: eventData }]);
    expect(await sql('SELECT number, submission_id FROM exam_notices WHERE exam_id = $1', [examId])).toEqual(
      to === 'resubmission_required' ? [{ number: 1, submission_id: id }] : [],
    );
  });

  it(`of an older version that was ${from} is refused as ${refusedWith}`, async () => {
    const seeded = await submissionWithStatus(from);
    await submissionWithStatus('submitted', { ...seeded, version: 2 });
    await expectRefused(seeded);
  });

  async function expectRefused(seeded: SeededSubmission): Promise<void> {
    const before = await kept(seeded);
    const events = await eventsDuring(api, institution, async () => {
      expect(errorSummary(await does(seeded.id))).toEqual([409, refusedWith]);
    });
    expect([events, await kept(seeded)]).toEqual([[], before]);
  }
});

import type { EnrollmentStatus } from '../../../db/repositories/alpha/enrollments';
import { writableStatuses } from '../../../domain/alpha/changeEnrollment';
import { enrollmentTransitions } from '../../../domain/alpha/transitions';
import { appFixture } from '../../support/appFixture';
import { alphaCalls, type Learner } from '../../support/alphaCalls';
import { errorSummary } from '../../support/responses';
import { eventsDuring } from '../../support/events';

/** The steps of the specification (Alpha Learning): from each state, what leads where. */
const specified: Record<EnrollmentStatus, readonly EnrollmentStatus[]> = {
  active: ['paused', 'withdrawn', 'completed'],
  paused: ['active', 'withdrawn'],
  completed: [],
  withdrawn: [],
};

const fixture = appFixture();
const { api, institution, sql, call } = fixture;
const { createLearner, reportProgress, setEnrollmentStatus, enroll } = alphaCalls(fixture);
const states: EnrollmentStatus[] = ['active', 'paused', 'completed', 'withdrawn'];

/** A student whose enrollment is in a state. */
async function learnerIn(status: EnrollmentStatus): Promise<Learner> {
  const who = await createLearner({ concepts: 1 });
  if (status === 'completed') await reportProgress(who, { score: 80 });
  else await setEnrollmentStatus(who.enrollmentId, status);
  return who;
}

const kept = async ({ enrollmentId }: Learner): Promise<unknown> => (await sql('SELECT to_jsonb(n) AS row FROM alpha_enrollments n WHERE id = $1', [enrollmentId]))[0];

it('the table of the states is the one of the specification', () => {
  expect(enrollmentTransitions).toEqual(specified);
});

it('every state is reached by PATCH, but for completed', () => {
  expect([...writableStatuses].sort()).toEqual(states.filter((status) => status !== 'completed').sort());
});

const steps = states.flatMap((from) =>
  writableStatuses.map((to) => ({ from, to, outcome: from === to ? 'changes nothing' : specified[from].includes(to) ? 'is done' : 'is a conflict' })),
);

// Contract: alpha.enrollments.fields, alpha.enrollments.update-body
it.each(steps)('a PATCH of $from to $to $outcome', async ({ from, to, outcome }) => {
  const who = await learnerIn(from);
  const before = await kept(who);
  const events = await eventsDuring(api, institution, async () => {
    const answer = await setEnrollmentStatus(who.enrollmentId, to);
    if (outcome === 'is a conflict') expect(errorSummary(answer)).toEqual([409, 'conflict']);
    else expect([answer.status, answer.data.id, answer.data.status]).toEqual([200, who.enrollmentId, to]);
  });
  expect(events).toEqual([]);
  if (outcome === 'is done') expect(await kept(who)).not.toEqual(before);
  else expect(await kept(who)).toEqual(before);
});

it.each(['completed', 'expired', null, 1])('a PATCH to %j is refused with its path', async (status) => {
  const who = await createLearner();
  expect(errorSummary(await call('PATCH', `/alpha/enrollments/${who.enrollmentId}`, { status }))).toEqual([422, 'validation_error', ['status']]);
});

it.each([
  ['active', 200],
  ['completed', 200],
  ['paused', 409],
  ['withdrawn', 409],
] as const)('progress in an enrollment that is %s is answered %i', async (status, answered) => {
  const who = await learnerIn(status);
  expect((await reportProgress(who)).status).toBe(answered);
});

it('a withdrawn student who is enrolled again keeps what they mastered, and completes with the last concept', async () => {
  const who = await createLearner({ concepts: 2 });
  await reportProgress(who, { score: 90 });
  await setEnrollmentStatus(who.enrollmentId, 'withdrawn');
  const { data } = await enroll(who.curriculumId, [who.id]);
  const again = { ...who, enrollmentId: data.enrollments[0].id };
  const { data: after } = await reportProgress(again, { concept_id: 'c2', score: 80 });
  expect(after.enrollment).toEqual({ id: again.enrollmentId, status: 'completed', mastered: 2, concepts: 2 });
});

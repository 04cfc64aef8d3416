import fc from 'fast-check';
import type { SubmissionStatus } from '../../../db/repositories/exams/studentExams';
import { appFixture, type SignedInStudent } from '../../support/appFixture';
import { submissionTransitions, type ReviewStatus } from '../../../domain/submissions/transitions';

const fixture = appFixture();
const { call, requestAttempt, submit, signedInStudent, examFor, listAt } = fixture;

type Step = 'submit' | ReviewStatus;

const stepOn: Record<ReviewStatus, (id: string) => ReturnType<typeof fixture.call>> = {
  graded: (id) => call('POST', `/submissions/${id}/grade`, { score: 50 }),
  resubmission_required: (id) => call('POST', `/submissions/${id}/grade`, { score: -1 }),
  voided: (id) => call('POST', `/submissions/${id}/void`, {}),
};

/** A student may hand in while there is nothing, and where it is to be made again or does not count. */
const mayHandIn = (versions: readonly Version[]): boolean => ['resubmission_required', 'voided', undefined].includes(versions.at(-1)?.status);

interface Version {
  id: string;
  status: SubmissionStatus;
}

/** Does a step as the app or an integrator would, and notes in the model what must have come of it. */
async function take(step: Step, who: SignedInStudent, examId: string, versions: Version[]): Promise<void> {
  if (step === 'submit') {
    const { status, data } = await requestAttempt(who, examId);
    expect(status).toBe(mayHandIn(versions) ? 200 : 409);
    if (status !== 200) return;
    const handed = await submit(who, data.id, {});
    expect([handed.status, handed.data.version]).toEqual([200, versions.length + 1]);
    versions.push({ id: handed.data.id, status: 'submitted' });
    return;
  }
  for (const older of versions.slice(0, -1)) expect((await stepOn[step](older.id)).status).toBe(409);
  const latest = versions.at(-1);
  if (latest === undefined) return;
  const legal = submissionTransitions[latest.status].includes(step);
  expect((await stepOn[step](latest.id)).status).toBe(legal ? 200 : 409);
  if (legal) latest.status = step;
}

// Contract: submissions.version.increments-and-stays-readable, submissions.resubmit.new-version
it('for any actions in any order: versions count up without gaps, the newest alone changes and counts', async () => {
  const steps = fc.array(fc.constantFrom<Step>('submit', 'submit', 'graded', 'resubmission_required', 'resubmission_required', 'voided'), { minLength: 1, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const who = await signedInStudent();
      const { id: examId } = await examFor([who]);
      const versions: Version[] = [];
      for (const step of taken) await take(step, who, examId, versions);

      const newestFirst = versions.map(({ id, status }, nth) => ({ id, status, version: nth + 1 })).reverse();
      const { data: listed } = await listAt('/submissions', { exam_id: examId });
      expect(listed.items.map(({ id, status, version, is_latest }: Record<string, unknown>) => ({ id, status, version, is_latest }))).toEqual(
        newestFirst.map((one, nth) => ({ ...one, is_latest: nth === 0 })),
      );
      for (const { id } of versions) {
        const { data } = await call('GET', `/submissions/${id}`);
        expect(data.versions).toEqual(newestFirst.map((one) => ({ ...one, submitted_at: expect.any(String) })));
      }
      const { data: scores } = await call('GET', `/exams/${examId}/scores`);
      const status = versions.at(-1)?.status ?? 'not_submitted';
      expect(scores.items).toEqual([expect.objectContaining({ id: who.id, status, score: status === 'graded' ? 50 : null })]);
      const { data: analytics } = await call('GET', `/exams/${examId}/analytics`);
      const none = { not_submitted: 0, submitted: 0, graded: 0, resubmission_required: 0, voided: 0 };
      expect([analytics.counts, analytics.percentage.mean]).toEqual([{ ...none, [status]: 1 }, status === 'graded' ? 50 : null]);
    }),
    { numRuns: 15 },
  );
});

import { recordProgress, type ProgressOutcome, type ProgressReport } from '../../domain/alpha/recordProgress';
import { newId } from '../../domain/ids';
import { transact } from '../../domain/transact';
import { systemCaller, type ApiResponse } from './api';
import { appFixtureForEachTest, type AppFixture, type SignedInStudent } from './appFixture';
import { chainOf, publishedCurriculum } from './curricula';

/** A student, signed in, with an enrollment. */
export interface Learner extends SignedInStudent {
  enrollmentId: string;
  curriculumId: string;
}

/** The desk of students with their apps, for Alpha Learning. */
export interface AlphaFixture extends AppFixture {
  /** A published curriculum of the institution's own, of so many concepts `c1`, `c2` …; answers its id. */
  curriculum(concepts?: number): Promise<string>;
  /** A student enrolled in a curriculum of so many concepts, or in the one named. */
  learner(of?: { concepts?: number; curriculumId?: string; minutes?: number }): Promise<Learner>;
  /** Enrolls students over the public API. */
  enroll(curriculumId: string, student_ids: readonly string[], further?: object): Promise<ApiResponse>;
  /** Tells of progress as the app does: 50 of 100 in `c1` within 10 minutes unless it says otherwise. */
  reportProgress(who: Learner, told?: Partial<ProgressReport>): Promise<ApiResponse>;
  /** The same at a moment of the test's choice, past HTTP. */
  reportProgressAt(who: Learner, now: Date, told?: Partial<ProgressReport>): Promise<ProgressOutcome>;
  /** Brings an enrollment to a state. */
  setEnrollmentStatus(enrollmentId: string, status: string): Promise<ApiResponse>;
  /** Gives points: 10 under a ref of its own unless it says otherwise. */
  award(student: string, body?: object): Promise<ApiResponse>;
  /** The drill-down. */
  drillDown(student: string): Promise<ApiResponse>;
}

/** As {@link appFixtureForEachTest}, for Alpha Learning. */
export function alphaFixtureForEachTest(): AlphaFixture {
  const desk = appFixtureForEachTest();
  const { exams } = desk;
  const curriculum: AlphaFixture['curriculum'] = (concepts = 3) => publishedCurriculum(exams.api, { 'x-actor': exams.institution.adminId }, { concepts: chainOf(concepts) });
  const enroll: AlphaFixture['enroll'] = (curriculum_id, student_ids, further = {}) => exams.call('POST', '/alpha/enrollments', { curriculum_id, student_ids, ...further });
  const progressReport = (who: Learner, given: Partial<ProgressReport> = {}): ProgressReport => ({ enrollment_id: who.enrollmentId, concept_id: 'c1', score: 50, minutes: 10, ref: newId('evt'), ...given });
  return {
    ...desk,
    curriculum,
    enroll,
    learner: async ({ concepts, curriculumId, minutes = 30 } = {}) => {
      const who = await desk.student();
      const wanted = curriculumId ?? (await curriculum(concepts));
      const { data } = await enroll(wanted, [who.id], { daily_target_minutes: minutes });
      return { ...who, curriculumId: wanted, enrollmentId: data.enrollments[0].id };
    },
    reportProgress: (who, given) => desk.callAs(who, 'POST', '/app/alpha/progress', progressReport(who, given)),
    reportProgressAt: (who, now, given) => transact(exams.api.api.domain, systemCaller(exams.institution.id, now), (tx) => recordProgress(tx, who.id, progressReport(who, given))),
    setEnrollmentStatus: (enrollmentId, status) => exams.call('PATCH', `/alpha/enrollments/${enrollmentId}`, { status }),
    award: (student, body = {}) => exams.call('POST', `/alpha/students/${student}/points`, { points: 10, ref: newId('evt'), ...body }),
    drillDown: (student) => exams.call('GET', `/alpha/students/${student}`),
  };
}

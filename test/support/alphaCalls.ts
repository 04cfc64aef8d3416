import { recordProgress, type ProgressOutcome, type ProgressReport } from '../../domain/alpha/recordProgress';
import { newId } from '../../domain/ids';
import { transact } from '../../domain/transact';
import { systemCaller, type ApiResponse } from './api';
import type { AppFixture, SignedInStudent } from './appFixture';
import { chainOf, publishedCurriculum } from './curricula';

/** A student, signed in, with an enrollment. */
export interface Learner extends SignedInStudent {
  enrollmentId: string;
  curriculumId: string;
}

/** Alpha Learning calls of a fixture's institution and students. */
export interface AlphaCalls {
  /** Creates and publishes a curriculum with that many concepts `c1`, `c2` …; returns its id. */
  createCurriculum(concepts?: number): Promise<string>;
  /** Creates a signed-in student, enrolled in a curriculum of that many concepts or in the given one. */
  createLearner(of?: { concepts?: number; curriculumId?: string; minutes?: number }): Promise<Learner>;
  /** Enrolls students over the public API. */
  enroll(curriculumId: string, student_ids: readonly string[], further?: object): Promise<ApiResponse>;
  /** Reports progress as the app does: by default 50 of 100 in `c1` within 10 minutes. */
  reportProgress(who: Learner, fields?: Partial<ProgressReport>): Promise<ApiResponse>;
  /** The same at a given time, without HTTP. */
  reportProgressAt(who: Learner, now: Date, fields?: Partial<ProgressReport>): Promise<ProgressOutcome>;
  /** Sets the status of an enrollment. */
  setEnrollmentStatus(enrollmentId: string, status: string): Promise<ApiResponse>;
  /** Awards points: by default 10 with a new ref. */
  award(student: string, body?: object): Promise<ApiResponse>;
  /** The progress of a student, as `GET /alpha/students/{id}` shows it. */
  drillDown(student: string): Promise<ApiResponse>;
}

/** Alpha Learning calls with the fixture's institution and students. */
export function alphaCalls({ api, institution, call, callAs, signedInStudent }: AppFixture): AlphaCalls {
  const createCurriculum: AlphaCalls['createCurriculum'] = (concepts = 3) => publishedCurriculum(api, { 'x-actor': institution.adminId }, { concepts: chainOf(concepts) });
  const enroll: AlphaCalls['enroll'] = (curriculum_id, student_ids, further = {}) => call('POST', '/alpha/enrollments', { curriculum_id, student_ids, ...further });
  const progressReport = (who: Learner, fields: Partial<ProgressReport> = {}): ProgressReport => ({ enrollment_id: who.enrollmentId, concept_id: 'c1', score: 50, minutes: 10, ref: newId('evt'), ...fields });
  return {
    createCurriculum,
    enroll,
    createLearner: async ({ concepts, curriculumId, minutes = 30 } = {}) => {
      const who = await signedInStudent();
      const wanted = curriculumId ?? (await createCurriculum(concepts));
      const { data } = await enroll(wanted, [who.id], { daily_target_minutes: minutes });
      return { ...who, curriculumId: wanted, enrollmentId: data.enrollments[0].id };
    },
    reportProgress: (who, fields) => callAs(who, 'POST', '/app/alpha/progress', progressReport(who, fields)),
    reportProgressAt: (who, now, fields) => transact(api.api.domain, systemCaller(institution.id, now), (tx) => recordProgress(tx, who.id, progressReport(who, fields))),
    setEnrollmentStatus: (enrollmentId, status) => call('PATCH', `/alpha/enrollments/${enrollmentId}`, { status }),
    award: (student, body = {}) => call('POST', `/alpha/students/${student}/points`, { points: 10, ref: newId('evt'), ...body }),
    drillDown: (student) => call('GET', `/alpha/students/${student}`),
  };
}

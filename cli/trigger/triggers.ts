import type { EventType } from '../eventPattern';
import type { Scene } from './scene';

/** How an event comes about. */
export type Trigger =
  | {
      /** Makes the calls that cause it. */
      cause(scene: Scene): Promise<unknown>;
      /** Whether it is about a student, who may be given. */
      student?: 'may be given';
    }
  | {
      /** Why no call of a test key causes it, and what does. */
      unavailable: string;
    };

const student = 'may be given';

/** Each event type of the service, and how a test key causes it. */
export const triggers: Record<EventType, Trigger> = {
  // It is neither among the events nor the deliveries: its endpoint alone gets it.
  ping: { cause: (scene) => scene.ping() },
  'student.created': { cause: (scene) => scene.student() },
  'student.updated': { cause: (scene) => scene.updatedStudent(), student },
  'student.email_mapped': { cause: (scene) => scene.studentWithEmail(), student },
  'faculty.created': { cause: (scene) => scene.facultyMember() },
  'faculty.profile_completed': {
    unavailable: 'A teacher completes their profile in the app at the first sign-in (POST /me/profile of the platform API, with their session); no call of a key does that.',
  },
  'license.generated': { cause: (scene) => scene.student() },
  'license.expired': { cause: (scene) => scene.expiredLicense(), student },
  'license.device_registered': { cause: (scene) => scene.device(), student },
  'exam.published': { cause: (scene) => scene.exam(), student },
  'exam.assigned': { cause: (scene) => scene.exam(), student },
  'exam.attempt_started': { cause: (scene) => scene.attempt(), student },
  'exam.submitted': { cause: (scene) => scene.submission(), student },
  'exam.graded': { cause: (scene) => scene.grade(), student },
  'guardian.invited': { cause: (scene) => scene.guardian(), student },
  'guardian.verified': { cause: (scene) => scene.verifiedGuardian(), student },
  'alpha.points_awarded': { cause: (scene) => scene.points(), student },
  'alpha.badge_granted': { cause: (scene) => scene.badge(), student },
  'merits.credited': { cause: (scene) => scene.credit(), student },
  'coupon.batch_requested': { cause: (scene) => scene.couponBatch() },
  'coupon.batch_approved': { cause: (scene) => scene.approvedBatch() },
  'coupon.redeemed': { cause: (scene) => scene.redeemedCoupon(), student },
  'endpoint.failing': { unavailable: 'It happens to an endpoint whose receiver fails for 36 hours: let one answer 500, and move the clock of the sandbox by two hours at a time, with an event before each step; then wait a minute (docs/sandbox.md, Time).' },
  'endpoint.recovered': { unavailable: 'It happens to an endpoint whose receiver answers again after endpoint.failing.' },
  'endpoint.disabled': { unavailable: 'It happens to an endpoint whose receiver answers 410, or fails for 72 hours.' },
};

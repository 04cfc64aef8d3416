import { exampleId, examples, exampleTimes } from '../exampleSchool';
import type { EventData, EventType } from './eventTypes';

/** The envelope of an event of one type. */
interface Envelope<Type extends EventType> {
  id: string;
  type: Type;
  created_at: string;
  institution_id: string;
  data: EventData[Type];
}

/** An event with its envelope; of several types, one that its type tells apart. */
export type EventOf<Type extends EventType> = { [Each in Type]: Envelope<Each> }[Type];

/** An event of the example school; ids end with another character each. */
function sample<Type extends EventType>(type: Type, idEnd: string, created_at: string, data: EventData[Type]): Envelope<Type> {
  return { id: `${exampleId('evt').slice(0, -1)}${idEnd}`, type, created_at, institution_id: examples.institution.id, data };
}

const { student, teacher, guardian, group, exam, license, teacherLicense, seat, endpoint, award, credit, couponBatch } = examples;
const studentLicense = { license_id: license.id, license_type: license.license_type, user_id: student.id };
const submitted = { submission_id: exampleId('sub'), exam_id: exam.id, student_id: student.id };
const guardianLink = { guardian_id: guardian.id, student_id: student.id, guardian_type: guardian.guardian_type };
const batch = { batch_id: couponBatch.id, total_coupons: couponBatch.total_coupons, value_cents: couponBatch.value_cents };
const times = exampleTimes;

/** A sample of each event type with its envelope: what happened at the school of the examples. */
export const eventSamples: { [Type in EventType]: Envelope<Type> } = {
  ping: sample('ping', '0', times.pinged, { endpoint_id: endpoint.id }),
  'student.created': sample('student.created', '1', times.studentCreated, { student_id: student.id, login_email: student.login_email, status: 'pending' }),
  'student.updated': sample('student.updated', '2', times.studentActive, { student_id: student.id, changed: ['status'], status: 'active' }),
  'student.email_mapped': sample('student.email_mapped', '3', times.emailMapped, { student_id: student.id }),
  'faculty.created': sample('faculty.created', '4', times.teacherCreated, { faculty_id: teacher.id, login_email: teacher.login_email, status: 'active' }),
  'faculty.profile_completed': sample('faculty.profile_completed', '5', times.profileCompleted, { faculty_id: teacher.id }),
  'license.generated': sample('license.generated', '6', times.licenseGenerated, { ...studentLicense, expires_at: times.licenseExpires }),
  'license.expired': sample('license.expired', '7', times.licenseSwept, { license_id: teacherLicense.id, license_type: teacherLicense.license_type, user_id: teacher.id, expired_at: times.teacherLicenseExpires }),
  'license.device_registered': sample('license.device_registered', '8', times.deviceRegistered, { license_id: license.id, user_id: student.id, seat_id: seat.id, app: seat.app, platform: seat.platform }),
  'exam.published': sample('exam.published', '9', times.examPublished, { exam_id: exam.id, faculty_id: teacher.id, app: seat.app }),
  'exam.assigned': sample('exam.assigned', 'a', times.examAssigned, { exam_id: exam.id, group_id: group.id, student_count: group.member_count }),
  'exam.attempt_started': sample('exam.attempt_started', 'b', times.attemptStarted, { attempt_id: exampleId('att'), exam_id: exam.id, student_id: student.id, started_at: times.attemptStarted, expires_at: times.attemptExpires }),
  'exam.submitted': sample('exam.submitted', 'c', times.submitted, { ...submitted, version: 1, is_late: false }),
  'exam.graded': sample('exam.graded', 'r', times.graded, { ...submitted, score: exam.score, max_score: exam.max_score, resubmission_required: false }),
  'guardian.invited': sample('guardian.invited', 'd', times.guardianInvited, guardianLink),
  'guardian.verified': sample('guardian.verified', 'e', times.guardianVerified, guardianLink),
  'alpha.points_awarded': sample('alpha.points_awarded', 'f', times.pointsAwarded, { student_id: student.id, points: award.points, balance: award.balance, ref: award.ref }),
  'alpha.badge_granted': sample('alpha.badge_granted', 'g', times.badgeGranted, { student_id: student.id, badge: 'first_mastery' }),
  'merits.credited': sample('merits.credited', 'h', times.meritsCredited, { user_id: student.id, amount_cents: credit.amount_cents, balance_cents: credit.balance_cents, source: 'credit', ref: credit.ref }),
  'coupon.batch_requested': sample('coupon.batch_requested', 'j', times.batchRequested, batch),
  'coupon.batch_approved': sample('coupon.batch_approved', 'k', times.batchApproved, batch),
  'coupon.redeemed': sample('coupon.redeemed', 'm', times.couponRedeemed, { batch_id: couponBatch.id, user_id: student.id, value_cents: couponBatch.value_cents }),
};

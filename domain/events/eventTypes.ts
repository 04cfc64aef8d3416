import Joi from 'joi';
import type { SchemaType } from '../../lib/schemaType';
import { exampleIds } from './exampleIds';

interface EventDefinition<Data extends Joi.ObjectSchema> {
  description: string;
  data: Data;
  /** Data of an example: of one story, so the same student, exam or batch has the same id in all of them. */
  sample: NoInfer<SchemaType<Data>>;
}

/** Returns the definition; the compiler holds the sample against the schema. */
const event = <Data extends Joi.ObjectSchema>(definition: EventDefinition<Data>): EventDefinition<Data> => definition;

const id = Joi.string().required();
const word = Joi.string().required();
const time = Joi.string().isoDate().required();
const count = Joi.number().integer().required();

const license = { license_id: id, license_type: word, user_id: id.allow(null) };
const guardian = Joi.object({ guardian_id: id, student_id: id, guardian_type: word });
const batch = Joi.object({ batch_id: id, total_coupons: count, value_cents: count });

const sampleStudent = { student_id: exampleIds.student, login_email: 'student1.9f86d081@north.example' };
const sampleLicense = { license_id: exampleIds.license, license_type: 'student', user_id: exampleIds.student };
const sampleSubmission = { submission_id: exampleIds.submission, exam_id: exampleIds.exam, student_id: exampleIds.student };
const sampleGuardian = { guardian_id: exampleIds.guardian, student_id: exampleIds.student, guardian_type: 'mother' };
const sampleBatch = { batch_id: exampleIds.batch, total_coupons: 100, value_cents: 500 };

/**
 * The event types of the specification (section Events): when each is emitted, the shape of its `data` (ids and outcomes
 * only, never a document, a guardian's email address or a secret), and a sample of it.
 */
export const eventTypes = {
  ping: event({ description: 'A test delivery to one endpoint.', data: Joi.object({ endpoint_id: id }), sample: { endpoint_id: exampleIds.endpoint } }),
  'student.created': event({
    description: 'A student was provisioned, one at a time or in bulk.',
    data: Joi.object({ student_id: id, login_email: word, status: word }),
    sample: { ...sampleStudent, status: 'pending' },
  }),
  'student.updated': event({
    description: 'Fields or the status of a student changed; `changed` names them.',
    data: Joi.object({ student_id: id, changed: Joi.array().items(Joi.string()).required(), status: word }),
    sample: { student_id: exampleIds.student, changed: ['full_name', 'status'], status: 'active' },
  }),
  'student.email_mapped': event({
    description: 'A personal email was mapped to a student.',
    data: Joi.object({ student_id: id }),
    sample: { student_id: exampleIds.student },
  }),
  'faculty.created': event({
    description: 'A faculty member was provisioned.',
    data: Joi.object({ faculty_id: id, login_email: word, status: word }),
    sample: { faculty_id: exampleIds.faculty, login_email: 'faculty1.9f86d081@north.example', status: 'active' },
  }),
  'faculty.profile_completed': event({
    description: 'A teacher completed the profile of the first sign-in.',
    data: Joi.object({ faculty_id: id }),
    sample: { faculty_id: exampleIds.faculty },
  }),
  'license.generated': event({
    description: 'A license was created.',
    data: Joi.object({ ...license, expires_at: time.allow(null) }),
    sample: { ...sampleLicense, expires_at: '2027-11-20T09:30:00.000Z' },
  }),
  'license.expired': event({
    description: 'A license passed its expiry, found by the daily sweep or at an app check-in.',
    data: Joi.object({ ...license, expired_at: time }),
    sample: { ...sampleLicense, expired_at: '2027-11-20T09:30:00.000Z' },
  }),
  'license.device_registered': event({
    description: 'A device was registered to a license.',
    data: Joi.object({ license_id: id, user_id: id, seat_id: id, app: word, platform: word }),
    sample: { license_id: exampleIds.license, user_id: exampleIds.student, seat_id: exampleIds.seat, app: 'svcapp', platform: 'macos' },
  }),
  'exam.published': event({
    description: 'An exam was published.',
    data: Joi.object({ exam_id: id, faculty_id: id, app: word }),
    sample: { exam_id: exampleIds.exam, faculty_id: exampleIds.faculty, app: 'svccode' },
  }),
  'exam.assigned': event({
    description: 'An exam was assigned to a group; one event a group.',
    data: Joi.object({ exam_id: id, group_id: id, student_count: count }),
    sample: { exam_id: exampleIds.exam, group_id: exampleIds.group, student_count: 24 },
  }),
  'exam.attempt_started': event({
    description: 'A student started an attempt.',
    data: Joi.object({ attempt_id: id, exam_id: id, student_id: id, started_at: time, expires_at: time.allow(null) }),
    sample: {
      attempt_id: exampleIds.attempt,
      exam_id: exampleIds.exam,
      student_id: exampleIds.student,
      started_at: '2026-11-20T09:30:00.000Z',
      expires_at: '2026-11-20T11:00:00.000Z',
    },
  }),
  'exam.submitted': event({
    description: 'A student submitted; every version.',
    data: Joi.object({ submission_id: id, exam_id: id, student_id: id, version: count, is_late: Joi.boolean().required() }),
    sample: { ...sampleSubmission, version: 1, is_late: false },
  }),
  'exam.graded': event({
    description: 'A submission was graded, or a resubmission was requested (`score` null, `resubmission_required` true).',
    data: Joi.object({
      submission_id: id,
      exam_id: id,
      student_id: id,
      score: Joi.number().required().allow(null),
      max_score: Joi.number().required(),
      resubmission_required: Joi.boolean().required(),
    }),
    sample: { ...sampleSubmission, score: 87.5, max_score: 100, resubmission_required: false },
  }),
  'guardian.invited': event({ description: 'A guardian link was created.', data: guardian, sample: sampleGuardian }),
  'guardian.verified': event({ description: 'A guardian signed in for the first time.', data: guardian, sample: sampleGuardian }),
  'alpha.points_awarded': event({
    description: 'Alpha Learning points were awarded or taken.',
    data: Joi.object({ student_id: id, points: count, balance: count, ref: word.allow(null) }),
    sample: { student_id: exampleIds.student, points: 10, balance: 110, ref: 'homework-2026-11-20-ada' },
  }),
  'alpha.badge_granted': event({
    description: 'An Alpha Learning badge was granted.',
    data: Joi.object({ student_id: id, badge: word }),
    sample: { student_id: exampleIds.student, badge: 'points_100' },
  }),
  'merits.credited': event({
    description: 'A wallet was credited, from any source.',
    data: Joi.object({ user_id: id, amount_cents: count, balance_cents: count, source: word, ref: word.allow(null) }),
    sample: { user_id: exampleIds.student, amount_cents: 500, balance_cents: 1_500, source: 'credit', ref: 'prize-2026-11-20-ada' },
  }),
  'coupon.batch_requested': event({ description: 'A coupon batch was requested.', data: batch, sample: sampleBatch }),
  'coupon.batch_approved': event({ description: 'A platform admin approved a coupon batch.', data: batch, sample: sampleBatch }),
  'coupon.redeemed': event({
    description: 'A coupon was redeemed.',
    data: Joi.object({ batch_id: id, user_id: id, value_cents: count }),
    sample: { batch_id: exampleIds.batch, user_id: exampleIds.student, value_cents: 500 },
  }),
} as const satisfies Record<string, EventDefinition<Joi.ObjectSchema>>;

export type EventType = keyof typeof eventTypes;

/** `data` of each event type. */
export type EventData = { [Type in EventType]: SchemaType<(typeof eventTypes)[Type]['data']> };

/** Whether a text names an event type of the specification. */
export function isEventType(type: string): type is EventType {
  return Object.hasOwn(eventTypes, type);
}

export const eventTypeNames: readonly EventType[] = Object.keys(eventTypes).filter(isEventType);

/** Validates event data against its type's schema and returns the JSON text that is stored, signed and sent. */
export function serializeEventData<Type extends EventType>(type: Type, value: EventData[Type]): string {
  const { error } = eventTypes[type].data.validate(value, { convert: false, presence: 'required' });
  if (error) throw new Error(`The data of ${type} does not fit its schema: ${error.message}`);
  return JSON.stringify(value);
}

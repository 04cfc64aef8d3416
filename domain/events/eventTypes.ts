import Joi from 'joi';
import { licenseTypes } from '../../db/entities/license';
import { userStatuses } from '../../db/entities/user';
import { badges } from '../../db/repositories/alpha/badges';
import { appNames } from '../../db/repositories/devices/seats';
import { examApps } from '../../db/repositories/exams/columns';
import { operationalPrefix } from '../../db/repositories/events/operational';
import { facultyStatuses } from '../../db/repositories/faculty/faculty';
import { guardianTypes } from '../../db/repositories/guardians/links';
import { errorClasses } from '../../db/repositories/webhooks/attempts';
import { warningPercents } from '../../db/repositories/webhooks/warningPercents';
import type { SchemaType } from '../../lib/schemaType';
import { examples, exampleTimes } from '../exampleSchool';

interface EventDefinition<Data extends Joi.ObjectSchema> {
  description: string;
  data: Data;
  /** Data of an example: of one story, so the same student, exam or batch has the same id in all of them. */
  sample: NoInfer<SchemaType<Data>>;
}

interface DefinedEvent<Data extends Joi.ObjectSchema> extends EventDefinition<Data> {
  /** The schema of its data with the options of its check: Joi would merge them for every event. */
  checked: Joi.ObjectSchema;
}

/** Returns the definition; the compiler holds the sample against the schema. */
const event = <Data extends Joi.ObjectSchema>(definition: EventDefinition<Data>): DefinedEvent<Data> => ({
  ...definition,
  checked: definition.data.prefs({ convert: false, presence: 'required' }),
});

const id = Joi.string().required();
const word = Joi.string().required();
const time = Joi.string().isoDate().required();
const count = Joi.number().integer().required();

/** The fields of a student that `student.updated` may name; `login_email` changes by an erasure alone. */
const changedStudentFields = ['full_name', 'student_id', 'login_email', 'status'] as const;
export type ChangedStudentField = (typeof changedStudentFields)[number];

/** A text of a closed set, which later releases may extend. */
const oneOf = <const Values extends readonly string[]>(values: Values) => Joi.string().valid(...values).required();

const percent = Joi.number().valid(...warningPercents).required();

const license = { license_id: id, license_type: oneOf(licenseTypes), user_id: id.allow(null) };
const guardian = Joi.object({ guardian_id: id, student_id: id, guardian_type: oneOf(guardianTypes) });
const batch = Joi.object({ batch_id: id, total_coupons: count, value_cents: count });

const { student, teacher, group, exam, attempt, submission, seat, endpoint, award, credit } = examples;
const studentLicense = { license_id: examples.license.id, license_type: examples.license.license_type, user_id: student.id };
const gradedWork = { submission_id: submission.id, exam_id: exam.id, student_id: student.id };
const guardianLink = { guardian_id: examples.guardian.id, student_id: student.id, guardian_type: examples.guardian.guardian_type };
const couponBatch = { batch_id: examples.couponBatch.id, total_coupons: examples.couponBatch.total_coupons, value_cents: examples.couponBatch.value_cents };

/**
 * The event types of the specification (section Events): when each is emitted, the shape of its `data` (ids and outcomes
 * only, never a document, a guardian's email address or a secret), and a sample of it.
 */
export const eventTypes = {
  ping: event({ description: 'A test delivery to one endpoint. Sent by POST /webhooks/endpoints/{id}/test only; appears neither in the feed nor among deliveries.', data: Joi.object({ endpoint_id: id }), sample: { endpoint_id: endpoint.id } }),
  'student.created': event({
    description: 'A student was provisioned, one at a time or in bulk.',
    data: Joi.object({ student_id: id, login_email: word, status: oneOf(userStatuses) }),
    sample: { student_id: student.id, login_email: student.login_email, status: 'pending' },
  }),
  'student.updated': event({
    description: 'Fields or the status of a student changed; `changed` names them.',
    data: Joi.object({ student_id: id, changed: Joi.array().items(Joi.string().valid(...changedStudentFields)).required().description('The names of the fields that changed.'), status: oneOf(userStatuses) }),
    sample: { student_id: student.id, changed: ['status'], status: 'active' },
  }),
  'student.email_mapped': event({
    description: 'A personal email was mapped to a student.',
    data: Joi.object({ student_id: id }),
    sample: { student_id: student.id },
  }),
  'faculty.created': event({
    description: 'A faculty member was provisioned.',
    data: Joi.object({ faculty_id: id, login_email: word, status: oneOf(facultyStatuses) }),
    sample: { faculty_id: teacher.id, login_email: teacher.login_email, status: 'active' },
  }),
  'faculty.profile_completed': event({
    description: 'A teacher completed the profile of the first sign-in.',
    data: Joi.object({ faculty_id: id }),
    sample: { faculty_id: teacher.id },
  }),
  'license.generated': event({
    description: 'A license was created.',
    data: Joi.object({ ...license, expires_at: time.allow(null) }),
    sample: { ...studentLicense, expires_at: exampleTimes.licenseExpires },
  }),
  'license.expired': event({
    description: 'A license passed its expiry. Sent once per expiry, by the daily sweep (up to a day later), or earlier when an app checks in or the license is changed.',
    data: Joi.object({ ...license, expired_at: time }),
    sample: { ...studentLicense, expired_at: exampleTimes.licenseExpires },
  }),
  'license.device_registered': event({
    description: 'A device was registered to a license.',
    data: Joi.object({ license_id: id, user_id: id, seat_id: id, app: oneOf(appNames), platform: word.description('The operating system of the device, as the app names it, such as `macos`.') }),
    sample: { license_id: examples.license.id, user_id: student.id, seat_id: seat.id, app: seat.app, platform: seat.platform },
  }),
  'exam.published': event({
    description: 'An exam was published.',
    data: Joi.object({ exam_id: id, faculty_id: id, app: oneOf(examApps) }),
    sample: { exam_id: exam.id, faculty_id: teacher.id, app: exam.app },
  }),
  'exam.assigned': event({
    description: 'An exam was assigned to a group; one event a group.',
    data: Joi.object({ exam_id: id, group_id: id, student_count: count }),
    sample: { exam_id: exam.id, group_id: group.id, student_count: group.member_count },
  }),
  'exam.attempt_started': event({
    description: 'A student started an attempt.',
    data: Joi.object({ attempt_id: id, exam_id: id, student_id: id, started_at: time, expires_at: time.allow(null) }),
    sample: {
      attempt_id: attempt.id,
      exam_id: exam.id,
      student_id: student.id,
      started_at: exampleTimes.attemptStarted,
      expires_at: exampleTimes.attemptExpires,
    },
  }),
  'exam.submitted': event({
    description: 'A student submitted; every version.',
    data: Joi.object({ submission_id: id, exam_id: id, student_id: id, version: count, is_late: Joi.boolean().required() }),
    sample: { ...gradedWork, version: 1, is_late: submission.is_late },
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
    sample: { ...gradedWork, score: submission.score, max_score: exam.max_score, resubmission_required: false },
  }),
  'guardian.invited': event({ description: 'A guardian link was created.', data: guardian, sample: guardianLink }),
  'guardian.verified': event({ description: 'A guardian signed in for the first time.', data: guardian, sample: guardianLink }),
  'alpha.points_awarded': event({
    description: 'Alpha Learning points were awarded or taken.',
    data: Joi.object({ student_id: id, points: count, balance: count, ref: word.allow(null) }),
    sample: { student_id: student.id, ...award },
  }),
  'alpha.badge_granted': event({
    description: 'An Alpha Learning badge was granted.',
    data: Joi.object({ student_id: id, badge: oneOf(badges) }),
    sample: { student_id: student.id, badge: 'first_mastery' },
  }),
  'merits.credited': event({
    description: 'A wallet was credited, from any source.',
    data: Joi.object({ user_id: id, amount_cents: count, balance_cents: count, source: oneOf(['credit', 'coupon']).description('Credited from the allowance, or by a coupon.'), ref: word.allow(null) }),
    sample: { user_id: student.id, ...credit, source: 'credit' },
  }),
  'coupon.batch_requested': event({ description: 'A coupon batch was requested.', data: batch, sample: couponBatch }),
  'coupon.batch_approved': event({ description: 'A platform admin approved a coupon batch.', data: batch, sample: couponBatch }),
  'coupon.redeemed': event({
    description: 'A coupon was redeemed.',
    data: Joi.object({ batch_id: id, user_id: id, value_cents: count }),
    sample: { batch_id: couponBatch.batch_id, user_id: student.id, value_cents: couponBatch.value_cents },
  }),
  'endpoint.failing': event({
    description: 'A webhook endpoint has failed for 50, 70 or 90 % of the time after which it is disabled; once each.',
    data: Joi.object({
      endpoint_id: id,
      percent,
      failing_since: time,
      disable_at: time,
      consecutive_failures: count,
      response_code: count.allow(null),
      error_class: oneOf(errorClasses).allow(null).description('Where the last attempt failed.'),
    }),
    sample: { endpoint_id: endpoint.id, percent: 50, failing_since: exampleTimes.endpointFailed, disable_at: exampleTimes.endpointToBeDisabled, consecutive_failures: 431, response_code: 503, error_class: 'http' },
  }),
  'endpoint.recovered': event({
    description: 'A webhook endpoint of which `endpoint.failing` was reported accepted a delivery.',
    data: Joi.object({ endpoint_id: id, percent, failing_since: time, recovered_at: time }),
    sample: { endpoint_id: endpoint.id, percent: 50, failing_since: exampleTimes.endpointFailed, recovered_at: exampleTimes.endpointRecovered },
  }),
  'endpoint.disabled': event({
    description: 'The service disabled a webhook endpoint: `failing` for 72 hours, or its receiver answered 410 (`gone`).',
    data: Joi.object({ endpoint_id: id, reason: Joi.string().valid('failing', 'gone').required(), failing_since: time.allow(null) }),
    sample: { endpoint_id: endpoint.id, reason: 'failing', failing_since: exampleTimes.endpointFailedAgain },
  }),
} as const satisfies Record<string, DefinedEvent<Joi.ObjectSchema>>;

export type EventType = keyof typeof eventTypes;

/** `data` of each event type. */
export type EventData = { [Type in EventType]: SchemaType<(typeof eventTypes)[Type]['data']> };

/** Whether a text names an event type of the specification. */
export function isEventType(type: string): type is EventType {
  return Object.hasOwn(eventTypes, type);
}

export const eventTypeNames: readonly EventType[] = Object.keys(eventTypes).filter(isEventType);

/** Whether events of a type are operational: about the delivery of events, and only for who names them, never for `*`. */
export const isOperational = (type: string): boolean => type.startsWith(operationalPrefix);

/** Validates event data against its type's schema and returns the JSON text that is stored, signed and sent. */
export function serializeEventData<Type extends EventType>(type: Type, value: EventData[Type]): string {
  const { error } = eventTypes[type].checked.validate(value);
  if (error) throw new Error(`The data of ${type} does not fit its schema: ${error.message}`);
  return JSON.stringify(value);
}

import Joi from 'joi';
import { operationalPrefix } from '../../db/repositories/events/operational';
import { warningPercents } from '../../db/repositories/webhooks/warningPercents';
import type { SchemaType } from '../../lib/schemaType';

interface EventDefinition {
  description: string;
  data: Joi.ObjectSchema;
}

const id = Joi.string().required();
const word = Joi.string().required();
const time = Joi.string().isoDate().required();
const count = Joi.number().integer().required();

const license = { license_id: id, license_type: word, user_id: id.allow(null) };
const guardian = Joi.object({ guardian_id: id, student_id: id, guardian_type: word });
const batch = Joi.object({ batch_id: id, total_coupons: count, value_cents: count });

/**
 * The event types of the specification (section Events): when each is emitted, and the shape of its `data`: ids and
 * outcomes only, never a document, a guardian's email address or a secret.
 */
export const eventTypes = {
  ping: { description: 'A test delivery to one endpoint.', data: Joi.object({ endpoint_id: id }) },
  'student.created': {
    description: 'A student was provisioned, one at a time or in bulk.',
    data: Joi.object({ student_id: id, login_email: word, status: word }),
  },
  'student.updated': {
    description: 'Fields or the status of a student changed; `changed` names them.',
    data: Joi.object({ student_id: id, changed: Joi.array().items(Joi.string()).required(), status: word }),
  },
  'student.email_mapped': { description: 'A personal email was mapped to a student.', data: Joi.object({ student_id: id }) },
  'faculty.created': {
    description: 'A faculty member was provisioned.',
    data: Joi.object({ faculty_id: id, login_email: word, status: word }),
  },
  'faculty.profile_completed': {
    description: 'A teacher completed the profile of the first sign-in.',
    data: Joi.object({ faculty_id: id }),
  },
  'license.generated': { description: 'A license was created.', data: Joi.object({ ...license, expires_at: time.allow(null) }) },
  'license.expired': {
    description: 'A license passed its expiry, found by the daily sweep or at an app check-in.',
    data: Joi.object({ ...license, expired_at: time }),
  },
  'license.device_registered': {
    description: 'A device was registered to a license.',
    data: Joi.object({ license_id: id, user_id: id, seat_id: id, app: word, platform: word }),
  },
  'exam.published': { description: 'An exam was published.', data: Joi.object({ exam_id: id, faculty_id: id, app: word }) },
  'exam.assigned': {
    description: 'An exam was assigned to a group; one event a group.',
    data: Joi.object({ exam_id: id, group_id: id, student_count: count }),
  },
  'exam.attempt_started': {
    description: 'A student started an attempt.',
    data: Joi.object({ attempt_id: id, exam_id: id, student_id: id, started_at: time, expires_at: time.allow(null) }),
  },
  'exam.submitted': {
    description: 'A student submitted; every version.',
    data: Joi.object({ submission_id: id, exam_id: id, student_id: id, version: count, is_late: Joi.boolean().required() }),
  },
  'exam.graded': {
    description: 'A submission was graded, or a resubmission was requested (`score` null, `resubmission_required` true).',
    data: Joi.object({
      submission_id: id,
      exam_id: id,
      student_id: id,
      score: Joi.number().required().allow(null),
      max_score: Joi.number().required(),
      resubmission_required: Joi.boolean().required(),
    }),
  },
  'guardian.invited': { description: 'A guardian link was created.', data: guardian },
  'guardian.verified': { description: 'A guardian signed in for the first time.', data: guardian },
  'alpha.points_awarded': {
    description: 'Alpha Learning points were awarded or taken.',
    data: Joi.object({ student_id: id, points: count, balance: count, ref: word.allow(null) }),
  },
  'alpha.badge_granted': { description: 'An Alpha Learning badge was granted.', data: Joi.object({ student_id: id, badge: word }) },
  'merits.credited': {
    description: 'A wallet was credited, from any source.',
    data: Joi.object({ user_id: id, amount_cents: count, balance_cents: count, source: word, ref: word.allow(null) }),
  },
  'coupon.batch_requested': { description: 'A coupon batch was requested.', data: batch },
  'coupon.batch_approved': { description: 'A platform admin approved a coupon batch.', data: batch },
  'coupon.redeemed': {
    description: 'A coupon was redeemed.',
    data: Joi.object({ batch_id: id, user_id: id, value_cents: count }),
  },
  'endpoint.failing': {
    description: 'A webhook endpoint has failed for 50, 70 or 90 % of the time after which it is disabled; once each.',
    data: Joi.object({
      endpoint_id: id,
      percent: Joi.number().valid(...warningPercents).required(),
      failing_since: time,
      disable_at: time,
      consecutive_failures: count,
      response_code: count.allow(null),
      error_class: word.allow(null),
    }),
  },
  'endpoint.recovered': {
    description: 'A webhook endpoint of which `endpoint.failing` was reported accepted a delivery.',
    data: Joi.object({ endpoint_id: id, percent: Joi.number().valid(...warningPercents).required(), failing_since: time, recovered_at: time }),
  },
  'endpoint.disabled': {
    description: 'The service disabled a webhook endpoint: `failing` for 72 hours, or its receiver answered 410 (`gone`).',
    data: Joi.object({ endpoint_id: id, reason: Joi.string().valid('failing', 'gone').required(), failing_since: time.allow(null) }),
  },
} as const satisfies Record<string, EventDefinition>;

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
  const { error } = eventTypes[type].data.validate(value, { convert: false, presence: 'required' });
  if (error) throw new Error(`The data of ${type} does not fit its schema: ${error.message}`);
  return JSON.stringify(value);
}

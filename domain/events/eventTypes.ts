import Joi from 'joi';

/** `data` of each event type: ids and outcomes only, never a document, an email address of a guardian or a secret. */
export interface EventData {
  ping: { endpoint_id: string };
  'student.created': { student_id: string; login_email: string; status: string };
  'student.updated': { student_id: string; changed: string[]; status: string };
  'student.email_mapped': { student_id: string };
  'faculty.created': { faculty_id: string; login_email: string; status: string };
  'faculty.profile_completed': { faculty_id: string };
  'license.generated': { license_id: string; license_type: string; user_id: string | null; expires_at: string | null };
  'license.expired': { license_id: string; license_type: string; user_id: string | null; expired_at: string };
  'license.device_registered': { license_id: string; user_id: string; seat_id: string; app: string; platform: string };
  'exam.published': { exam_id: string; faculty_id: string; app: string };
  'exam.assigned': { exam_id: string; group_id: string; student_count: number };
  'exam.attempt_started': { attempt_id: string; exam_id: string; student_id: string; started_at: string; expires_at: string | null };
  'exam.submitted': { submission_id: string; exam_id: string; student_id: string; version: number; is_late: boolean };
  'exam.graded': {
    submission_id: string; exam_id: string; student_id: string; score: number | null; max_score: number; resubmission_required: boolean;
  };
  'guardian.invited': { guardian_id: string; student_id: string; guardian_type: string };
  'guardian.verified': { guardian_id: string; student_id: string; guardian_type: string };
  'alpha.points_awarded': { student_id: string; points: number; balance: number; ref: string | null };
  'alpha.badge_granted': { student_id: string; badge: string };
  'merits.credited': { user_id: string; amount_cents: number; balance_cents: number; source: string; ref: string | null };
  'coupon.batch_requested': { batch_id: string; total_coupons: number; value_cents: number };
  'coupon.batch_approved': { batch_id: string; total_coupons: number; value_cents: number };
  'coupon.redeemed': { batch_id: string; user_id: string; value_cents: number };
}

export type EventType = keyof EventData;

interface EventDefinition {
  description: string;
  data: Joi.ObjectSchema;
}

const id = Joi.string().required();
const word = Joi.string().required();
const time = Joi.string().isoDate().required();
const count = Joi.number().integer().required();
const nullable = (schema: Joi.Schema): Joi.Schema => schema.allow(null);
const data = (keys: Joi.SchemaMap): Joi.ObjectSchema => Joi.object(keys);

const license = { license_id: id, license_type: word, user_id: nullable(id) };
const guardian = data({ guardian_id: id, student_id: id, guardian_type: word });
const batch = data({ batch_id: id, total_coupons: count, value_cents: count });

/** The event types of the specification (section Events): when each is emitted, and the shape of its `data`. */
export const eventTypes: Record<EventType, EventDefinition> = {
  ping: { description: 'A test delivery to one endpoint.', data: data({ endpoint_id: id }) },
  'student.created': {
    description: 'A student was provisioned, one at a time or in bulk.',
    data: data({ student_id: id, login_email: word, status: word }),
  },
  'student.updated': {
    description: 'Fields or the status of a student changed; `changed` names them.',
    data: data({ student_id: id, changed: Joi.array().items(Joi.string()).required(), status: word }),
  },
  'student.email_mapped': { description: 'A personal email was mapped to a student.', data: data({ student_id: id }) },
  'faculty.created': {
    description: 'A faculty member was provisioned.',
    data: data({ faculty_id: id, login_email: word, status: word }),
  },
  'faculty.profile_completed': {
    description: 'A teacher completed the profile of the first sign-in.',
    data: data({ faculty_id: id }),
  },
  'license.generated': { description: 'A license was created.', data: data({ ...license, expires_at: nullable(time) }) },
  'license.expired': {
    description: 'A license passed its expiry, found by the daily sweep or at an app check-in.',
    data: data({ ...license, expired_at: time }),
  },
  'license.device_registered': {
    description: 'A device was registered to a license.',
    data: data({ license_id: id, user_id: id, seat_id: id, app: word, platform: word }),
  },
  'exam.published': { description: 'An exam was published.', data: data({ exam_id: id, faculty_id: id, app: word }) },
  'exam.assigned': {
    description: 'An exam was assigned to a group; one event a group.',
    data: data({ exam_id: id, group_id: id, student_count: count }),
  },
  'exam.attempt_started': {
    description: 'A student started an attempt.',
    data: data({ attempt_id: id, exam_id: id, student_id: id, started_at: time, expires_at: nullable(time) }),
  },
  'exam.submitted': {
    description: 'A student submitted; every version.',
    data: data({ submission_id: id, exam_id: id, student_id: id, version: count, is_late: Joi.boolean().required() }),
  },
  'exam.graded': {
    description: 'A submission was graded, or a resubmission was requested (`score` null, `resubmission_required` true).',
    data: data({
      submission_id: id,
      exam_id: id,
      student_id: id,
      score: nullable(Joi.number().required()),
      max_score: Joi.number().required(),
      resubmission_required: Joi.boolean().required(),
    }),
  },
  'guardian.invited': { description: 'A guardian link was created.', data: guardian },
  'guardian.verified': { description: 'A guardian signed in for the first time.', data: guardian },
  'alpha.points_awarded': {
    description: 'Alpha Learning points were awarded or taken.',
    data: data({ student_id: id, points: count, balance: count, ref: nullable(word) }),
  },
  'alpha.badge_granted': { description: 'An Alpha Learning badge was granted.', data: data({ student_id: id, badge: word }) },
  'merits.credited': {
    description: 'A wallet was credited, from any source.',
    data: data({ user_id: id, amount_cents: count, balance_cents: count, source: word, ref: nullable(word) }),
  },
  'coupon.batch_requested': { description: 'A coupon batch was requested.', data: batch },
  'coupon.batch_approved': { description: 'A platform admin approved a coupon batch.', data: batch },
  'coupon.redeemed': {
    description: 'A coupon was redeemed.',
    data: data({ batch_id: id, user_id: id, value_cents: count }),
  },
};

/** Whether a text names an event type of the specification. */
export function isEventType(type: string): type is EventType {
  return Object.hasOwn(eventTypes, type);
}

/** Validates event data against its type's schema and returns the JSON text that is stored, signed and sent. */
export function serializeEventData<Type extends EventType>(type: Type, value: EventData[Type]): string {
  const { error } = eventTypes[type].data.validate(value, { convert: false, presence: 'required' });
  if (error) throw new Error(`The data of ${type} does not fit its schema: ${error.message}`);
  return JSON.stringify(value);
}

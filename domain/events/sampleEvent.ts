import { exampleId, examples, exampleTimes } from '../exampleSchool';
import { eventTypes, type EventData, type EventType } from './eventTypes';

/** An event's envelope with the data of its type (section Events, Delivery 3). */
export interface SampleEvent<Type extends EventType = EventType> {
  id: string;
  type: Type;
  created_at: string;
  institution_id: string;
  data: EventData[Type];
}

/** An event of one of these types, discriminated by its type. */
export type EventOf<Type extends EventType> = { [Each in Type]: SampleEvent<Each> }[Type];

/** Whose event a sample is; what is left out is the example story's. */
export interface SampleOf {
  id?: string | undefined;
  createdAt?: Date | undefined;
  institutionId?: string | undefined;
}

const times = exampleTimes;

/** When each event of the example school happens, and the last character of its id. */
const occurrences: Record<EventType, readonly [idEnd: string, createdAt: string]> = {
  ping: ['0', times.pinged],
  'student.created': ['1', times.studentCreated],
  'student.updated': ['2', times.studentActive],
  'student.email_mapped': ['3', times.emailMapped],
  'faculty.created': ['4', times.teacherCreated],
  'faculty.profile_completed': ['5', times.profileCompleted],
  'license.generated': ['6', times.licenseGenerated],
  'license.expired': ['7', times.licenseSwept],
  'license.device_registered': ['8', times.deviceRegistered],
  'exam.published': ['9', times.examPublished],
  'exam.assigned': ['a', times.examAssigned],
  'exam.attempt_started': ['b', times.attemptStarted],
  'exam.submitted': ['c', times.submitted],
  'exam.graded': ['r', times.graded],
  'guardian.invited': ['d', times.guardianInvited],
  'guardian.verified': ['e', times.guardianVerified],
  'alpha.points_awarded': ['f', times.pointsAwarded],
  'alpha.badge_granted': ['g', times.badgeGranted],
  'merits.credited': ['h', times.meritsCredited],
  'coupon.batch_requested': ['j', times.batchRequested],
  'coupon.batch_approved': ['k', times.batchApproved],
  'coupon.redeemed': ['m', times.couponRedeemed],
  'endpoint.failing': ['n', times.endpointWarned],
  'endpoint.recovered': ['p', times.recoveryReported],
  'endpoint.disabled': ['q', times.endpointDisabled],
};

// The compiler finds the sample of a generic type by this type of the table alone.
const samples: { readonly [Type in EventType]: { readonly sample: EventData[Type] } } = eventTypes;

/** Returns an event of a type with its sample as data. */
export function sampleEvent<Type extends EventType>(type: Type, { id, createdAt, institutionId = examples.institution.id }: SampleOf = {}): SampleEvent<Type> {
  const [idEnd, at] = occurrences[type];
  return { id: id ?? `${exampleId('evt').slice(0, -1)}${idEnd}`, type, created_at: createdAt?.toISOString() ?? at, institution_id: institutionId, data: samples[type].sample };
}

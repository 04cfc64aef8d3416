/**
 * The school of every example in the documents: one teacher, her class, one student with a guardian, one exam, and what
 * happened to them in this order. A name or an id stands for the same person or thing in all examples.
 */

const idSuffix = '_01jd4k6f2mep2s5xg5yhc8m1zr';

/** Returns the id of the one resource of a kind that the examples have. */
export const exampleId = <Prefix extends string>(prefix: Prefix): `${Prefix}${typeof idSuffix}` => `${prefix}${idSuffix}`;

/** Who and what the examples name. */
export const examples = {
  institution: { id: exampleId('ins'), name: 'North School', domain: 'north.example' },
  student: {
    id: exampleId('stu'), full_name: 'Ada Lovelace', login_email: 'student1.9f86d081@north.example', personal_email: 'ada@example.org', student_id: 'SIS-1042',
  },
  /** A second student, known by login email alone. */
  classmate: { login_email: 'student2.60303ae2@north.example', student_id: 'SIS-1043' },
  teacher: { id: exampleId('fac'), full_name: 'Grace Hopper', login_email: 'faculty2.9f86d081@north.example', personal_email: 'grace@example.org', employee_id: 'E-1042' },
  guardian: { id: exampleId('gdn'), full_name: 'Augusta King', email: 'augusta@example.org', guardian_type: 'mother' },
  group: { id: exampleId('grp'), name: 'Algebra 9b', member_count: 28 },
  exam: { id: exampleId('exm'), title: 'Algebra, midterm', app: 'svccode', time_limit_minutes: 90, max_score: 100 },
  attempt: { id: exampleId('att') },
  submission: { id: exampleId('sub'), score: 80, is_late: true },
  license: { id: exampleId('lic'), license_type: 'student' },
  teacherLicense: { id: 'lic_01jd4k6f2mep2s5xg5yhc8m1z2', license_type: 'faculty' },
  seat: { id: exampleId('seat'), app: 'svcapp', platform: 'macos' },
  curriculum: { id: exampleId('cur'), title: 'Fractions' },
  award: { points: 10, balance: 110, ref: 'award-2026-11-20-ada' },
  credit: { amount_cents: 500, balance_cents: 1_500, ref: 'prize-2026-11-20-ada' },
  couponBatch: { id: exampleId('cpb'), name: 'Science fair', total_coupons: 100, value_cents: 500 },
  endpoint: { id: exampleId('we'), url: 'https://hooks.example.org/institution', description: 'Gradebook', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' },
  /** The delivery of `exam.graded` to the endpoint. */
  delivery: { id: exampleId('whd') },
} as const;

/** When it happened: each after those before it. */
export const exampleTimes = {
  institutionCreated: '2026-08-24T07:00:00.000Z',
  keyCreated: '2026-09-01T07:30:00.000Z',
  endpointCreated: '2026-09-01T07:45:00.000Z',
  pinged: '2026-09-01T07:46:00.000Z',
  teacherCreated: '2026-09-01T07:50:00.000Z',
  studentCreated: '2026-09-01T08:00:00.000Z',
  licenseGenerated: '2026-09-01T08:00:00.001Z',
  emailMapped: '2026-09-01T08:05:00.000Z',
  groupCreated: '2026-09-01T08:10:00.000Z',
  profileCompleted: '2026-09-01T09:00:00.000Z',
  studentActive: '2026-09-01T09:30:00.000Z',
  guardianInvited: '2026-09-02T08:00:00.000Z',
  guardianAccepted: '2026-09-02T18:20:00.000Z',
  guardianVerified: '2026-09-02T18:30:00.000Z',
  deviceRegistered: '2026-09-03T07:55:00.000Z',
  examCreated: '2026-11-16T09:00:00.000Z',
  examPublished: '2026-11-16T09:05:00.000Z',
  examAssigned: '2026-11-16T09:05:00.001Z',
  attemptStarted: '2026-11-20T09:30:00.000Z',
  hiddenTestsReleased: '2026-11-20T10:30:00.000Z',
  examDue: '2026-11-20T10:30:00.000Z',
  submitted: '2026-11-20T10:40:00.000Z',
  attemptExpires: '2026-11-20T11:00:00.000Z',
  graded: '2026-11-21T08:00:00.000Z',
  pointsAwarded: '2026-11-21T08:10:00.000Z',
  badgeGranted: '2026-11-21T08:10:00.001Z',
  meritsCredited: '2026-11-21T08:15:00.000Z',
  batchRequested: '2026-11-22T09:00:00.000Z',
  batchApproved: '2026-11-22T10:00:00.000Z',
  couponRedeemed: '2026-11-23T12:10:00.000Z',
  endpointFailed: '2026-11-24T06:00:00.000Z',
  endpointWarned: '2026-11-25T18:00:30.000Z',
  endpointRecovered: '2026-11-25T19:30:00.000Z',
  recoveryReported: '2026-11-25T19:30:40.000Z',
  endpointToBeDisabled: '2026-11-27T06:00:00.000Z',
  endpointFailedAgain: '2026-12-01T06:00:00.000Z',
  endpointDisabled: '2026-12-04T06:00:20.000Z',
  licenseExpires: '2027-09-01T08:00:00.000Z',
  licenseSwept: '2027-09-02T02:00:00.000Z',
} as const;

import type { SectionName } from '../../db/repositories/exports/sections';

const types = {
  text: { type: 'string' },
  textOrNull: { type: ['string', 'null'] },
  time: { type: 'string', format: 'date-time' },
  timeOrNull: { type: ['string', 'null'], format: 'date-time' },
  day: { type: 'string', format: 'date' },
  number: { type: 'number' },
  numberOrNull: { type: ['number', 'null'] },
  flag: { type: 'boolean' },
  texts: { type: 'array', items: { type: 'string' } },
  objectOrNull: { type: ['object', 'null'] },
} as const;

type Fields = Readonly<Record<string, keyof typeof types>>;

/** What each part of an export is, and the types of its fields. */
const sections: Record<SectionName, { description: string; fields: Fields }> = {
  student: {
    description: 'The student: one object. The personal email is never returned.',
    fields: { id: 'text', login_email: 'textOrNull', full_name: 'textOrNull', student_id: 'textOrNull', status: 'text', personal_email_mapped: 'flag', profile: 'objectOrNull', first_signed_in_at: 'timeOrNull', created_at: 'time', updated_at: 'time' },
  },
  licenses: { description: 'Licenses.', fields: { id: 'text', license_type: 'text', status: 'text', expires_at: 'timeOrNull', revoked_at: 'timeOrNull', revoke_reason: 'textOrNull', created_at: 'time' } },
  groups: { description: 'Groups that the student is in.', fields: { id: 'text', name: 'text', description: 'textOrNull' } },
  guardians: { description: 'Links to guardians, without their addresses.', fields: { id: 'text', guardian_type: 'text', guardian_name: 'textOrNull', is_primary: 'flag', verified_at: 'timeOrNull', created_at: 'time' } },
  attempts: {
    description: 'Attempts at exams. What happened in one is in attempts/{id}.json, its files are in files/{id}/.',
    fields: { id: 'text', exam_id: 'text', exam_title: 'text', status: 'text', started_at: 'time', ended_at: 'timeOrNull', event_count: 'number', focus_losses: 'number', seconds_away: 'number', recorder_errors: 'number' },
  },
  submissions: {
    description: 'Submissions, every version, with text and grade.',
    fields: {
      id: 'text', exam_id: 'text', attempt_id: 'text', version: 'number', status: 'text', is_late: 'flag', submitted_at: 'time', text: 'textOrNull', ai_usage_data: 'objectOrNull', score: 'numberOrNull', max_score: 'numberOrNull',
      percentage: 'numberOrNull', feedback: 'textOrNull', graded_at: 'timeOrNull', void_reason: 'textOrNull', voided_at: 'timeOrNull',
    },
  },
  merit_moves: { description: "Moves of the student's wallet, in cents.", fields: { id: 'text', kind: 'text', amount_cents: 'number', wallet_cents: 'numberOrNull', reason: 'textOrNull', created_at: 'time' } },
  alpha_enrollments: { description: 'Enrollments in Alpha Learning.', fields: { id: 'text', curriculum_id: 'text', status: 'text', daily_target_minutes: 'number', created_at: 'time', completed_at: 'timeOrNull' } },
  alpha_mastery: { description: 'Concepts, with the best score.', fields: { curriculum_id: 'text', concept_id: 'text', score: 'number', mastered_at: 'timeOrNull', updated_at: 'time' } },
  alpha_days: { description: 'Minutes of learning a day.', fields: { day: 'day', minutes: 'number', target_minutes: 'number' } },
  alpha_points: { description: 'The ledger of points.', fields: { id: 'text', points: 'number', balance: 'number', note: 'textOrNull', created_at: 'time' } },
  alpha_badges: { description: 'Badges.', fields: { badge: 'text', granted_at: 'time' } },
  weekly_reports: { description: 'Weekly reports to guardians.', fields: { week: 'day', minutes: 'number', days_met: 'number', points: 'number', concepts_mastered: 'number', streak_days: 'number', badges: 'texts' } },
  devices: { description: 'Seats of devices in the apps.', fields: { id: 'text', app: 'text', device_name: 'text', platform: 'text', app_version: 'text', status: 'text', signed_in_at: 'time', last_seen_at: 'time', ended_at: 'timeOrNull' } },
  sessions: { description: 'Sessions.', fields: { kind: 'text', created_at: 'time', expires_at: 'time', ended_at: 'timeOrNull' } },
  sign_ins: { description: 'Sign-ins of the last year, and failed tries, with the client address.', fields: { id: 'text', at: 'time', client_address: 'textOrNull', result: 'text', tries: 'number' } },
  disclosures: { description: "Reads of the student's data.", fields: { id: 'text', at: 'time', actor_kind: 'text', actor_id: 'text', what: 'text', operation: 'text' } },
};

const objectSchema = (fields: Fields): object => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, types[type]])),
  required: Object.keys(fields),
  additionalProperties: false,
});

const sectionSchema = ([name, { description, fields }]: [string, { description: string; fields: Fields }]): [string, object] =>
  [name, name === 'student' ? { description, ...objectSchema(fields) } : { description, type: 'array', items: objectSchema(fields) }];

/** The JSON Schema of `student.json`, which is in every export. */
export const exportSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Export of a student',
  type: 'object',
  properties: { $schema: { const: 'student.schema.json' }, exported_at: types.time, ...Object.fromEntries(Object.entries(sections).map(sectionSchema)) },
  required: ['$schema', 'exported_at', ...Object.keys(sections)],
  additionalProperties: false,
};

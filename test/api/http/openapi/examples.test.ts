import { examples, exampleTimes } from '../../../../domain/exampleSchool';
import { eventTypeNames, type EventType } from '../../../../domain/events/eventTypes';
import { sampleEvent } from '../../../../domain/events/sampleEvent';
import { shown } from '../../../support/openApiExamples';

// The examples of all operations and events are one story: the same school, and what happened there in this order.

/** Fields that name a thing of a kind, by the prefix of its ids. */
const kindOfField: Record<string, string> = {
  student_id: 'stu', faculty_id: 'fac', exam_id: 'exm', group_id: 'grp', license_id: 'lic', seat_id: 'seat', attempt_id: 'att', submission_id: 'sub', guardian_id: 'gdn',
  batch_id: 'cpb', curriculum_id: 'cur', enrollment_id: 'enr', endpoint_id: 'we', event_id: 'evt', institution_id: 'ins', key_id: 'key', user_id: 'stu',
};

/** What else a field may hold: identifiers of the school's own, and login emails where an operation takes them. */
const otherReferences: Record<string, readonly string[]> = {
  student_id: [examples.student.student_id, examples.classmate.student_id, examples.student.login_email],
  faculty_id: ['HR-204', examples.teacher.login_email],
};

it('a kind of thing has one id in all examples; events have one for each type', () => {
  const ids = shown.flatMap(({ object }) => Object.values(object).flat()).filter((value): value is string => typeof value === 'string' && /^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/.test(value));
  const known = new Set(ids);
  // The teacher has a license, too.
  expect(known.delete(examples.teacherLicense.id)).toBe(true);
  const kinds = [...known].map((id) => id.split('_')[0]).filter((kind) => kind !== 'evt');
  expect(kinds.sort()).toEqual([...new Set(kinds)].sort());
  expect(new Set([...known].filter((id) => id.startsWith('evt_')))).toEqual(new Set(eventTypeNames.map((type) => sampleEvent(type).id)));
});

it.each(Object.entries(kindOfField))('what is a %s names the one thing of its kind', (field, prefix) => {
  const values = shown.flatMap(({ of, object }) => [object[field]].flat().map((value) => ({ of, value })).filter(({ value }) => value !== undefined && value !== null));
  expect(values).not.toEqual([]);
  for (const { of, value } of values) {
    const fits = String(value).startsWith(`${prefix}_`) || otherReferences[field]?.includes(String(value)) === true;
    expect([of, value, fits]).toEqual([of, value, true]);
  }
});

it.each([
  ['stu', 'full_name', examples.student.full_name],
  ['stu', 'login_email', examples.student.login_email],
  ['fac', 'full_name', examples.teacher.full_name],
  ['fac', 'login_email', examples.teacher.login_email],
  ['grp', 'name', examples.group.name],
  ['exm', 'title', examples.exam.title],
  ['cpb', 'name', examples.couponBatch.name],
  ['ins', 'name', examples.institution.name],
  ['cur', 'title', examples.curriculum.title],
  ['we', 'url', examples.endpoint.url],
] as const)('%s has the same %s everywhere', (prefix, field, expected) => {
  const values = shown.filter(({ object }) => String(object.id).startsWith(`${prefix}_`) && object[field] !== undefined).map(({ of, object }) => [of, object[field]]);
  expect(values).not.toEqual([]);
  expect(values).toEqual(values.map(([of]) => [of, expected]));
});

it.each([
  ['created_at', 'updated_at'], ['created_at', 'expires_at'], ['created_at', 'published_at'], ['submitted_at', 'graded_at'], 
  ['started_at', 'expires_at'], ['created_at', 'delivered_at'], ['delivered_at', 'deadline_at'], ['created_at', 'deadline_at'], ['created_at', 'decided_at'], ['invited_at', 'accepted_at'],
  ['accepted_at', 'verified_at'], ['invited_at', 'expires_at'], ['first_seen_at', 'last_seen_at'], ['published_at', 'due_date'],
])('%s is never after %s', (first, second) => {
  const pairs = shown.filter(({ object }) => typeof object[first] === 'string' && typeof object[second] === 'string');
  expect(pairs).not.toEqual([]);
  for (const { of, object } of pairs) expect([of, object[first], object[second], Date.parse(String(object[first])) <= Date.parse(String(object[second]))]).toEqual([of, object[first], object[second], true]);
});

it('an answer to a request with a personal email says that one is mapped', () => {
  const requests = shown.filter(({ object }) => typeof object.personal_email === 'string').map(({ of }) => of);
  const answers = shown.filter(({ of, object }) => requests.includes(of) && 'personal_email_mapped' in object);
  expect(answers.map(({ of }) => of)).toEqual(expect.arrayContaining(['createStudent', 'updateStudent']));
  expect(answers.map(({ of, object }) => [of, object.personal_email_mapped])).toEqual(answers.map(({ of }) => [of, true]));
});

it('the times of the story follow each other', () => {
  const times = Object.values(exampleTimes).map((time) => Date.parse(time));
  expect(times).toEqual([...times].sort((one, other) => one - other));
});

it.each([
  ['student.created', 'stu', 'created_at'],
  ['exam.published', 'exm', 'published_at'],
  ['coupon.batch_requested', 'cpb', 'created_at'],
  ['coupon.batch_approved', 'cpb', 'decided_at'],
  ['guardian.invited', 'gdn', 'invited_at'],
  ['guardian.verified', 'gdn', 'verified_at'],
  ['exam.graded', 'sub', 'graded_at'],
] satisfies [EventType, string, string][])('%s happens when the examples of %s say so in %s', (type, prefix, field) => {
  const times = shown.filter(({ of, object }) => of !== 'resendGuardianInvitation' && String(object.id).startsWith(`${prefix}_`) && typeof object[field] === 'string').map(({ object }) => object[field]);
  expect(new Set(times)).toEqual(new Set([sampleEvent(type).created_at]));
});

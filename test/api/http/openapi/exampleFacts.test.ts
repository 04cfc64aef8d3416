import { exampleCalls, isObject, shown } from '../../../support/openApiExamples';
import { examples, exampleTimes } from '../../../../domain/exampleSchool';
import { percentageOf } from '../../../../domain/submissions/percentage';

// What one object of an example says agrees with what else it says: a state with the moment at which it began, a total with its parts.

type Row = Record<string, unknown>;

const isSet = (value: unknown): boolean => value !== null && value !== false && !(Array.isArray(value) && value.length === 0);

/** The objects of all examples that have these fields. */
function having(...fields: string[]): { of: string; object: Row }[] {
  const found = shown.filter(({ object }) => fields.every((field) => field in object));
  expect(found).not.toEqual([]);
  return found;
}

it.each<[string, string, unknown, string]>([
  ['a guardian is verified', 'verified', true, 'verified_at'],
  ['an exam is closed', 'status', 'closed', 'closed_at'],
  ['a license is revoked', 'status', 'revoked', 'revoked_at'],
  ['a submission is voided', 'status', 'voided', 'voided_at'],
  ['a submission is voided for a reason', 'status', 'voided', 'void_reason'],
  ['a delivery is delivered', 'status', 'delivered', 'delivered_at'],
  ['an erasure is done', 'status', 'done', 'certificate'],
  ['an erasure is done', 'status', 'done', 'completed_at'],
  ['an export is ready', 'status', 'ready', 'archive'],
  ['a batch is approved', 'status', 'approved', 'codes'],
  ['a concept is mastered', 'status', 'mastered', 'mastered_at'],
  ['an endpoint has a key of its own', 'signature_scheme', 'ed25519', 'public_key'],
  ['a list goes on', 'has_more', true, 'next_cursor'],
])('%s where %s is %j, and exactly there has %s', (_what, field, value, since) => {
  // Of something else, both are absent: `completed_at` of an enrollment.
  const found = having(field, since).filter(({ object }) => !(since === 'completed_at' && 'curriculum_id' in object));
  expect(found.map(({ of, object }) => [of, isSet(object[since])])).toEqual(found.map(({ of, object }) => [of, object[field] === value]));
});

it('an exam that was published says since when, and a draft does not', () => {
  const exams = having('published_at', 'closed_at', 'status');
  expect(exams.map(({ of, object }) => [of, object.published_at !== null])).toEqual(exams.map(({ of, object }) => [of, object.status !== 'draft']));
});

it('a guardian has the status that the moments of the invitation give', () => {
  const links = having('accepted_at', 'verified_at', 'verified', 'status');
  const statusOf = ({ accepted_at: accepted, verified_at: verified }: Row): string => (verified !== null ? 'verified' : accepted !== null ? 'accepted' : 'invited');
  expect(links.map(({ of, object }) => [of, object.status])).toEqual(links.map(({ of, object }) => [of, statusOf(object)]));
});

it('what has ended waits for no attempt', () => {
  const ended = having('next_attempt_at', 'status').filter(({ object }) => ['delivered', 'dead', 'cancelled'].includes(String(object.status)));
  expect(ended.map(({ of, object }) => [of, object.next_attempt_at])).toEqual(ended.map(({ of }) => [of, null]));
});

it('an exam is of the app that its coding spec makes it', () => {
  const exams = having('code_spec', 'app');
  expect(exams.map(({ of, object }) => [of, object.app])).toEqual(exams.map(({ of, object }) => [of, object.code_spec === null ? 'svc' : 'svccode']));
  expect(new Set(having('exam_type', 'app').map(({ object }) => object.app))).toEqual(new Set([examples.exam.app]));
});

const isCount = (value: unknown): value is number => typeof value === 'number';
const sum = (values: readonly unknown[]): number => values.filter(isCount).reduce((one, other) => one + other, 0);

it('a total is the sum of its parts', () => {
  const totals = shown.filter(({ object }) => 'total' in object && !('limit' in object) && !('done' in object)).map(({ of, object: { total, by_type: byType, by_status: byStatus, ...parts } }) => {
    const nested = isObject(byType) ? Object.values(byType).map((type) => (isObject(type) ? type.total : 0)) : Object.values(parts);
    return { of, total, sums: [sum(nested), ...(isObject(byStatus) ? [sum(Object.values(byStatus))] : [])] };
  });
  expect(totals.length).toBeGreaterThan(5);
  for (const { of, total, sums } of totals) expect([of, sums]).toEqual([of, sums.map(() => total)]);
});

it('a percentage is that of the score, less the penalty of late work', () => {
  const scores = shown.filter(({ object }) => isCount(object.score) && isCount(object.percentage));
  expect(scores.length).toBeGreaterThan(3);
  // It was late: the exam takes 10 % off.
  const wanted = percentageOf(examples.submission.score, examples.exam.max_score, 10);
  expect(scores.map(({ of, object }) => [of, object.score, object.percentage])).toEqual(scores.map(({ of }) => [of, examples.submission.score, wanted]));
});

it('the work of the story was handed in late, in every example', () => {
  const works = shown.filter(({ object }) => typeof object.is_late === 'boolean').map(({ of, object }) => [of, object.is_late]);
  expect(works.length).toBeGreaterThan(4);
  expect(works).toEqual(works.map(([of]) => [of, examples.submission.is_late]));
});

it('the exported scores are those of the list', () => {
  const call = (operationId: string): unknown => exampleCalls.find((one) => one.operationId === operationId)?.response;
  const [head = '', first = ''] = String(call('exportExamScores')).split('\r\n');
  const list = call('listExamScores');
  const [row] = isObject(list) && Array.isArray(list.items) ? list.items : [];
  const expected: Row = isObject(row) ? row : {};
  expect(first.split(',')).toEqual(head.split(',').map((field) => String(expected[field])));
});

it.each<[string, string[], (object: Row) => boolean]>([
  ['points are what was earned less what was deducted', ['earned', 'deducted', 'balance'], ({ earned, deducted, balance }) => Number(earned) - Number(deducted) === balance],
  ['the allowance is what was granted less what was credited', ['allowance_cents', 'granted_cents', 'credited_cents'], ({ allowance_cents, granted_cents, credited_cents }) => Number(granted_cents) - Number(credited_cents) === allowance_cents],
  ['a day on which the target was met has its minutes', ['day', 'minutes', 'met'], ({ minutes, met }) => met === Number(minutes) >= 30],
  ['a curriculum has as many concepts as it counts, and all that they require', ['concept_count', 'concepts'], ({ concept_count: count, concepts }) => {
    const list = Array.isArray(concepts) ? concepts.filter(isObject) : [];
    const known = new Set(list.map(({ id }) => id));
    return list.length === count && list.every(({ requires }) => Array.isArray(requires) && requires.every((id) => known.has(id)));
  }],
  ['as many are mastered as there are concepts, at most', ['concepts', 'mastered'], ({ concepts, mastered }) => Number(mastered) <= Number(concepts)],
  ['the answer to an enrollment has one for each that it counts', ['enrolled', 'already_enrolled', 'enrollments'], ({ enrolled, already_enrolled: already, enrollments }) => Array.isArray(enrollments) && enrollments.length === Number(enrolled) + Number(already)],
  ['a histogram has all that are graded', ['histogram', 'counts'], ({ histogram, counts }) =>
    isObject(counts) && Array.isArray(histogram) && sum(histogram.filter(isObject).map(({ count }) => count)) === counts.graded],
  ['as many coupons are redeemed as a batch counts', ['codes', 'redeemed_count'], ({ codes, redeemed_count: redeemed }) => Array.isArray(codes) && codes.filter(isObject).filter(({ redeemed_at: at }) => at !== null).length === redeemed],
  ['what was skipped was asked for', ['skipped', 'member_count'], ({ skipped }) => JSON.stringify(skipped) === '["W-1042"]'],
])('%s', (_rule, fields, holds) => {
  const found = having(...fields);
  expect(found.map(({ of, object }) => [of, holds(object)])).toEqual(found.map(({ of }) => [of, true]));
});

it.each([
  ['redeemed_at', exampleTimes.couponRedeemed],
  ['hidden_released_at', exampleTimes.hiddenTestsReleased],
  ['released_at', exampleTimes.hiddenTestsReleased],
] as const)('%s is one moment in all examples', (field, time) => {
  const times = shown.filter(({ object }) => typeof object[field] === 'string').map(({ of, object }) => [of, object[field]]);
  expect(times).not.toEqual([]);
  expect(times).toEqual(times.map(([of]) => [of, time]));
});

it.each([
  ['created_at', 'last_success_at'], ['created_at', 'last_failure_at'], ['created_at', 'secret_rotated_at'], ['secret_rotated_at', 'previous_secret_expires_at'],
  ['next_attempt_at', 'deadline_at'], ['created_at', 'sent_at'], ['created_at', 'completed_at'], ['requested_at', 'completed_at'], ['submitted_at', 'voided_at'],
  ['published_at', 'closed_at'], ['created_at', 'revoked_at'], ['created_at', 'ready_at'], ['first_seen_at', 'last_seen_at'], ['signed_in_at', 'last_seen_at'],
])('%s is never after %s', (first, second) => {
  const pairs = shown.filter(({ object }) => typeof object[first] === 'string' && typeof object[second] === 'string');
  expect(pairs.filter(({ object }) => Date.parse(String(object[first])) > Date.parse(String(object[second]))).map(({ of, object }) => [of, object[first], object[second]])).toEqual([]);
});

it('each time zone zone than the institution’s is nowhere', () => {
  const zones = shown.filter(({ object }) => typeof object.time_zone === 'string').map(({ object }) => object.time_zone);
  expect(new Set(zones).size).toBe(1);
});

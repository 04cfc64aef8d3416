import { exampleCalls, isObject, type ExampleCall } from '../../../support/openApiExamples';
import { examples } from '../../../../domain/exampleSchool';

// The example of an operation agrees with itself: the answer with the request, the rows of a list with its filters, the state
// with the call that led to it.

const { student, teacher } = examples;
const idOf = new Map([[student.login_email, student.id], [teacher.login_email, teacher.id], [student.student_id, student.id]] as const);

const isTime = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value);

/** What a value means: a person by any of their names, a time in any form. */
function meaning(field: string, value: unknown): unknown {
  if (isTime(value)) return new Date(value).toISOString();
  if (/^(student|faculty)_id$/.test(field) && typeof value === 'string') return [...idOf].find(([name]) => name === value)?.[1] ?? value;
  return value;
}

/** The fields of a request that the answer has under its own name, or as part of one: `reason` is `void_reason`. */
const namesIn = (answer: Record<string, unknown>, field: string): string[] => Object.keys(answer).filter((name) => name === field || (field === 'reason' && name.endsWith('_reason')));

/** Returns what an answer should repeat of a request and does not, by path. */
function contradictions(request: Record<string, unknown>, answer: Record<string, unknown>, of: string): string[] {
  return Object.entries(request).flatMap(([field, sent]) =>
    namesIn(answer, field).flatMap((name) => {
      const got = answer[name];
      if (isObject(sent) && isObject(got)) return contradictions(sent, got, `${of}.${name}`);
      const [one, other] = [meaning(field, sent), meaning(field, got)].map((value) => JSON.stringify(value));
      return one === other ? [] : [`${of}.${name}: ${one} was sent, ${other} answered`];
    }),
  );
}

it('an answer has what its request set', () => {
  const compared = exampleCalls.filter(({ method, request, response }) => method !== 'GET' && isObject(response) && Object.keys(request).some((field) => namesIn(response, field).length > 0));
  expect(compared.length).toBeGreaterThan(20);
  expect(compared.flatMap(({ operationId, request, response }) => (isObject(response) ? contradictions(request, response, operationId) : []))).toEqual([]);
});

type Row = Record<string, unknown>;

const isWithin = (value: unknown, test: (time: number, bound: number) => boolean, bound: unknown): boolean => isTime(value) && test(Date.parse(value), Date.parse(String(bound)));
const time = (row: Row): unknown => row.at ?? row.redeemed_at ?? row.updated_at ?? row.created_at;

/** Whether a row is one that a filter lets through. */
const filterRules: Record<string, (row: Row, value: unknown) => boolean> = {
  since: (row, value) => isWithin(time(row), (at, bound) => at > bound, value),
  until: (row, value) => isWithin(time(row), (at, bound) => at <= bound, value),
  updated_since: (row, value) => isWithin(row.updated_at, (at, bound) => at >= bound, value),
  expires_before: (row, value) => isWithin(row.expires_at, (at, bound) => at < bound, value),
  q: (row, value) => [row.name, row.description].some((text) => String(text).toLowerCase().includes(String(value))),
  type: (row, value) => String(row.type).startsWith(String(value).replace('*', '')),
  response_code: (row, value) => Math.floor(Number(row.response_code) / 100) === Number.parseInt(String(value), 10),
  student_id: (row, value) => row.student_id === meaning('student_id', value),
  actor_id: (row, value) => isObject(row.actor) && row.actor.id === value,
};

/** What chooses no rows: pages, and how a person is meant; and what rows do not show: what sent a delivery. */
const noFilters = ['cursor', 'page', 'limit', 'about', 'period', 'sent_by'];

const rowsOf = ({ response }: ExampleCall): Row[] => (isObject(response) && Array.isArray(response.items) ? response.items.filter(isObject) : []);

it('the rows of a list are ones that the example of each filter lets through', () => {
  const filters = exampleCalls.flatMap((call) =>
    call.parameters.filter(({ name, in: place }) => place === 'query' && !noFilters.includes(name)).flatMap(({ name, example }) => rowsOf(call).map((row) => ({ of: call.operationId, name, example, row }))),
  );
  expect(filters.length).toBeGreaterThan(15);
  const wrong = filters.filter(({ name, example, row }) => !(filterRules[name]?.(row, example) ?? row[name] === example));
  expect(wrong.map(({ of, name, example }) => [of, name, example])).toEqual([]);
});

it('an answer about a person is about the one whom the path names', () => {
  const wrong = exampleCalls.flatMap(({ operationId, parameters, response }) => {
    const { example: named } = parameters.find(({ name, in: place }) => place === 'path' && name === 'id') ?? {};
    if (typeof named !== 'string' || !isObject(response)) return [];
    const own = [response.id, isObject(response.person) ? response.person.kind : undefined].filter((value) => typeof value === 'string').map(String);
    const kind: Record<string, string> = { stu: 'student', fac: 'faculty', gdn: 'guardian' };
    return own.filter((value) => value.split('_')[0] === named.split('_')[0] ? value !== named : Object.values(kind).includes(value) && value !== kind[named.split('_')[0] ?? '']).map((value) => [operationId, named, value]);
  });
  expect(wrong).toEqual([]);
});

/** What an operation that changes a state answers: its fields after the call. */
const statesAfter: Record<string, Row> = {
  createStudent: { status: 'pending' },
  suspendStudent: { status: 'suspended' },
  reactivateStudent: { status: 'active' },
  updateStudent: { status: 'active' },
  createFaculty: { status: 'active' },
  updateFaculty: { status: 'active' },
  eraseStudent: { status: 'running' },
  eraseFaculty: { status: 'running' },
  eraseGuardian: { status: 'running' },
  exportStudent: { status: 'preparing' },
  extendLicense: { status: 'active', expires_at: '2028-08-31T08:00:00.000Z' },
  revokeLicense: { status: 'revoked' },
  expireSandboxLicense: { status: 'expired' },
  createExam: { status: 'draft' },
  updateExam: { status: 'published' },
  publishExam: { status: 'published' },
  closeExam: { status: 'closed' },
  gradeSubmission: { status: 'graded' },
  voidSubmission: { status: 'voided' },
  inviteGuardian: { status: 'invited' },
  resendGuardianInvitation: { status: 'invited' },
  acceptSandboxInvitation: { status: 'accepted' },
  signInSandboxGuardian: { status: 'verified' },
  updateEnrollment: { status: 'paused' },
  requestCouponBatch: { status: 'pending' },
  // Approved, and not yet with all its codes.
  approveSandboxCouponBatch: { status: 'pending' },
  rejectSandboxCouponBatch: { status: 'rejected' },
  createWebhookEndpoint: { status: 'active' },
  updateWebhookEndpoint: { status: 'paused' },
  rotateWebhookSecret: { status: 'active' },
  replayDelivery: { status: 'pending' },
  startSandboxAttempt: { status: 'in_progress' },
  submitSandboxAttempt: { status: 'submitted' },
  publishSandboxCurriculum: { status: 'published' },
};

it('a write answers the state that it leads to', () => {
  const writes = exampleCalls.filter(({ method, response }) => method !== 'GET' && isObject(response) && 'status' in response);
  expect(writes.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(statesAfter).sort());
  for (const { operationId, response } of writes) expect([operationId, response]).toEqual([operationId, expect.objectContaining(statesAfter[operationId] ?? {})]);
});

/** What a run of the collection needs for one operation, in addition to its example. */
export interface Step {
  /** Variables that the answer fills, each by an expression of its `data`. */
  fills?: Record<string, string>;
  /** Without this variable the request is skipped. */
  needs?: string;
  /** Fields of the example that are left out. */
  omit?: readonly string[];
  /** Fields of the example that are changed. */
  changes?: Record<string, unknown>;
  /** Filters that are switched on, with their values. */
  filters?: Record<string, string>;
  /** Statuses that are right, where 200 is not the only one. */
  expectedStatuses?: readonly number[];
}

/** The variable that stands for every id of a kind, by the prefix of its examples. */
const variableByIdPrefix: Record<string, string> = {
  stu: 'student_id', fac: 'faculty_id', grp: 'group_id', lic: 'license_id', seat: 'seat_id', exm: 'exam_id', sub: 'submission_id',
  gdn: 'guardian_id', cur: 'curriculum_id', enr: 'enrollment_id', cpb: 'coupon_batch_id', att: 'attempt_id', we: 'endpoint_id', whd: 'delivery_id',
};

/** The variable that stands for a login email, by the number in its example. */
const variableByLoginEmail: Record<string, string> = { student1: 'student_email', student2: 'second_student_email', faculty2: 'faculty_email' };

/** Variables for times, by field: always in the future or in the past when the collection is run. */
const variableByTimestampField: Record<string, string> = { due_date: 'in_a_month', expiry_date: 'in_a_month', since: 'yesterday', until: 'in_a_month', at: 'yesterday' };

const placeholder = (variable: string): string => `{{${variable}}}`;

function placeholderFor(table: Record<string, string>, key: string, example: string): string {
  const variable = table[key];
  if (variable === undefined) throw new Error(`clients/generate/postmanSteps.ts has no variable for the example ${example}`);
  return placeholder(variable);
}

/** An example with variables in the place of ids, login emails, moments, addresses and refs that can be used once. */
export function replaceWithVariables(example: unknown, field = ''): unknown {
  if (Array.isArray(example)) return example.map((one) => replaceWithVariables(one, field));
  if (typeof example === 'object' && example !== null) return Object.fromEntries(Object.entries(example).map(([key, value]) => [key, replaceWithVariables(value, key)]));
  if (typeof example !== 'string') return example;
  const [, prefix] = /^([a-z]+)_[0-9a-hjkmnp-tv-z]{26}$/.exec(example) ?? [];
  if (prefix !== undefined) return placeholderFor(variableByIdPrefix, prefix, example);
  const [, login] = /^(\w+)\.[0-9a-f]{8}@/.exec(example) ?? [];
  if (login !== undefined) return placeholderFor(variableByLoginEmail, login, example);
  if (/^\d{4}-\d\d-\d\dT/.test(example)) return placeholderFor(variableByTimestampField, field, example);
  if (field === 'ref') return '{{$guid}}';
  return example.replace(/^(\w+)@example\.org$/, '$1.{{$guid}}@example.org');
}

/** What a run knows of an operation that its example does not say, by operationId. */
export const steps: Record<string, Step> = {
  createStudent: { fills: { student_id: 'data.id', student_email: 'data.login_email', license_id: 'data.license.id' } },
  // The student of the example has a personal email, with which nothing is to be enrolled.
  createEnrolmentCode: { expectedStatuses: [200, 409] },
  createStudentsBulk: { fills: { second_student_email: 'data.results[0].login_email' } },
  createFaculty: { fills: { faculty_id: 'data.id', faculty_email: 'data.login_email' } },
  createGroup: { fills: { group_id: 'data.id' } },
  listDevices: { fills: { seat_id: 'data.seats[0]?.id' } },
  // A run resets nothing unless the variable is set.
  resetSandbox: { needs: 'sandbox_to_reset' },
  signInSandboxStudent: { needs: 'sandbox_key' },
  startSandboxAttempt: { needs: 'sandbox_key' },
  recordSandboxAttemptEvents: { needs: 'sandbox_key' },
  uploadSandboxAttemptFile: { needs: 'sandbox_key' },
  submitSandboxAttempt: { needs: 'sandbox_key' },
  acceptSandboxInvitation: { needs: 'sandbox_key' },
  signInSandboxGuardian: { needs: 'sandbox_key' },
  approveSandboxCouponBatch: { needs: 'sandbox_key' },
  rejectSandboxCouponBatch: { needs: 'sandbox_key' },
  redeemSandboxCoupon: { needs: 'sandbox_key' },
  expireSandboxLicense: { needs: 'sandbox_key' },
  publishSandboxCurriculum: { needs: 'sandbox_key' },
  reportSandboxProgress: { needs: 'sandbox_key' },
  revokeSeat: { needs: 'seat_id' },
  // Without code_spec: an exam that is one for the coding app is published once it has its code secret.
  createExam: { fills: { exam_id: 'data.id' }, omit: ['code_spec'] },
  updateExam: { omit: ['code_spec'] },
  uploadExamFile: { needs: 'upload_file' },
  // Of the exam of this run alone: nobody else's work is graded or voided.
  listSubmissions: { fills: { submission_id: 'data.items[0]?.id' }, filters: { exam_id: '{{exam_id}}' } },
  getSubmission: { needs: 'submission_id' },
  listSubmissionEvents: { needs: 'submission_id' },
  gradeSubmission: { needs: 'submission_id' },
  voidSubmission: { needs: 'submission_id' },
  inviteGuardian: { fills: { guardian_id: 'data.id' } },
  // An invitation can be sent again 10 minutes after the last.
  resendGuardianInvitation: { expectedStatuses: [200, 409] },
  listCurricula: { fills: { curriculum_id: 'data.items[0]?.id' } },
  getCurriculum: { needs: 'curriculum_id' },
  enrollStudents: { needs: 'curriculum_id', fills: { enrollment_id: 'data.enrollments[0].id' } },
  updateEnrollment: { needs: 'enrollment_id' },
  getAllowance: { fills: { enough_allowance: "data.allowance_cents >= 500 ? 'yes' : ''" } },
  creditMerits: { needs: 'enough_allowance' },
  requestCouponBatch: { fills: { coupon_batch_id: 'data.id' } },
  createWebhookEndpoint: { fills: { endpoint_id: 'data.id' } },
  updateWebhookEndpoint: { changes: { status: 'active' } },
  listDeliveries: { fills: { delivery_id: 'data.items[0]?.id' }, filters: { endpoint_id: '{{endpoint_id}}' } },
  getDelivery: { needs: 'delivery_id' },
  replayDelivery: { needs: 'delivery_id' },
  // The link of the erased guardian is gone.
  removeGuardian: { expectedStatuses: [200, 404] },
  deleteExam: { changes: { id: '{{coding_exam_id}}' } },
};

/** What ends what the requests before it have made, in the order in which that is possible. */
export const cleanupOperationIds: readonly string[] = [
  'unassignExam', 'closeExam', 'deleteExam', 'removeGroupMember', 'deleteGroup', 'eraseGuardian', 'getGuardianErasure', 'removeGuardian', 'deleteWebhookEndpoint', 'revokeLicense',
  'eraseStudent', 'getStudentErasure', 'eraseFaculty', 'getFacultyErasure',
];

/** An exam for the coding app: it is made where its code secret is. */
export const codingExam = {
  operationId: 'createExam',
  folder: 'Exams (coding)',
  name: 'Create a coding exam, as a draft.',
  step: { fills: { coding_exam_id: 'data.id' } } satisfies Step,
};

/** Every variable that an answer fills. */
export const filledVariables: readonly string[] = [...Object.values(steps), codingExam.step].flatMap(({ fills = {} }: Step) => Object.keys(fills));

/** Run before every request: the moments that the requests name. */
export const timestampScript: readonly string[] = [
  'const days = (count) => new Date(Date.now() + count * 86_400_000).toISOString();',
  "pm.collectionVariables.set('in_a_month', days(30));",
  "pm.collectionVariables.set('yesterday', days(-1));",
];

import { randomUUID } from 'node:crypto';
import type { DataOf, InputOf, Method, PathOf } from '../../clients/typescript/src/operations';
import { pause } from '../call';
import type { KeyContext } from '../context';
import { CliError, usageError } from '../errors';
import { getField } from '../fields';

/** What the caller gives for a trigger. */
export interface SceneOptions {
  /** A student of the sandbox, in place of a new one. */
  student?: string;
  /** The endpoint that a ping goes to, in place of the only one. */
  endpoint?: string;
}

const approvalPollMs = 200;
const dayMs = 86_400_000;

/**
 * The people and things that events are about, made in the sandbox by the calls that make them anywhere else. Each method does
 * what the ones before it need first.
 */
export class Scene {
  readonly #context: KeyContext;
  readonly #options: SceneOptions;
  /** The ids of what the calls answered. */
  readonly ids = new Set<string>();
  /** What was called, as `POST /students`. */
  readonly calls: string[] = [];
  /** Different in each run: personal emails are unique in the sandbox, and refs are used once. */
  readonly #run = randomUUID();

  constructor(context: KeyContext, options: SceneOptions) {
    this.#context = context;
    this.#options = options;
  }

  async #call<M extends Method, P extends PathOf<M>>(method: M, path: P, ...input: InputOf<M, P>): Promise<DataOf<M, P>> {
    const data = await this.#context.api.call(method, path, ...input);
    const id = getField(data, 'id');
    if (typeof id === 'string' && method !== 'GET') this.ids.add(id);
    this.calls.push(`${method} ${path}`);
    return data;
  }

  get #email(): string {
    return `someone.${this.#run}@example.org`;
  }

  async #refreshStudent(id: string): Promise<DataOf<'GET', '/students/{id}'>> {
    const student = await this.#call('GET', '/students/{id}', { path: { id } });
    this.ids.add(student.id);
    return student;
  }

  /** A new student, or the one that was given. */
  async student(): Promise<DataOf<'GET', '/students/{id}'>> {
    const { student } = this.#options;
    return student === undefined ? this.#call('POST', '/students', { body: { full_name: 'Ada Example' } }) : this.#refreshStudent(student);
  }

  /** A student whose name changes. */
  async updatedStudent(): Promise<void> {
    const { id } = await this.student();
    await this.#call('PATCH', '/students/{id}', { path: { id }, body: { full_name: `Ada Example ${this.#run.slice(0, 8)}` } });
  }

  async studentWithEmail(): Promise<void> {
    const { id } = await this.student();
    await this.#call('PATCH', '/students/{id}', { path: { id }, body: { personal_email: this.#email } });
  }

  async facultyMember(): Promise<void> {
    await this.#call('POST', '/faculty', { body: { full_name: 'Grace Example' } });
  }

  /** A student who has signed in: apps take no other. A first sign-in names a personal email. */
  async #signedInStudent(): Promise<DataOf<'GET', '/students/{id}'>> {
    const student = await this.student();
    const body = student.personal_email_mapped ? {} : { personal_email: this.#email };
    await this.#call('POST', '/sandbox/students/{id}/sign-in', { path: { id: student.id }, body });
    return student;
  }

  /** A student who signs in on a device that their license does not know. */
  async device(): Promise<void> {
    const { id, personal_email_mapped: mapped } = await this.student();
    const device = { id: this.#run, name: 'Laptop', platform: 'macos', app_version: '1.0.0' } as const;
    await this.#call('POST', '/sandbox/students/{id}/sign-in', { path: { id }, body: { ...(mapped ? {} : { personal_email: this.#email }), app: 'svcapp', device } });
  }

  async expiredLicense(): Promise<void> {
    const { license } = await this.student();
    await this.#call('POST', '/sandbox/licenses/{id}/expire', { path: { id: license.id } });
  }

  /** A published exam of a group with this student. */
  async exam(studentId?: string): Promise<string> {
    const student = studentId ?? (await this.student()).id;
    const { id: group, faculty_id } = await this.#call('POST', '/groups', { body: { name: 'Class 7b', student_ids: [student] } });
    const { id } = await this.#call('POST', '/exams', { body: { faculty_id, title: 'Algebra', group_ids: [group], max_score: 100 } });
    return id;
  }

  async attempt(): Promise<string> {
    const { id: student_id } = await this.#signedInStudent();
    const exam = await this.exam(student_id);
    return (await this.#call('POST', '/sandbox/exams/{id}/attempts', { path: { id: exam }, body: { student_id } })).id;
  }

  async submission(): Promise<string> {
    const id = await this.attempt();
    return (await this.#call('POST', '/sandbox/attempts/{id}/submit', { path: { id }, body: { text: 'The derivative is 2x.' } })).id;
  }

  async grade(): Promise<void> {
    const id = await this.submission();
    await this.#call('POST', '/submissions/{id}/grade', { path: { id }, body: { score: 80, feedback: 'Show how you got there.' } });
  }

  async guardian(): Promise<string> {
    const { id } = await this.student();
    return (await this.#call('POST', '/guardians', { body: { student_id: id, guardian_email: this.#email, guardian_type: 'mother' } })).id;
  }

  async verifiedGuardian(): Promise<void> {
    const id = await this.guardian();
    await this.#call('POST', '/sandbox/guardians/{id}/accept', { path: { id } });
    await this.#call('POST', '/sandbox/guardians/{id}/sign-in', { path: { id } });
  }

  async points(): Promise<void> {
    const { id } = await this.student();
    await this.#call('POST', '/alpha/students/{id}/points', { path: { id }, body: { points: 10, note: 'Helped others', ref: this.#run } });
  }

  /** The badge of the first concept that a student masters; a student has each badge once. */
  async badge(): Promise<void> {
    const { id } = await this.#signedInStudent();
    const { id: curriculum_id } = await this.#call('POST', '/sandbox/alpha/curricula', { body: { title: 'Fractions', concepts: [{ id: 'adding', title: 'Adding' }] } });
    const { enrollments } = await this.#call('POST', '/alpha/enrollments', { body: { curriculum_id, student_ids: [id] } });
    const body = { enrollment_id: enrollments[0]?.id ?? '', concept_id: 'adding', score: 90, minutes: 30, ref: this.#run };
    await this.#call('POST', '/sandbox/alpha/students/{id}/progress', { path: { id }, body });
  }

  async credit(): Promise<void> {
    const { login_email: email } = await this.student();
    await this.#call('POST', '/merits/credits', { body: { email, amount_cents: 100, reason: 'A prize', ref: this.#run } });
  }

  async couponBatch(): Promise<string> {
    const expiry_date = new Date((await this.#context.api.now()).getTime() + 30 * dayMs).toISOString();
    return (await this.#call('POST', '/coupons/batches', { body: { name: 'Prizes', total_coupons: 1, value_cents: 100, expiry_date } })).id;
  }

  async approvedBatch(): Promise<string> {
    const id = await this.couponBatch();
    await this.#call('POST', '/sandbox/coupons/batches/{id}/approve', { path: { id }, body: {} });
    return id;
  }

  /** A coupon that is redeemed, once the codes of its batch are made. */
  async redeemedCoupon(): Promise<void> {
    const { id: student_id } = await this.#signedInStudent();
    const id = await this.approvedBatch();
    const code = await this.#firstCode(id);
    await this.#call('POST', '/sandbox/coupons/redeem', { body: { student_id, code } });
  }

  async #firstCode(id: string): Promise<string> {
    const { signal, timeoutMs } = this.#context;
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const { codes } = await this.#context.api.call('GET', '/coupons/batches/{id}', { path: { id } });
      const [first] = codes;
      if (first !== undefined) return first.code;
      if (performance.now() >= deadline) throw new CliError(`The codes of ${id} were not made within ${timeoutMs / 1_000} s.`, { kind: 'unreachable', code: 'unreachable' });
      await pause(approvalPollMs, signal);
    }
  }

  /** Sends a ping to the endpoint that was given, or to the only one. */
  async ping(): Promise<DataOf<'POST', '/webhooks/endpoints/{id}/test'>> {
    const id = this.#options.endpoint ?? (await this.#onlyEndpoint());
    return this.#call('POST', '/webhooks/endpoints/{id}/test', { path: { id } });
  }

  async #onlyEndpoint(): Promise<string> {
    const { items } = await this.#call('GET', '/webhooks/endpoints');
    const [first, ...others] = items;
    if (first === undefined) throw usageError('A ping goes to an endpoint, and the sandbox has none: create one with POST /webhooks/endpoints.');
    if (others.length > 0) throw usageError(`The sandbox has several endpoints; name one with --endpoint: ${items.map(({ id }) => id).join(', ')}`);
    return first.id;
  }
}

import { randomUUID } from 'node:crypto';
import { startAttempt } from '../../domain/attempts/startAttempt';
import { newId, type IdPrefix } from '../../domain/ids';
import type { TestApi, TestInstitution } from './api';
import { publishedCurriculum } from './curricula';
import { seedDelivery } from './seed/deliveries';
import { seedSubmission } from './seed/submissions';
import { seedLicense } from './seed/licenses';
import { seedSeat } from './seed/seats';

/** What a path parameter, a filter or a body field can name. */
export type ResourceKind =
  | 'student' | 'faculty' | 'person' | 'group' | 'license' | 'seat' | 'exam' | 'submission' | 'guardian' | 'couponBatch'
  | 'curriculum' | 'enrollment' | 'endpoint' | 'delivery' | 'event' | 'attempt';

/** The kind that a path's parameter names: a new resource with an id in its path adds a line. */
const kindByPath: Record<string, ResourceKind> = {
  '/students/:id': 'student',
  '/faculty/:id': 'faculty',
  '/groups/:id': 'group',
  '/groups/:id/members/:studentId': 'student',
  '/licenses/:id': 'license',
  '/licenses/:id/devices/:seatId': 'seat',
  '/exams/:id': 'exam',
  '/exams/:id/assignments/:groupId': 'group',
  '/submissions/:id': 'submission',
  '/coupons/batches/:id': 'couponBatch',
  '/merits/wallets/:email': 'person',
  '/guardians/:id': 'guardian',
  '/alpha/curricula/:id': 'curriculum',
  '/alpha/enrollments/:id': 'enrollment',
  '/alpha/students/:id': 'student',
  '/webhooks/endpoints/:id': 'endpoint',
  '/webhooks/deliveries/:id': 'delivery',
  '/sandbox/students/:id': 'student',
  '/sandbox/exams/:id': 'exam',
  '/sandbox/attempts/:id': 'attempt',
  '/sandbox/guardians/:id': 'guardian',
  '/sandbox/coupons/batches/:id': 'couponBatch',
  '/sandbox/licenses/:id': 'license',
  '/sandbox/alpha/students/:id': 'student',
};

/** The kind that a filter or a body field of this name names; null where it is the institution's own identifier. */
export const kindOfField = (path: string, name: string): ResourceKind | null | undefined =>
  Object.hasOwn(ownIdentifiers, `${path} ${name}`) ? null : kindByField[name];

const ownIdentifiers = {
  '/students student_id': null,
  '/students/:id student_id': null,
  '/faculty faculty_id': null,
  '/faculty/:id faculty_id': null,
  '/staff email': null,
};

const kindByField: Record<string, ResourceKind> = {
  student_id: 'student',
  student_ids: 'student',
  faculty_id: 'faculty',
  graded_by: 'faculty',
  group_id: 'group',
  group_ids: 'group',
  exam_id: 'exam',
  curriculum_id: 'curriculum',
  endpoint_id: 'endpoint',
  event_id: 'event',
  // Any kind of caller; this filter takes no login email.
  actor_id: 'guardian',
  email: 'person',
};

type CreateResource = (api: TestApi, institution: TestInstitution) => Promise<string>;

const createByPost = (path: string, body: object, field = 'id'): CreateResource => async (api, { apiKey }) => {
  const { status, data, body: answer } = await api.call('POST', path, { key: apiKey, body });
  if (status !== 200) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(answer)}`);
  return String(data[field]);
};

/** What a first sign-in leaves. */
export async function markSignedIn({ api }: TestApi, studentId: string): Promise<void> {
  await api.domain.database.sql("UPDATE users SET status = 'active', first_signed_in_at = now() WHERE id = $1", [studentId]);
}

const student = createByPost('/students', { full_name: 'Ada Lovelace' });
const exam: CreateResource = async (api, institution) => createByPost('/exams', { faculty_id: institution.adminId, title: 'Algebra' })(api, institution);

const curriculum: CreateResource = (api, { adminId }) => publishedCurriculum(api, { 'x-actor': adminId });

const endpoint = createByPost('/webhooks/endpoints', { url: 'https://hooks.example.org/in', events: ['*'] });

/** Makes one thing of a kind in an institution and returns its id. */
export const createResource: Record<ResourceKind, CreateResource> = {
  student,
  faculty: createByPost('/faculty', { full_name: 'Grace Hopper' }),
  person: createByPost('/students', {}, 'login_email'),
  group: createByPost('/groups', { name: 'Class 1' }),
  license: async (api, institution) => (await seedLicense(api, institution)).id,
  seat: async (api, institution) => seedSeat(api, institution, { userId: await student(api, institution) }),
  exam,
  submission: async (api, institution) =>
    seedSubmission(api, institution, { examId: await exam(api, institution), studentId: await student(api, institution) }),
  guardian: async (api, institution) =>
    createByPost('/guardians', {
      student_id: await student(api, institution),
      guardian_email: `${randomUUID()}@example.org`,
      guardian_type: 'mother',
      guardian_name: 'Augusta',
      is_primary: false,
    })(api, institution),
  couponBatch: createByPost('/coupons/batches', { name: 'Prizes', total_coupons: 2, value_cents: 100, expiry_date: new Date(Date.now() + 300 * 86_400_000).toISOString() }),
  curriculum,
  enrollment: async (api, institution) => {
    const body = { curriculum_id: await curriculum(api, institution), student_ids: [await student(api, institution)] };
    const { data } = await api.call('POST', '/alpha/enrollments', { key: institution.apiKey, body });
    return data.enrollments[0].id;
  },
  endpoint,
  attempt: async (api, institution) => {
    const studentId = await student(api, institution);
    const group = await createByPost('/groups', { name: 'Class', faculty_id: institution.adminId, student_ids: [studentId] })(api, institution);
    const examId = await createByPost('/exams', { faculty_id: institution.adminId, title: 'Algebra', group_ids: [group] })(api, institution);
    await markSignedIn(api, studentId);
    return (await startAttempt(api.api.domain, institution.caller, examId, studentId)).attempt.id;
  },
  delivery: async (api, institution) => seedDelivery(api, institution, await endpoint(api, institution), { status: 'dead' }),
  event: async (api, institution) => {
    const eventId = newId('evt');
    await seedDelivery(api, institution, await endpoint(api, institution), { eventId, status: 'dead' });
    return eventId;
  },
};

const prefixes: Record<Exclude<ResourceKind, 'person'>, IdPrefix> = {
  student: 'stu', faculty: 'fac', group: 'grp', license: 'lic', seat: 'seat', exam: 'exm', submission: 'sub', guardian: 'gdn', couponBatch: 'cpb',
  curriculum: 'cur', enrollment: 'enr', endpoint: 'we', delivery: 'whd', event: 'evt', attempt: 'att',
};

/** Ids that look like one of a kind and belong to nothing. */
export const unknownResourceId = (kind: ResourceKind): string =>
  kind === 'person' ? `student99.00000000@${randomUUID().slice(0, 8)}.example` : `${prefixes[kind]}_01jd4k6f2mep2s5xg5yhc8m1zz`;

/** The kinds of a path's parameters, by their names; undefined where the table does not know one. */
export function pathParameterKinds(path: string): [parameter: string, kind: ResourceKind | undefined][] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => [match[1] ?? '', kindByPath[path.slice(0, match.index + match[0].length)]]);
}

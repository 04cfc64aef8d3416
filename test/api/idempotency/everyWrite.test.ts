import { publicOperations } from '../../../api/operations/public';
import { apiFixture } from '../../support/apiFixture';
import type { ApiResponse, TestInstitution } from '../../support/api';
import { exampleBodyOf, isTestOnly, pathOf } from '../../support/operations';
import { createResource, markSignedIn, pathParameterKinds, type ResourceKind } from '../../support/resourceFactories';
import { rowCountsOf } from '../../support/rowCounts';
import { seedCoupons } from '../../support/seed/coupons';
import { seedSeat } from '../../support/seed/seats';

const fixture = apiFixture();
const { api } = fixture;

/** The institution whose key calls: a sandbox where an operation takes no other. */
let institution: TestInstitution;

const create = (kind: ResourceKind): Promise<string> => createResource[kind](api, institution);

const call = (method: string, path: string, body?: object): Promise<ApiResponse> => fixture.call(method, path, body, institution);

/** Creates by POST with these parts of a body; returns the id. */
async function createWith(path: string, body: object): Promise<string> {
  const { data } = await call('POST', path, body);
  return data.id;
}

/** What a call needs so that it succeeds, where the document's example and new things for the path's ids are not enough. */
interface Prepared {
  params?: Record<string, string>;
  body?: object;
}

/** A student who has signed in. */
async function signedInStudent(): Promise<string> {
  const id = await create('student');
  await markSignedIn(api, id);
  return id;
}

const studentAlone = async (): Promise<Prepared> => ({ body: { student_ids: [await create('student')] } });

const prepare: Record<string, () => Promise<Prepared> | Prepared> = {
  createGroup: async () => ({ body: { faculty_id: institution.adminId, student_ids: [await create('student')] } }),
  updateGroup: async () => ({ body: { faculty_id: institution.adminId, student_ids: [await create('student')] } }),
  addGroupMembers: studentAlone,
  removeGroupMember: async () => {
    const student = await create('student');
    return { params: { id: await createWith('/groups', { name: 'Class', student_ids: [student] }), studentId: student } };
  },
  revokeSeat: async () => {
    const { data } = await call('POST', '/students', {});
    return { params: { id: data.license.id, seatId: await seedSeat(api, institution, { userId: data.id }) } };
  },
  createExam: async () => ({ body: { faculty_id: institution.adminId, group_ids: [await create('group')], code_spec: null } }),
  updateExam: async () => ({ body: { faculty_id: institution.adminId, group_ids: [await create('group')], code_spec: null } }),
  assignExam: async () => ({ body: { group_ids: [await create('group')] } }),
  unassignExam: async () => {
    const group = await create('group');
    return { params: { id: await createWith('/exams', { faculty_id: institution.adminId, title: 'Algebra', group_ids: [group] }), groupId: group } };
  },
  releaseCodeSecret: async () => {
    const exam = await create('exam');
    await call('PUT', `/exams/${exam}/code-secret`, { hidden_key_b64: Buffer.alloc(32, 7).toString('base64') });
    return { params: { id: exam } };
  },
  gradeSubmission: () => ({ body: { graded_by: institution.adminId } }),
  inviteGuardian: async () => ({ body: { student_id: await create('student') } }),
  resendGuardianInvitation: async () => {
    const id = await create('guardian');
    await fixture.sql("UPDATE guardian_links SET invited_at = invited_at - interval '1 day' WHERE id = $1", [id]);
    return { params: { id } };
  },
  enrollStudents: async () => ({ body: { curriculum_id: await create('curriculum'), student_ids: [await create('student')] } }),
  creditMerits: async () => {
    await api.platform('PUT', `/institutions/${institution.id}/allowance`, { body: { allowance_cents: 1_000_000 } });
    return { body: { email: await create('person') } };
  },
  signInSandboxStudent: () => ({ body: { app: 'svcapp' } }),
  startSandboxAttempt: async () => {
    const student = await signedInStudent();
    const group = await createWith('/groups', { name: 'Class', faculty_id: institution.adminId, student_ids: [student] });
    return { params: { id: await createWith('/exams', { faculty_id: institution.adminId, title: 'Algebra', group_ids: [group] }) }, body: { student_id: student } };
  },
  signInSandboxGuardian: async () => {
    const id = await create('guardian');
    await call('POST', `/sandbox/guardians/${id}/accept`);
    return { params: { id } };
  },
  redeemSandboxCoupon: async () => ({ body: { student_id: await signedInStudent(), code: (await seedCoupons(api, institution)).codes[0] } }),
  expireSandboxLicense: async () => ({ params: { id: (await call('POST', '/students', {})).data.license.id } }),
  reportSandboxProgress: async () => {
    const student = await signedInStudent();
    const curriculum = await create('curriculum');
    const { data } = await call('POST', '/alpha/enrollments', { curriculum_id: curriculum, student_ids: [student] });
    return { params: { id: student }, body: { enrollment_id: data.enrollments[0].id, concept_id: 'c1' } };
  },
  replayDelivery: async () => {
    const student = await create('student');
    const endpoint = await create('endpoint');
    const [event] = await fixture.sql<{ id: string }>('SELECT id FROM events WHERE institution_id = $1 LIMIT 1', [institution.id]);
    const id = 'whd_01jd4k6f2mep2s5xg5yhc8m1zr';
    await fixture.sql(
      `INSERT INTO webhook_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, created_at)
       SELECT $1, institution_id, $2, id, type, created_at, 'dead', now() FROM events WHERE id = $3`,
      [id, endpoint, event?.id ?? student],
    );
    return { params: { id } };
  },
};

/** The body that is sent, and its type: a file, or the document's example with what was prepared in its place. */
function contentOf(record: (typeof publicOperations)[number], body: object): { body?: string; headers: Record<string, string> } {
  if (Object.hasOwn(record.request, 'upload')) {
    // Each call of an HTTP library has a boundary of its own.
    const boundary = `b${Math.random().toString(36).slice(2)}`;
    const fields = Object.entries(record.request.upload?.fields ?? {}).map(([name, { oneOf }]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${oneOf[0]}\r\n`);
    const part = `${fields.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--${boundary}--\r\n`;
    return { body: part, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
  }
  return record.request.body === undefined ? { headers: {} } : { body: JSON.stringify({ ...exampleBodyOf(api.served, record), ...body }), headers: {} };
}

// A bulk call waits for a worker, whom nobody runs here: it has a test of its own.
// A reset of the sandbox has keys of its own, and a test of its own.
const elsewhere = ['createStudentsBulk', 'resetSandbox'];
const writes = publicOperations.filter(({ method, operationId }) => method !== 'GET' && !elsewhere.includes(operationId));

it('every write of the public API stores its response with its effect', () => {
  expect(writes.length).toBeGreaterThan(40);
  expect(publicOperations.filter(({ method, transaction }) => (method === 'GET') !== (transaction === 'none')).map(({ operationId }) => operationId)).toEqual([]);
});

it.each(writes.map((record) => [record.operationId, record] as const))('is done once, and answered twice: %s', async (operationId, record) => {
  institution = isTestOnly(record) ? await api.sandboxOf(fixture.institution) : fixture.institution;
  const { params = {}, body = {} } = (await prepare[operationId]?.()) ?? {};
  const made = await Promise.all(
    pathParameterKinds(record.path).map(async ([name, kind]) => [name, params[name] ?? (kind === undefined ? '' : await create(kind))] as const),
  );
  const path = pathOf(record.path, Object.fromEntries(made));
  const send = () => {
    const content = contentOf(record, body);
    return api.call(record.method, path, { key: institution.apiKey, ...content, headers: { ...content.headers, 'idempotency-key': 'k' } });
  };
  const first = await send();
  expect([first.status, first.body.message, first.headers.get('idempotent-replayed')]).toEqual([200, undefined, null]);
  const before = await rowCountsOf(api, institution);
  const second = await send();
  expect([second.status, second.body, second.headers.get('idempotent-replayed')]).toEqual([200, first.body, 'true']);
  expect(await rowCountsOf(api, institution)).toEqual(before);
});

import type { Access, PlatformCaller, PlatformRole } from '../../../../api/http/access';
import type { OperationRecord } from '../../../../api/http/operation';
import { platformOperations } from '../../../../api/operations/platform';
import { openSession } from '../../../../domain/signIn/sessions';
import { transact } from '../../../../domain/transact';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../../local/projectRoot';
import type { RequestOptions, TestInstitution } from '../../../support/api';
import type { SessionKind } from '../../../../db/entities/session';
import { activeDeveloper } from '../../../support/developers';
import { exampleBodyOf } from '../../../support/operations';
import { createResource } from '../../../support/resourceFactories';
import { addStaffMember, type StaffMember } from '../../../support/staff';
import { fetchServedDocument, type ServedDocument } from '../../../support/servedDocument';
import { apiFixture } from '../../../support/apiFixture';

type Operation = OperationRecord<PlatformCaller>;

const { api, institution } = apiFixture({ institutionPer: 'file' });
let served: ServedDocument;
let otherInstitution: TestInstitution;
/** What each caller of the institution sends. */
let callers: Record<string, RequestOptions>;

beforeAll(async () => {
  served = await fetchServedDocument(api.platformUrl);
  otherInstitution = await api.institution();
  const { id } = await activeDeveloper(api, institution);
  const { token } = await transact(api.api.domain, institution.caller, (tx) => openSession(tx, id, 'developer'));
  callers = {
    'a developer by X-Actor': { headers: { 'x-actor': id } },
    'a developer by their session': { key: token },
    'an admin': { headers: { 'x-actor': institution.adminId } },
  };
});

function accessOf({ access }: Operation): Extract<Access, { by: 'platform' }> {
  if (access.by !== 'platform') throw new Error('Not an operation of the platform API');
  return access;
}

const isOfNamedInstitution = (record: Operation): boolean => record.path.startsWith('/institutions/:id/') && typeof accessOf(record).institution !== 'string';
const isPublic = (record: Operation): boolean => accessOf(record).roles.includes('public');
const guarded = platformOperations.filter((record) => !isPublic(record));
const named = (records: readonly Operation[]) => records.map((record) => ({ name: `${record.method} ${record.path}`, record }));
const allowsRole = (role: PlatformRole) => (record: Operation): boolean => accessOf(record).roles.includes(role);

/** Asks for an operation of an institution; what the path names besides is of nobody. */
function ask(record: Operation, caller: string, institution: TestInstitution, body?: object) {
  const path = record.path.replace(/^\/institutions\/:id/, `/institutions/${institution.id}`).replaceAll(/:(\w+)/g, 'nothing');
  return api.platform(record.method, path, { ...callers[caller], ...(body === undefined ? {} : { body }) });
}

const bodyOf = (record: Operation): object | undefined => (record.request.body === undefined ? undefined : exampleBodyOf(served, record));

/** What the specification lets a developer have: keys, webhook endpoints, deliveries; and what everybody has, their own session. */
const developerPaths = /^\/(institutions\/:id\/(keys|webhook-endpoints|endpoint-health|deliveries)|keys|deliveries)(\/|$)|^\/sign-in\/sessions\/current$/;
const developers = ['a developer by X-Actor', 'a developer by their session'];
const sessionOnlyPaths = /^\/(app|guardian|me)\//;

// Contract: portal.developer.keys-webhooks-deliveries-only
it('a developer has keys, webhook endpoints and deliveries only: the records and the specification say the same', () => {
  const expected = guarded.filter(({ path }) => developerPaths.test(path));
  expect(expected.length).toBeGreaterThan(10);
  expect(guarded.filter(allowsRole('developer')).map(({ operationId }) => operationId).sort()).toEqual(expected.map(({ operationId }) => operationId).sort());
});

// Contract: portal.admin.manages-developers, portal.admin.sees-licenses-batches-settings
it('an admin has everything that a developer has, developers, licenses, batches and settings', () => {
  const portal = guarded.filter((record) => allowsRole('developer')(record) && record.operationId !== 'signOut');
  for (const record of portal) expect([record.operationId, allowsRole('admin')(record)]).toEqual([record.operationId, true]);
  const admins = guarded.filter(allowsRole('admin')).map(({ method, path }) => `${method} ${path}`);
  expect(admins).toEqual(
    expect.arrayContaining([
      'GET /institutions/:id/developers', 'POST /institutions/:id/developers', 'GET /developers', 'POST /developers/:id/resend', 'POST /developers/:id/suspend',
      'POST /developers/:id/reactivate', 'POST /developers/:id/revoke', 'GET /institutions/:id/licenses', 'GET /institutions/:id/coupon-batches', 'GET /institutions/:id/settings',
    ]),
  );
});

it('operations of apps and guardians are closed to portal users', () => {
  for (const record of guarded.filter(({ path }) => sessionOnlyPaths.test(path))) {
    expect([record.operationId, allowsRole('admin')(record), allowsRole('developer')(record)]).toEqual([record.operationId, false, false]);
  }
});

// Contract: portal.developer.keys-webhooks-deliveries-only, errors.403.forbidden
describe.each(named(guarded.filter((record) => !allowsRole('developer')(record))))('$name', ({ record }) => {
  it.each(developers)('is forbidden to %s, in their own institution and in another one', async (caller) => {
    for (const target of [institution, otherInstitution]) {
      const { status, body } = await ask(record, caller, target);
      expect([status, body.error]).toEqual([403, 'forbidden']);
    }
  });
});

describe.each(named(guarded.filter((record) => allowsRole('developer')(record) && record.operationId !== 'signOut')))('$name', ({ record }) => {
  it.each([...developers, 'an admin'])('is open to %s', async (caller) => {
    const { status, body } = await ask(record, caller, institution, bodyOf(record));
    expect([401, 403]).not.toContain(status);
    expect(body.error).not.toBe('forbidden');
  });
});

describe.each(named(guarded.filter((record) => allowsRole('developer')(record) && isOfNamedInstitution(record))))('$name', ({ record }) => {
  it.each(developers)('of another institution is not found by %s', async (caller) => {
    const { status, body } = await ask(record, caller, otherInstitution, bodyOf(record));
    expect([status, body.error]).toEqual([404, 'not_found']);
  });
});

describe('while the institution is suspended', () => {
  beforeAll(() => api.platform('POST', `/institutions/${institution.id}/suspend`));
  afterAll(() => api.platform('POST', `/institutions/${institution.id}/approve`));

  // Contract: errors.403.institution-not-approved
  it.each(named(guarded.filter((record) => allowsRole('developer')(record) && record.operationId !== 'signOut')))('$name is institution_not_approved to developers', async ({ record }) => {
    for (const caller of developers) {
      const { status, body } = await ask(record, caller, institution, bodyOf(record));
      expect([status, body.error]).toEqual([403, 'institution_not_approved']);
    }
  });
});

describe('the table of roles', () => {
  /** What each caller of the platform API sends, by role. */
  let byRole: Partial<Record<PlatformRole, () => Promise<RequestOptions>>>;
  const roles = ['platform', 'operator', 'support', 'admin', 'developer', 'student', 'faculty', 'guardian', 'public'] as const;

  beforeAll(async () => {
    const { id: developerId } = await activeDeveloper(api, institution);
    const [studentId, guardianLink] = [await createResource.student(api, institution), await createResource.guardian(api, institution)];
    const [guardian] = await api.api.domain.database.sql<{ guardian_id: string | null }>('SELECT guardian_id FROM guardian_links WHERE id = $1', [guardianLink]);
    const session = (userId: string, kind: SessionKind) => async () => ({ key: (await transact(api.api.domain, institution.caller, (tx) => openSession(tx, userId, kind))).token });
    const token = (member: StaffMember) => () => Promise.resolve({ key: member.token });
    byRole = {
      platform: () => Promise.resolve({}),
      operator: token(await addStaffMember(api, 'operator')),
      support: token(await addStaffMember(api, 'support')),
      admin: () => Promise.resolve({ headers: { 'x-actor': institution.adminId } }),
      developer: session(developerId, 'developer'),
      student: session(studentId, 'student'),
      faculty: session(institution.adminId, 'faculty'),
      guardian: session(guardian?.guardian_id ?? '', 'guardian'),
      public: () => Promise.resolve({ key: undefined }),
    };
  });

  // A role is refused before anything of the request is read: what a role may do is asked of nothing.
  it.each(roles)('has the column of %s as the operations answer', async (role) => {
    const open: string[] = [];
    for (const record of platformOperations) {
      const path = record.path.replaceAll(/:(\w+)/g, 'nothing');
      const { status, body } = await api.platform(record.method, path, await byRole[role]?.());
      const refused = status === 401 || (status === 403 && / may not do this: .+ may\.$/.test(body.message));
      if (!refused) open.push(record.operationId);
    }
    expect(open).toEqual(platformOperations.filter((record) => allowsRole(role)(record) || isPublic(record)).map(({ operationId }) => operationId));
  });

  it('names the role that is refused, and those that may do it', async () => {
    const asSupport = await api.platform('GET', `/institutions/${institution.id}/coupon-batches`, await byRole.support?.());
    expect([asSupport.status, asSupport.body.message]).toEqual([403, 'Your role support may not do this: admin, operator and the platform token may.']);
    const asStudent = await api.platform('GET', '/search', { ...(await byRole.student?.()), query: { q: 'x' } });
    expect([asStudent.status, asStudent.body.message]).toEqual([403, 'Your role student may not do this: operator, support and the platform token may.']);
  });

  it('leaves to support what the console does and shows, and its own tokens', () => {
    const writes = guarded.filter((record) => allowsRole('support')(record) && record.method !== 'GET').map(({ operationId }) => operationId).sort();
    expect(writes).toEqual(['cancelDelivery', 'createStaffToken', 'recoverDeliveries', 'replayDeadDeliveries', 'replayDelivery', 'retryDeliveryNow', 'revokeStaffToken', 'updateWebhookEndpoint']);
    for (const record of guarded.filter(allowsRole('support'))) expect([record.operationId, allowsRole('operator')(record)]).toEqual([record.operationId, true]);
  });

  it('gives an operator everything that the platform token may do', () => {
    for (const record of guarded) expect([record.operationId, allowsRole('operator')(record)]).toEqual([record.operationId, allowsRole('platform')(record)]);
  });
});

describe('the guide to the portal', () => {
  const guide = readFileSync(join(projectRoot(), 'docs', 'portal.md'), 'utf8');
  const listed = [...guide.matchAll(/^\| `(GET|POST|PUT|PATCH|DELETE) (\S+)` \| (yes)? ?\| (yes)? ?\|/gm)].map(([, method, path, admin, developer]) => ({
    operation: `${method} ${path}`, admin: admin === 'yes', developer: developer === 'yes',
  }));

  it('has every operation of an admin or developer, and who may use it, as the records have it', () => {
    const records = guarded
      .filter((record) => allowsRole('admin')(record) || allowsRole('developer')(record))
      .map((record) => ({ operation: `${record.method} /platform/v1${record.path.replaceAll(/:(\w+)/g, '{$1}')}`, admin: allowsRole('admin')(record), developer: allowsRole('developer')(record) }));
    const inOrder = (rows: typeof records) => [...rows].sort((one, other) => one.operation.localeCompare(other.operation));
    expect(inOrder(listed)).toEqual(inOrder(records));
  });
});

import { platformOperations } from '../../../../api/operations/platform';
import type { Access, PlatformCaller } from '../../../../api/http/access';
import type { OperationRecord } from '../../../../api/http/operation';
import { UserEntity } from '../../../../db/entities/user';
import { createStudent } from '../../../../domain/students/createStudent';
import { provisionPeople } from '../../../../domain/people/provisionPeople';
import { openSession } from '../../../../domain/signIn/sessions';
import { transact } from '../../../../domain/transact';
import { exampleBodyOf } from '../../../support/operations';
import { fetchServedDocument, type ServedDocument } from '../../../support/servedDocument';
import { apiFixture } from '../../../support/apiFixture';

type Operation = OperationRecord<PlatformCaller>;

const { api, institution } = apiFixture({ institutionPer: 'file' });
let studentId: string;
let studentSession: string;
let served: ServedDocument;

beforeAll(async () => {
  served = await fetchServedDocument(api.platformUrl);
  const made = await transact(api.api.domain, institution.caller, async (tx) => {
    const student = await createStudent(tx, {});
    return { id: student.id, token: (await openSession(tx, student.id, 'student')).token };
  });
  studentId = made.id;
  studentSession = made.token;
});

function accessOf({ access }: Operation): Extract<Access, { by: 'platform' }> {
  if (access.by !== 'platform') throw new Error('Not an operation of the platform API');
  return access;
}

const named = (records: readonly Operation[]) => records.map((record) => ({ name: `${record.method} ${record.path}`, record }));
const guarded = platformOperations.filter((record) => !accessOf(record).roles.includes('public'));
const closedTo = (role: PlatformCaller['role']) => guarded.filter((record) => !accessOf(record).roles.includes(role));
const openTo = (role: PlatformCaller['role']) => guarded.filter((record) => accessOf(record).roles.includes(role));

const ask = (record: Operation, sent: object, id = institution.id) => api.platform(record.method, record.path.replace(':id', id), sent);
const bodyFor = (record: Operation) => (record.request.body === undefined ? {} : { body: exampleBodyOf(served, record) });
const asActor = (actor: string) => ({ headers: { 'x-actor': actor } });

describe.each(named(guarded))('$name', ({ record }) => {
  it('is unauthorized without a token, with a foreign one, an API key and an unknown session', async () => {
    for (const key of [undefined, 'x'.repeat(40), institution.apiKey, 'ses_unknown']) {
      const { status, body } = await ask(record, { key });
      expect([status, body.error]).toEqual([401, 'unauthorized']);
    }
  });
});

describe.each(named(closedTo('student')))('$name', ({ record }) => {
  it('is forbidden to a student\'s session', async () => {
    const { status, body } = await ask(record, { key: studentSession });
    expect([status, body.error]).toEqual([403, 'forbidden']);
  });
});

describe.each(named(closedTo('admin')))('$name', ({ record }) => {
  it('is forbidden to an institution admin', async () => {
    expect((await ask(record, asActor(institution.adminId))).body.error).toBe('forbidden');
  });
});

describe.each(named(openTo('admin').filter(({ path }) => path.startsWith('/institutions/:id/'))))('$name', ({ record }) => {
  it('of another institution answers an admin as one that does not exist', async () => {
    const otherInstitution = await api.institution();
    const body = bodyFor(record);
    const [foreign, unknown] = [await ask(record, { ...asActor(otherInstitution.adminId), ...body }), await ask(record, { ...asActor(otherInstitution.adminId), ...body }, 'ins_none')];
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
  });

  it('is institution_not_approved to the admin while the institution is suspended', async () => {
    const otherInstitution = await api.institution();
    await api.platform('POST', `/institutions/${otherInstitution.id}/suspend`);
    const body = bodyFor(record);
    expect((await ask(record, { ...asActor(otherInstitution.adminId), ...body }, otherInstitution.id)).body.error).toBe('institution_not_approved');
  });
});

describe('X-Actor', () => {
  const keys = (sent: object) => api.platform('GET', '/keys', sent);

  it('naming nobody is unauthorized', async () => {
    expect(await keys(asActor('fac_nobody'))).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
  });

  it('naming a student, or faculty who is no admin, is forbidden', async () => {
    const [teacher] = await transact(api.api.domain, institution.caller, (tx) =>
      provisionPeople(tx, 'faculty', [{ fullName: null, externalId: null, licenseDays: 1, personalEmail: null }]),
    );
    for (const actor of [studentId, teacher?.id ?? '']) expect(await keys(asActor(actor))).toMatchObject({ status: 403, body: { error: 'forbidden' } });
  });

  it('naming a suspended admin is forbidden', async () => {
    const otherInstitution = await api.institution();
    await api.api.domain.database.manager.update(UserEntity, { id: otherInstitution.adminId }, { status: 'suspended' });
    expect((await keys(asActor(otherInstitution.adminId))).body.error).toBe('forbidden');
  });

  it('means nothing without the platform token', async () => {
    expect((await keys({ ...asActor(institution.adminId), key: undefined })).status).toBe(401);
    expect((await keys({ ...asActor(institution.adminId), key: studentSession })).status).toBe(403);
  });
});

describe('the records', () => {
  it('lead every write to an institution, except those about the staff, who belong to none', () => {
    for (const record of platformOperations.filter(({ transaction, tag }) => transaction === 'write' && tag !== 'Staff')) {
      expect([record.operationId, accessOf(record).institution]).not.toEqual([record.operationId, 'none']);
    }
  });

  it('have an :id or an institution_id where the institution comes from there', () => {
    for (const record of platformOperations) {
      const { institution } = accessOf(record);
      if (typeof institution === 'string') continue;
      const named = 'owns' in institution ? institution.id : institution.named;
      const ofPath = named({ params: { id: 'in the path' }, query: {} });
      if (ofPath !== undefined) expect([record.path, ofPath]).toEqual([expect.stringContaining('/:id'), 'in the path']);
      else expect([Object.keys(record.request.query?.describe().keys ?? {}), named({ params: {}, query: { institution_id: 'in the query' } })]).toEqual([expect.arrayContaining(['institution_id']), 'in the query']);
    }
  });
});

import { platformOperations } from '../../../../api/operations/platform';
import type { Access, EndpointRecord, PlatformCaller } from '../../../../api/http/operation';
import { UserEntity } from '../../../../db/entities/user';
import { createStudent } from '../../../../domain/students/createStudent';
import { provisionPeople } from '../../../../domain/people/provisionPeople';
import { openSession } from '../../../../domain/signIn/sessions';
import { transact } from '../../../../domain/transact';
import type { TestInstitution } from '../../../support/api';
import { exampleBodyOf } from '../../../support/operations';
import { fetchServedDocument, type ServedDocument } from '../../../support/servedDocument';
import { apiOfAllTests } from '../../../support/sharedApi';

type Operation = EndpointRecord<PlatformCaller>;

const api = apiOfAllTests();
let north: TestInstitution;
let studentId: string;
let studentSession: string;
let served: ServedDocument;

beforeAll(async () => {
  served = await fetchServedDocument(api.platformUrl);
  north = await api.institution();
  const made = await transact(api.api.domain, north.caller, async (tx) => {
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

const ask = (record: Operation, sent: object, id = north.id) => api.platform(record.method, record.path.replace(':id', id), sent);
const bodyFor = (record: Operation) => (record.request.body === undefined ? {} : { body: exampleBodyOf(served, record) });
const as = (actor: string) => ({ headers: { 'x-actor': actor } });

describe.each(named(guarded))('$name', ({ record }) => {
  it('is unauthorized without a token, with a foreign one, an API key and an unknown session', async () => {
    for (const key of [undefined, 'x'.repeat(40), north.apiKey, 'ses_unknown']) {
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
    expect((await ask(record, as(north.adminId))).body.error).toBe('forbidden');
  });
});

describe.each(named(openTo('admin').filter((record) => accessOf(record).institution === 'path')))('$name', ({ record }) => {
  it('of another institution answers an admin as one that does not exist', async () => {
    const south = await api.institution();
    const body = bodyFor(record);
    const [foreign, unknown] = [await ask(record, { ...as(south.adminId), ...body }), await ask(record, { ...as(south.adminId), ...body }, 'ins_none')];
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
  });

  it('is institution_not_approved to the admin while the institution is suspended', async () => {
    const south = await api.institution();
    await api.platform('POST', `/institutions/${south.id}/suspend`);
    const body = bodyFor(record);
    expect((await ask(record, { ...as(south.adminId), ...body }, south.id)).body.error).toBe('institution_not_approved');
  });
});

describe('X-Actor', () => {
  const keys = (sent: object) => api.platform('GET', '/keys', sent);

  it('naming nobody is unauthorized', async () => {
    expect(await keys(as('fac_nobody'))).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
  });

  it('naming a student, or faculty who is no admin, is forbidden', async () => {
    const [teacher] = await transact(api.api.domain, north.caller, (tx) =>
      provisionPeople(tx, 'faculty', [{ fullName: null, externalId: null, licenseDays: 1, personalEmail: null }]),
    );
    for (const actor of [studentId, teacher?.id ?? '']) expect(await keys(as(actor))).toMatchObject({ status: 403, body: { error: 'forbidden' } });
  });

  it('naming a suspended admin is forbidden', async () => {
    const south = await api.institution();
    await api.api.domain.database.manager.update(UserEntity, { id: south.adminId }, { status: 'suspended' });
    expect((await keys(as(south.adminId))).body.error).toBe('forbidden');
  });

  it('means nothing without the platform token', async () => {
    expect((await keys({ ...as(north.adminId), key: undefined })).status).toBe(401);
    expect((await keys({ ...as(north.adminId), key: studentSession })).status).toBe(403);
  });
});

describe('the records', () => {
  it('lead every write to an institution', () => {
    for (const record of platformOperations.filter(({ transaction }) => transaction === 'write')) {
      expect([record.operationId, accessOf(record).institution]).not.toEqual([record.operationId, 'none']);
    }
  });

  it('have an :id or an institution_id where the institution comes from there', () => {
    for (const record of platformOperations) {
      const { institution } = accessOf(record);
      if (institution === 'path' || institution === 'key') expect(record.path).toContain('/:id');
      if (institution === 'query') expect(record.request.query?.describe().keys).toHaveProperty('institution_id');
    }
  });
});

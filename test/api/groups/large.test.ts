import { idsIn } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';
import { seedGroup } from '../../support/seed/groups';
import { seedStudents } from '../../support/seed/students';

const { api, institution, sql, call } = apiFixture({ institutionPer: 'file' });
let first: string[];
let second: string[];

beforeAll(async () => {
  [first, second] = [await seedStudents(api, institution, 10_000, 'first'), await seedStudents(api, institution, 10_000, 'second')];
});

const members = async (groupId: string): Promise<string[]> => idsIn((await call('GET', `/groups/${groupId}`)).data.members);

/** How long a call takes that makes these the members of a group, in ms. */
async function replacing(groupId: string, student_ids: readonly string[]): Promise<number> {
  const started = performance.now();
  const { status, data } = await call('PATCH', `/groups/${groupId}`, { student_ids });
  expect([status, data.member_count]).toEqual([200, student_ids.length]);
  return performance.now() - started;
}

describe('a group of 10,000', () => {
  let groupId: string;

  beforeEach(async () => {
    groupId = await seedGroup(api, institution, first);
  });

  it('is made in one call', async () => {
    const { data } = await call('POST', '/groups', { name: 'Everybody', student_ids: second });
    expect(data.member_count).toBe(10_000);
  });

  it('is replaced by another 10,000 in under 3 seconds, whether named by id or by login email', async () => {
    const emails = first.map((_id, index) => `first${String(index + 1).padStart(6, '0')}@${institution.loginDomain}`);
    for (const student_ids of [second, emails]) expect(await replacing(groupId, student_ids)).toBeLessThan(3_000);
    expect(await members(groupId)).toEqual(first);
  });

  it('is answered with all its members', async () => {
    const { data } = await call('GET', `/groups/${groupId}`);
    expect([data.member_count, idsIn(data.members)]).toEqual([10_000, first]);
  });

  it('takes no further member, and nobody of such a call', async () => {
    const { status, body } = await call('POST', `/groups/${groupId}/members`, { student_ids: [...first.slice(0, 5), second[0]] });
    expect([status, body.error]).toEqual([409, 'conflict']);
    expect((await call('GET', `/groups/${groupId}`)).data.member_count).toBe(10_000);
  });

  it('takes those again who are members already', async () => {
    expect((await call('POST', `/groups/${groupId}/members`, { student_ids: first })).data.member_count).toBe(10_000);
  });

  it('cannot be named in one call with one more', async () => {
    const { status, body } = await call('PATCH', `/groups/${groupId}`, { student_ids: [...first, second[0]] });
    expect([status, body.issues]).toMatchObject([422, [{ path: 'student_ids' }]]);
  });

  it('is deleted with its memberships, and its students stay', async () => {
    expect((await call('DELETE', `/groups/${groupId}`)).status).toBe(200);
    expect(await sql('SELECT 1 FROM group_members WHERE group_id = $1 LIMIT 1', [groupId])).toEqual([]);
    expect((await call('GET', '/students')).data.total).toBe(20_000);
  });
});

it('a group of 1,000 is replaced by eight callers at once, who wait for each other, and is that of one of them in the end', async () => {
  const [one, other] = [first.slice(0, 1_000), second.slice(0, 1_000)];
  const groupId = await seedGroup(api, institution, one);
  await Promise.all(Array.from({ length: 8 }, (_, nth) => replacing(groupId, nth % 2 === 0 ? one : other)));
  expect([one, other]).toContainEqual(await members(groupId));
});

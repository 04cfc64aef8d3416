import { idsIn } from '../../support/answers';
import { startTestApi, type TestApi, type TestInstitution } from '../../support/api';
import { plantStudents } from '../../support/manyStudents';

let api: TestApi;
let north: TestInstitution;

beforeAll(async () => {
  api = await startTestApi();
  north = await api.institution();
});

afterAll(() => api.stop());

const call = (method: string, path: string, body?: object) => api.call(method, path, { key: north.apiKey, body });

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const started = performance.now();
  const result = await work();
  return { result, ms: performance.now() - started };
}

describe('a group of 10,000', () => {
  let first: string[];
  let second: string[];
  let groupId: string;

  beforeAll(async () => {
    [first, second] = [await plantStudents(api, north, 10_000, 'first'), await plantStudents(api, north, 10_000, 'second')];
    const { data } = await call('POST', '/groups', { name: 'Everybody', student_ids: first });
    expect(data.member_count).toBe(10_000);
    groupId = data.id;
  });

  it('is replaced by another 10,000 in under 3 seconds, whether named by id or by login email', async () => {
    const emails = first.map((_id, index) => `first${String(index + 1).padStart(6, '0')}@${north.loginDomain}`);
    for (const student_ids of [second, emails, second]) {
      const { result, ms } = await timed(() => call('PATCH', `/groups/${groupId}`, { student_ids }));
      expect([result.status, result.data.member_count]).toEqual([200, 10_000]);
      expect(ms).toBeLessThan(3_000);
    }
  });

  it('is replaced by eight callers at once, who wait for each other, and is that of one of them in the end', async () => {
    const lists = Array.from({ length: 8 }, (_, nth) => (nth % 2 === 0 ? first : second));
    const answers = await Promise.all(lists.map((student_ids) => call('PATCH', `/groups/${groupId}`, { student_ids })));
    expect(answers.map(({ status, data }) => [status, data.member_count])).toEqual(Array(8).fill([200, 10_000]));
    const { data } = await call('GET', `/groups/${groupId}`);
    expect([first, second]).toContainEqual(idsIn(data.members));
    await call('PATCH', `/groups/${groupId}`, { student_ids: second });
  });

  it('is answered with all its members', async () => {
    const { data } = await call('GET', `/groups/${groupId}`);
    expect([data.member_count, idsIn(data.members)]).toEqual([10_000, second]);
  });

  it('takes no further member, and nobody of such a call', async () => {
    const { status, body } = await call('POST', `/groups/${groupId}/members`, { student_ids: [...second.slice(0, 5), first[0]] });
    expect([status, body.error]).toEqual([409, 'conflict']);
    expect((await call('GET', `/groups/${groupId}`)).data.member_count).toBe(10_000);
  });

  it('takes those again who are members already', async () => {
    expect((await call('POST', `/groups/${groupId}/members`, { student_ids: second })).data.member_count).toBe(10_000);
  });

  it('cannot be named in one call with one more', async () => {
    const { status, body } = await call('PATCH', `/groups/${groupId}`, { student_ids: [...second, first[0]] });
    expect([status, body.issues]).toMatchObject([422, [{ path: 'student_ids' }]]);
  });

  it('is deleted at once, and its students stay', async () => {
    expect((await call('DELETE', `/groups/${groupId}`)).status).toBe(200);
    expect((await call('GET', '/students')).data.total).toBe(20_000);
  });
});

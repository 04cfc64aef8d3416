import { appFixture } from '../../support/appFixture';
import { alphaCalls } from '../../support/alphaCalls';
import { errorSummary } from '../../support/responses';
import { eventsDuring } from '../../support/events';

const fixture = appFixture();
const { api, institution, call, createStudents, listAt } = fixture;
const { award, drillDown } = alphaCalls(fixture);
const student = async (): Promise<string> => (await createStudents(1))[0] ?? '';
const points = (id: string, query = {}) => listAt(`/alpha/students/${id}/points`, query);

// Contract: service.purpose.enroll-in-alpha, alpha.points.stats-and-ledger, alpha.points.award-body, events.alpha-points-awarded
it('an award moves the balance, is announced once, and is in the ledger', async () => {
  const id = await student();
  const events = await eventsDuring(api, institution, async () => {
    const { status, data } = await award(id, { points: 10, note: 'Helped others\nall day', ref: 'award-1' });
    expect([status, data]).toEqual([200, { id: data.id, student_id: id, points: 10, balance: 10, note: 'Helped others\nall day', ref: 'award-1', applied: true, created_at: data.created_at }]);
  });
  expect(events).toEqual([{ type: 'alpha.points_awarded', data: { student_id: id, points: 10, balance: 10, ref: 'award-1' } }]);
  const { data } = await points(id);
  expect(data.ledger.items).toEqual([expect.objectContaining({ ref: 'award-1', balance: 10 })]);
  expect(data.stats).toEqual({ balance: 10, earned: 10, deducted: 0, awards: 1, last_awarded_at: data.ledger.items[0].created_at });
});

it('the stats of a student without points are nought', async () => {
  const id = await student();
  expect((await points(id)).data).toEqual({
    student_id: id,
    stats: { balance: 0, earned: 0, deducted: 0, awards: 0, last_awarded_at: null },
    ledger: { items: [], page: 1, limit: 50, total: 0, has_more: false, next_cursor: null },
  });
});

// Contract: alpha.points.award-idempotent, limits.points.minus-100-to-100, idempotency.point-awards.ref
it('a repeat of a ref is answered as the first time, and moves and announces nothing', async () => {
  const id = await student();
  const { data: first } = await award(id, { ref: 'award-1' });
  await award(id, { points: 5 });
  const events = await eventsDuring(api, institution, async () => {
    expect((await award(id, { ref: 'award-1' })).data).toEqual({ ...first, applied: false });
    expect((await award(id, { ref: 'award-1', note: null })).data.applied).toBe(false);
  });
  expect([events, (await points(id)).data.stats.balance]).toEqual([[], 15]);
});

it('a repeat for a student who is suspended by now is answered as the first time, and a new award is user_inactive', async () => {
  const id = await student();
  await award(id, { ref: 'award-1' });
  await call('POST', `/students/${id}/suspend`);
  expect((await award(id, { ref: 'award-1' })).data.applied).toBe(false);
  expect(errorSummary(await award(id))).toEqual([409, 'user_inactive']);
});

it('another award under a ref of the institution is a conflict: other points, note or student', async () => {
  const [id, other] = [await student(), await student()];
  await award(id, { ref: 'award-1', note: 'A' });
  const answers = [await award(id, { ref: 'award-1', points: 11, note: 'A' }), await award(id, { ref: 'award-1' }), await award(other, { ref: 'award-1', note: 'A' })];
  expect(answers.map(errorSummary)).toEqual(Array(3).fill([409, 'conflict']));
});

it('another institution may use the same ref', async () => {
  const otherInstitution = await api.institution();
  const { data: foreign } = await call('POST', '/students', {}, otherInstitution);
  await award(await student(), { ref: 'award-1' });
  const { data } = await call('POST', `/alpha/students/${foreign.id}/points`, { points: 10, ref: 'award-1' }, otherInstitution);
  expect(data.applied).toBe(true);
});

// Contract: alpha.points.response
it('points may be taken down to nought; below it is a conflict, whose ref may be used again', async () => {
  const id = await student();
  await award(id, { points: 10 });
  expect(errorSummary(await award(id, { points: -11, ref: 'fine' }))).toEqual([409, 'conflict']);
  expect((await award(id, { points: -10, ref: 'fine' })).data).toMatchObject({ points: -10, balance: 0, applied: true });
  expect((await points(id)).data.stats).toMatchObject({ balance: 0, earned: 10, deducted: 10, awards: 2 });
});

it('100 and 1,000 points reached are a badge each, once, though points are taken meanwhile', async () => {
  const id = await student();
  const events = await eventsDuring(api, institution, async () => {
    for (const one of [100, -50, 50, ...Array<number>(9).fill(100), -100, 100]) await award(id, { points: one });
  });
  const granted = events.filter(({ type }) => type === 'alpha.badge_granted').map(({ data }) => data);
  expect(granted).toEqual([{ student_id: id, badge: 'points_100' }, { student_id: id, badge: 'points_1000' }]);
  expect((await drillDown(id)).data.badges.map(({ badge }: { badge: string }) => badge)).toEqual(['points_100', 'points_1000']);
});

// Contract: alpha.points.stats-and-ledger, alpha.points.response
it('the ledger is paged, newest first, with an exact total', async () => {
  const id = await student();
  for (const nth of [1, 2, 3, 4, 5]) await award(id, { points: nth, ref: `award-${nth}` });
  const refsOf = async (query: object) => {
    const { ledger } = (await points(id, query)).data;
    return [ledger.items.map(({ ref }: { ref: string }) => ref), ledger.total, ledger.has_more];
  };
  expect(await refsOf({ limit: 2 })).toEqual([['award-5', 'award-4'], 5, true]);
  expect(await refsOf({ limit: 2, page: 3 })).toEqual([['award-1'], 5, false]);
  expect(await refsOf({ limit: 2, page: 4 })).toEqual([[], 5, false]);
  expect(await refsOf({ limit: 200, page: 1_000_000 })).toEqual([[], 5, false]);
});

it('a student goes by id or login email, and an unknown one or a teacher is not found', async () => {
  const id = await student();
  const { login_email: email } = (await call('GET', `/students/${id}`)).data;
  expect((await award(encodeURIComponent(email))).data.student_id).toBe(id);
  for (const unknown of ['stu_unknown', institution.adminId]) expect(errorSummary(await award(unknown))).toEqual([404, 'not_found']);
});

// Contract: alpha.points.award-body, limits.points.minus-100-to-100
it.each([
  [{ points: 0 }, ['points']],
  [{ points: 101 }, ['points']],
  [{ points: -101 }, ['points']],
  [{ points: 1.5 }, ['points']],
  [{ points: '10' }, ['points']],
  [{ ref: null }, ['ref']],
  [{ ref: 'x'.repeat(201) }, ['ref']],
  [{ note: 'x'.repeat(1_001) }, ['note']],
])('an award against the bounds is refused with its path (%#)', async (body, paths) => {
  expect(errorSummary(await award(await student(), body))).toEqual([422, 'validation_error', paths]);
});

it('an award of no points is refused: it must not be 0', async () => {
  const { body } = await award(await student(), { points: 0 });
  expect(body.issues).toEqual([{ path: 'points', message: 'points must not be 0' }]);
});

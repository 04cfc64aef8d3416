import { appFixture } from '../../support/appFixture';
import { alphaCalls } from '../../support/alphaCalls';
import { eventsOf } from '../../support/events';

const fixture = appFixture();
const { api, institution, sql, call, createStudents, listAt } = fixture;
const { award, createLearner, reportProgress, drillDown, setEnrollmentStatus } = alphaCalls(fixture);
const student = async (): Promise<string> => (await createStudents(1))[0] ?? '';
const twenty = Array.from({ length: 20 }, (_, nth) => nth);

const announcedBadges = async (): Promise<string[]> =>
  (await eventsOf(api, institution)).flatMap(({ type, data }) => (type === 'alpha.badge_granted' && 'badge' in data ? [data.badge] : []));

it('20 awards under the same ref at once: one is applied, and all are answered the same', async () => {
  const id = await student();
  const answers = await Promise.all(twenty.map(() => award(id, { points: 10, ref: 'award-1' })));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(answers.filter(({ data }) => data.applied)).toHaveLength(1);
  expect(new Set(answers.map(({ data: { id: entry, balance } }) => `${entry} ${balance}`)).size).toBe(1);
});

it('20 different awards at once: each is applied, balances follow one another, and the badge is granted once', async () => {
  const id = await student();
  const answers = await Promise.all(twenty.map((nth) => award(id, { points: nth + 1 })));
  const { data } = await listAt(`/alpha/students/${id}/points`, {});
  expect(data.stats).toMatchObject({ balance: 210, earned: 210, awards: 20 });
  expect(answers.map(({ data: entry }) => entry.balance).sort()).toEqual(data.ledger.items.map(({ balance }: { balance: number }) => balance).sort());
  const oldestFirst = [...data.ledger.items].reverse();
  expect(oldestFirst.map(({ balance, points }) => balance - points)).toEqual([0, ...oldestFirst.slice(0, -1).map(({ balance }) => balance)]);
  expect(await announcedBadges()).toEqual(['points_100']);
});

it('the same ref for 20 students at once: one has the points, for the others it is a conflict', async () => {
  const students = await createStudents(20);
  const answers = await Promise.all(students.map((id) => award(id, { points: 10, ref: 'award-1' })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status, body }) => status === 409 && body.error === 'conflict')).toHaveLength(19);
  expect(await sql('SELECT points FROM alpha_points WHERE institution_id = $1', [institution.id])).toEqual([{ points: 10 }]);
});

it('20 who take the last points at once: as many as there are points for, and never below nought', async () => {
  const id = await student();
  await award(id, { points: 35 });
  const answers = await Promise.all(twenty.map(() => award(id, { points: -10 })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect((await listAt(`/alpha/students/${id}/points`, {})).data.stats).toMatchObject({ balance: 5, deducted: 30 });
});

it('an award against a suspension: before it, or refused', async () => {
  for (const id of await createStudents(5)) {
    const [awarded, suspended] = await Promise.all([award(id), call('POST', `/students/${id}/suspend`)]);
    expect(suspended.status).toBe(200);
    expect([[200, undefined], [409, 'user_inactive']]).toContainEqual([awarded.status, awarded.body.error]);
  }
});

it('the same progress reported 10 times at once counts once', async () => {
  const who = await createLearner({ concepts: 1, minutes: 20 });
  const answers = await Promise.all(twenty.slice(0, 10).map(() => reportProgress(who, { score: 90, minutes: 12, ref: 'session-1' })));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(answers.filter(({ data }) => data.applied)).toHaveLength(1);
  expect((await drillDown(who.id)).data.days[0].minutes).toBe(12);
});

it('progress in every concept at once: minutes add up, the enrollment is completed, and each badge is granted once', async () => {
  const who = await createLearner({ concepts: 10, minutes: 100 });
  const answers = await Promise.all(twenty.map((nth) => reportProgress(who, { concept_id: `c${1 + (nth % 10)}`, score: 80, minutes: 5 })));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const { data } = await drillDown(who.id);
  expect(data.days[0]).toMatchObject({ minutes: 100, met: true });
  expect(data.enrollments[0]).toMatchObject({ status: 'completed', progress: { concepts: 10, mastered: 10 } });
  expect(answers.flatMap(({ data: answered }) => answered.badges_granted).sort()).toEqual(['curriculum_complete', 'first_mastery']);
  expect((await announcedBadges()).sort()).toEqual(['curriculum_complete', 'first_mastery']);
});

it('progress against a withdrawal: before it, or refused', async () => {
  for (const who of [await createLearner(), await createLearner(), await createLearner()]) {
    const [reported, withdrawn] = await Promise.all([reportProgress(who), setEnrollmentStatus(who.enrollmentId, 'withdrawn')]);
    expect(withdrawn.status).toBe(200);
    expect([[200, undefined], [409, 'conflict']]).toContainEqual([reported.status, reported.body.error]);
  }
});

import fc from 'fast-check';
import { newId } from '../../../domain/ids';
import { appFixture } from '../../support/appFixture';
import { alphaCalls } from '../../support/alphaCalls';

const fixture = appFixture();
const { api, institution, sql, call, listAt, createStudents } = fixture;
const { award, createLearner, reportProgress, reportProgressAt } = alphaCalls(fixture);
const day = 86_400_000;

const leaders = async (query = {}) => (await listAt('/alpha/leaderboard', query)).data.items;
const brief = ({ rank, student_id, points }: { rank: number; student_id: string; points: number }) => [rank, student_id, points];

// Contract: alpha.leaderboard.available
it('goes by points; the same points share a rank, and the next stands below as many as are before it', async () => {
  const [a = '', b = '', c = '', d = '', e = ''] = await createStudents(5);
  for (const [id, points] of [[a, 5], [b, 20], [c, 20], [d, 50]] as const) await award(id, { points });
  await award(e, { points: 5 });
  await award(e, { points: -5 });
  expect((await leaders()).map(brief)).toEqual([[1, d, 50], [2, b, 20], [2, c, 20], [4, a, 5]]);
});

it('shows who they are, and their streak as of now', async () => {
  const [current, over] = [await createLearner({ minutes: 5 }), await createLearner({ minutes: 5 })];
  await reportProgress(current, { minutes: 5 });
  await reportProgressAt(over, new Date(Date.now() - 3 * day), { minutes: 5 });
  await award(current.id, { points: 2 });
  await award(over.id, { points: 1 });
  const { data: student } = await call('GET', `/students/${current.id}`);
  const items = await leaders();
  expect(items[0]).toEqual({ rank: 1, student_id: current.id, email: student.login_email, full_name: student.full_name, points: 2, streak_days: 1 });
  expect(items[1].streak_days).toBe(0);
});

// Contract: alpha.leaderboard.query
it('has ten without a limit, and up to a hundred with one', async () => {
  const students = await createStudents(12);
  for (const id of students) await award(id);
  expect([(await leaders()).length, (await leaders({ limit: 3 })).length, (await leaders({ limit: 100 })).length]).toEqual([10, 3, 12]);
  expect((await listAt('/alpha/leaderboard', { limit: 101 })).status).toBe(422);
});

it('leaves out students of other institutions', async () => {
  const otherInstitution = await api.institution();
  const { data: foreign } = await call('POST', '/students', {}, otherInstitution);
  await call('POST', `/alpha/students/${foreign.id}/points`, { points: 100, ref: newId('evt') }, otherInstitution);
  expect(await leaders()).toEqual([]);
});

it('for any points and any suspended students, ranks are those of a naive count', async () => {
  const student = fc.record({ points: fc.integer({ min: 0, max: 6 }), suspended: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(student, { maxLength: 14 }), fc.integer({ min: 1, max: 16 }), async (wanted, limit) => {
      await sql('UPDATE users SET status = $2 WHERE institution_id = $1 AND kind = $3', [institution.id, 'suspended', 'student']);
      const ids = await createStudents(wanted.length);
      for (const [nth, { points, suspended }] of wanted.entries()) {
        if (points > 0) await award(ids[nth] ?? '', { points });
        if (suspended) await sql('UPDATE users SET status = $2 WHERE id = $1', [ids[nth], 'suspended']);
      }
      const counting = wanted.flatMap(({ points, suspended }, nth) => (points > 0 && !suspended ? [{ id: ids[nth] ?? '', points }] : []));
      const specified = counting
        .map(({ id, points }) => [1 + counting.filter((other) => other.points > points).length, id, points] as const)
        .sort(([rank, id], [other, otherId]) => rank - other || (id < otherId ? -1 : 1));
      expect((await leaders({ limit })).map(brief)).toEqual(specified.slice(0, limit));
    }),
    { numRuns: 15 },
  );
});

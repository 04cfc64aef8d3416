import fc from 'fast-check';
import { apiFixture } from '../../support/apiFixture';
import { seedExamAttempt, seedSubmission } from '../../support/seed/submissions';

const { api, institution, sql, call, createExam, createGroup, createStudents, readExam } = apiFixture();
const analytics = async (examId: string) => (await call('GET', `/exams/${examId}/analytics`)).data;
const seed = (examId: string, studentId: string, fields: Parameters<typeof seedSubmission>[3] = {}) => seedSubmission(api, institution, { examId, studentId }, fields);

const noBins = Array.from({ length: 10 }, (_, bin) => ({ from: bin * 10, to: bin * 10 + 10, count: 0 }));

/** Rounded to two decimals. */
const round2 = (value: number): number => Math.round(value * 100) / 100;

it('of an exam without submissions has nulls and zeros, and counts who is assigned', async () => {
  const { id } = await createExam({ group_ids: [await createGroup(await createStudents(3))] });
  expect(await analytics(id)).toEqual({
    counts: { not_submitted: 3, submitted: 0, graded: 0, resubmission_required: 0, voided: 0 },
    percentage: { mean: null, median: null, min: null, max: null, standard_deviation: null },
    histogram: noBins,
    late_count: 0,
    mean_duration_seconds: null,
    focus: { losses: 0, seconds_away: 0 },
  });
});

// Contract: endpoints.get-exam-analytics
it('counts each student once, by the latest version, also after leaving the groups', async () => {
  const students = await createStudents(6);
  const [a = '', b = '', c = '', d = '', e = ''] = students;
  const { id } = await createExam({ group_ids: [await createGroup(students), await createGroup([a])] });
  await seed(id, a, { status: 'resubmission_required' });
  await seed(id, a, { version: 2 });
  await seed(id, b, { status: 'graded', score: 50, percentage: 50 });
  await seed(id, c, { status: 'voided', score: 90, percentage: 90 });
  await seed(id, d, { status: 'resubmission_required' });
  await seed(id, e, { status: 'graded', score: 70, percentage: 70 });
  await sql('DELETE FROM group_members WHERE user_id = $1', [e]);
  const { counts, percentage } = await analytics(id);
  expect(counts).toEqual({ not_submitted: 1, submitted: 1, graded: 2, resubmission_required: 1, voided: 1 });
  expect(percentage).toEqual({ mean: 60, median: 60, min: 50, max: 70, standard_deviation: 10 });
  expect((await readExam(id)).stats).toMatchObject({ graded: counts.graded, average_percentage: percentage.mean });
});

it('puts each tenth into a bin, 100 into the last', async () => {
  const percentages = [0, 9.99, 10, 89.99, 90, 100, 100];
  const students = await createStudents(percentages.length);
  const { id } = await createExam();
  for (const [nth, studentId] of students.entries()) await seed(id, studentId, { status: 'graded', score: percentages[nth] ?? 0, percentage: percentages[nth] ?? 0 });
  expect((await analytics(id)).histogram.map(({ count }: { count: number }) => count)).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 1, 3]);
});

it('computes as the textbook does, for any grades', async () => {
  const students = await createStudents(30);
  const percentage = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100);
  const { id } = await createExam();
  for (const studentId of students) await seed(id, studentId, { status: 'graded', score: 1, percentage: 1 });
  const ids = (await sql<{ id: string }>('SELECT id FROM submissions WHERE exam_id = $1', [id])).map((row) => row.id);
  await fc.assert(
    fc.asyncProperty(fc.array(percentage, { minLength: 1, maxLength: students.length }), async (given) => {
      await sql("UPDATE submissions SET status = 'submitted' WHERE exam_id = $1", [id]);
      await sql("UPDATE submissions s SET status = 'graded', percentage = g.percentage FROM unnest($1::text[], $2::numeric[]) AS g (id, percentage) WHERE s.id = g.id", [ids.slice(0, given.length), given]);
      const sorted = [...given].sort((one, other) => one - other);
      const mean = given.reduce((sum, one) => sum + one, 0) / given.length;
      const deviation = Math.sqrt(given.reduce((sum, one) => sum + (one - mean) ** 2, 0) / given.length);
      const median = ((sorted[Math.floor((given.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((given.length - 1) / 2)] ?? 0)) / 2;
      const found = await analytics(id);
      expect([found.percentage.min, found.percentage.max]).toEqual([sorted[0], sorted.at(-1)]);
      // A half may be rounded either way by the binary fractions of this test.
      for (const [name, expected] of [['mean', mean], ['median', median], ['standard_deviation', deviation]] as const) {
        expect([name, Math.abs(found.percentage[name] - expected) <= 0.005 + 1e-9, round2(found.percentage[name])]).toEqual([name, true, found.percentage[name]]);
      }
      expect(found.histogram.map(({ count }: { count: number }) => count)).toEqual(
        noBins.map(({ from, to }) => given.filter((one) => one >= from && (one < to || to === 100)).length),
      );
      expect(found.counts).toMatchObject({ graded: given.length, submitted: students.length - given.length });
    }),
    { numRuns: 25 },
  );
});

it('counts late ones by their latest version, voided ones not', async () => {
  const [a = '', b = '', c = '', d = ''] = await createStudents(4);
  const { id } = await createExam();
  await seed(id, a, { isLate: true, status: 'resubmission_required' });
  await seed(id, a, { version: 2 });
  await seed(id, b, { isLate: true });
  await seed(id, c, { isLate: true, status: 'voided' });
  await seed(id, d, { isLate: true, status: 'graded', score: 1, percentage: 1 });
  expect((await analytics(id)).late_count).toBe(2);
});

it('shows how long submitted attempts took, and how often and long all attempts were away', async () => {
  const [a = '', b = '', c = ''] = await createStudents(3);
  const { id } = await createExam();
  const attempt = async (studentId: string, status: 'in_progress' | 'submitted' | 'abandoned', seconds: number): Promise<void> => {
    const attemptId = await seedExamAttempt(api, institution, { examId: id, studentId }, { status, startedAt: new Date('2026-01-01T08:00:00Z') });
    await sql(
      "UPDATE attempts SET focus_losses = 2, seconds_away = 1.25, ended_at = CASE WHEN status <> 'in_progress' THEN started_at + $2 * interval '1 second' END WHERE id = $1",
      [attemptId, seconds],
    );
  };
  await attempt(a, 'submitted', 600);
  await attempt(b, 'submitted', 1_201.5);
  await attempt(b, 'abandoned', 9_000);
  await attempt(c, 'in_progress', 0);
  expect(await analytics(id)).toMatchObject({ mean_duration_seconds: 900.75, focus: { losses: 8, seconds_away: 5 } });
});

it('adds up seconds away to the millisecond, without what binary fractions add', async () => {
  const students = await createStudents(3);
  const { id } = await createExam();
  for (const studentId of students) {
    const attemptId = await seedExamAttempt(api, institution, { examId: id, studentId });
    await sql('UPDATE attempts SET seconds_away = 0.1 WHERE id = $1', [attemptId]);
  }
  expect((await analytics(id)).focus).toEqual({ losses: 0, seconds_away: 0.3 });
});

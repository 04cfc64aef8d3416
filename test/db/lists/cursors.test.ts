import fc from 'fast-check';
import { institutionScope, type InstitutionScope } from '../../../db/database';
import { orderClause, readPage, type OrderColumn, type Page, type PageOf, type Position } from '../../../db/page';
import { listConceptStates } from '../../../db/repositories/alpha/mastery';
import { listStudents } from '../../../db/repositories/students/students';
import { apiFixture } from '../../support/apiFixture';
import { chainOf, publishedCurriculum } from '../../support/curricula';
import { seedStudents } from '../../support/seed/students';

const { api, institution, sql, call, createStudents } = apiFixture();

/** Every row of a list, so many at a time; `between` runs before each further read. */
async function walk<Row>(read: (page: Page) => Promise<PageOf<Row>>, limit: () => number, between: () => Promise<unknown> = () => Promise.resolve()): Promise<Row[]> {
  const walked: Row[] = [];
  for (let after: Position | null = null; ; await between()) {
    const { rows, next, total }: PageOf<Row> = await read({ page: 1, limit: limit(), cursor: { after } });
    expect(total).toBeNull();
    walked.push(...rows);
    if (next === null) return walked;
    after = next;
  }
}

const scope = (): InstitutionScope => institutionScope(api.api.domain.database, institution.id);

interface OrderedRow {
  at: string;
  name: string;
  n: number;
}

it('reads on after any position as the whole list does, in any order, with equal values and microseconds', async () => {
  const second = fc.integer({ min: 0, max: 1 }).map((whole) => `2026-01-01 00:00:0${whole}`);
  const time = fc.tuple(second, fc.constantFrom('', '.000001', '.000002', '.001', '.001001', '.999999')).map(([whole, part]) => `${whole}${part}+00`);
  const row = fc.record({ at: time, name: fc.constantFrom('a', 'B', 'ä', "it's", 'a b', '_'), n: fc.nat({ max: 40 }) });
  const direction = fc.constantFrom<OrderColumn['direction']>('ASC', 'DESC');
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(row, { selector: ({ at, name, n }) => `${at} ${name} ${n}`, minLength: 1, maxLength: 30 }), direction, direction, direction, fc.nat(), async (rows, one, two, three, seed) => {
      const values = rows.map(({ at, name, n }) => `('${at}'::timestamptz, '${name.replace("'", "''")}', ${n})`).join(', ');
      const from = `(VALUES ${values}) r (at, name, n)`;
      const order = [
        { sql: 'r.at', type: 'timestamptz', direction: one },
        { sql: 'r.name', type: 'text', direction: two },
        { sql: 'r.n', type: 'integer', direction: three },
      ] as const;
      const columns = 'r.at::text AS at, r.name, r.n';
      const whole = await sql<OrderedRow>(`SELECT ${columns} FROM ${from} ORDER BY ${orderClause(order)}`);
      const query = { columns, from, conditions: [{ sql: 'r.n >= $', value: 0 }], order };
      let nth = seed;
      const walked = await walk((page) => readPage<OrderedRow>(scope().sql, query, page), () => 1 + ((nth += 7) % 5));
      expect(walked).toEqual(whole);
    }),
    { numRuns: 60 },
  );
});

it('refuses a position of another order', async () => {
  await expect(listStudents(scope(), {}, { page: 1, limit: 1, cursor: { after: ['stu_1'] } })).rejects.toThrow('another order');
});

it('a walk of 5,000 students sees each once, while others come, change and go', async () => {
  const students = await seedStudents(api, institution, 5_000);
  await sql("UPDATE users SET created_at = now() - hashtext(id) % 100 * interval '1 ms' WHERE institution_id = $1 AND kind = 'student'", [institution.id]);
  let round = 0;
  const write = async (): Promise<void> => {
    round += 1;
    await sql(
      `INSERT INTO users (id, institution_id, kind, full_name, status, created_at, updated_at)
       SELECT 'stu_other_' || $1 || '_' || $2::int || '_' || n, $1, 'student', 'Other', 'active', now() - n * interval '5 ms', now() FROM generate_series(1, 20) n`,
      [institution.id, round],
    );
    await sql("DELETE FROM users WHERE institution_id = $1 AND id LIKE 'stu\\_other\\_%' AND right(id, 1) = $2", [institution.id, String(round % 10)]);
    await sql("UPDATE users SET full_name = 'Changed', status = 'suspended', updated_at = now() WHERE institution_id = $1 AND kind = 'student' AND hashtext(id) % 10 = $2", [institution.id, round % 10]);
  };
  // One after another: two at the same time would update the same rows in different orders.
  let last = Promise.resolve();
  const disturb = (): Promise<void> => (last = last.then(write));
  const walking = new AbortController();
  const writer = (async () => {
    while (!walking.signal.aborted) await disturb();
  })();
  const walked = await walk((page) => listStudents(scope(), {}, page), () => 100, disturb).finally(() => walking.abort());
  await writer;
  expect(round).toBeGreaterThan(50);
  const seen = walked.map(({ id }) => id).filter((id) => !id.startsWith('stu_other_'));
  expect(seen.length).toBe(students.length);
  expect(new Set(seen)).toEqual(new Set(students));
});

it('a walk of concepts keeps its order, though the student is enrolled again', async () => {
  const [student = ''] = await createStudents(1);
  const enroll = async (curriculum_id: string) => (await call('POST', '/alpha/enrollments', { curriculum_id, student_ids: [student] })).data.enrollments[0].id;
  const curricula = [];
  const enrollments: string[] = [];
  for (let nth = 0; nth < 3; nth += 1) {
    const curriculum = await publishedCurriculum(api, { 'x-actor': institution.adminId }, { concepts: chainOf(2) });
    curricula.push(curriculum);
    enrollments.push(await enroll(curriculum));
  }
  const [oldest = ''] = curricula;
  await call('PATCH', `/alpha/enrollments/${enrollments[0]}`, { status: 'withdrawn' });
  const expected = [...curricula].reverse().flatMap((curriculum) => [curriculum, curriculum]);
  let again = false;
  const walked = await walk((page) => listConceptStates(scope(), student, page), () => 1, async () => {
    if (!again) await enroll(oldest);
    again = true;
  });
  expect(walked.map(({ curriculum_id }) => curriculum_id)).toEqual(expected);
  const { rows } = await listConceptStates(scope(), student, { page: 1, limit: 10 });
  expect(rows[0]?.curriculum_id).toBe(oldest);
});

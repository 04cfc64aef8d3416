import { institutionScope } from '../../../db/database';
import { listStudents } from '../../../db/repositories/students/students';
import { seedStudents } from '../../support/seed/students';
import { withExplain } from '../../support/queryPlans';
import { apiFixture } from '../../support/apiFixture';
import { vacuum } from '../../support/statistics';

const { api, institution, sql } = apiFixture({ institutionPer: 'file' });
const students = 20_000;

it.each([
  ['the oldest', 'ASC'],
  ['the newest', 'DESC'],
])('the few students that changed are found by when they did, not among all: %s', async (_which, order) => {
  const ids = await seedStudents(api, institution, students, `many${order.toLowerCase()}`);
  await sql("UPDATE users SET created_at = now() - interval '1 year' + hashtext(id) % 100000 * interval '1 second', updated_at = now() - interval '10 days' WHERE id = ANY ($1::text[])", [ids]);
  await sql(`UPDATE users SET updated_at = now() WHERE id IN (SELECT id FROM users WHERE id = ANY ($1::text[]) ORDER BY created_at ${order} LIMIT 20)`, [ids]);
  await vacuum(api);
  const { scope, done } = withExplain(institutionScope(api.api.domain.database, institution.id));
  const { rows, total } = await listStudents(scope, { updated_since: new Date(Date.now() - 5 * 60_000) }, { page: 1, limit: 50 });
  expect([rows.length, total]).toEqual([20, 20]);
  expect(done.flatMap(({ scans }) => scans)).not.toContain('users: Seq Scan');
  // A few blocks for each of the 20, with email and license; all students have several hundred.
  expect(done.reduce((sum, { blocks }) => sum + blocks, 0)).toBeLessThan(400);
  await sql("UPDATE users SET updated_at = now() - interval '10 days' WHERE id = ANY ($1::text[])", [ids]);
});

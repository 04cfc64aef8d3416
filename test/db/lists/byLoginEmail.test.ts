import { institutionScope } from '../../../db/database';
import { listGroups } from '../../../db/repositories/groups/groups';
import { seedGroup } from '../../support/seed/groups';
import { withExplain } from '../../support/queryPlans';
import { apiFixture } from '../../support/apiFixture';
import { vacuum } from '../../support/statistics';

const { api, institution } = apiFixture({ institutionPer: 'file' });
const groups = 2_000;
let teacher: { id: string; login_email: string };

beforeAll(async () => {
  teacher = (await api.call('POST', '/faculty', { key: institution.apiKey, body: { full_name: 'Ada Teacher' } })).data;
  const { sql } = api.api.domain.database;
  await sql(
    `INSERT INTO groups (id, institution_id, faculty_id, name, created_at, updated_at)
     SELECT 'grp_' || n, $1, $2, 'Class ' || n, now(), now() FROM generate_series(1, $3::int) n`,
    [institution.id, institution.adminId, groups],
  );
  await sql('UPDATE groups SET faculty_id = $2 WHERE id = $1', [await seedGroup(api, institution), teacher.id]);
  await vacuum(api);
});

async function read(faculty_id: string): Promise<{ total: number | null; blocks: number }> {
  const { scope, done } = withExplain(institutionScope(api.api.domain.database, institution.id));
  const { total } = await listGroups(scope, { faculty_id }, { page: 1, limit: 20 });
  return { total, blocks: done.reduce((sum, { blocks }) => sum + blocks, 0) };
}

it("groups by their owner's login email: the address is looked up once, not for each of the institution's groups", async () => {
  const [byEmail, byId] = [await read(teacher.login_email), await read(teacher.id)];
  expect([byEmail.total, byId.total]).toEqual([1, 1]);
  expect(byEmail.blocks).toBeLessThan(groups);
});

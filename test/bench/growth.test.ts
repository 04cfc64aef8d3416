import { historyTimes, insertHistory } from '../../bench/growth/history';
import { insertGroup, insertStudents } from '../../bench/growth/people';
import { readGrowthSize } from '../../bench/growth/size';
import { timeOfId } from '../../domain/ids';
import { withConnection } from '../../local/programs/postgres';
import { apiFixture } from '../support/apiFixture';

const { api, institution, listAt, sql } = apiFixture({ institutionPer: 'file' });

describe('the size of the filled tables', () => {
  it('is that of the goals, unless the environment names a smaller one', () => {
    expect(readGrowthSize({})).toEqual({ students: 1_000_000, deliveries: 20_000_000, pruned: 200_000 });
    expect(readGrowthSize({ BENCH_GROWTH_STUDENTS: '100', BENCH_GROWTH_DELIVERIES: '1000' })).toEqual({ students: 100, deliveries: 1_000, pruned: 1_000 });
  });

  it.each(['0', '-1', '1.5', 'many'])('is not %s', (count) => {
    expect(() => readGrowthSize({ BENCH_GROWTH_STUDENTS: count })).toThrow('BENCH_GROWTH_STUDENTS must be a whole number above 0');
  });
});

describe('the times of the history', () => {
  const now = new Date('2026-11-23T12:00:00Z');

  it('are a whole number of milliseconds apart, the last an hour ago', () => {
    const { from, stepMs } = historyTimes(20_000_000, now);
    expect(stepMs).toBe(129);
    expect(from.getTime() + 20_000_000 * stepMs).toBe(now.getTime() - 3_600_000);
  });

  it('do not exist for more events than there are milliseconds', () => {
    expect(() => historyTimes(3_000_000_000, now)).toThrow('do not fit');
  });
});

describe('a filled institution', () => {
  const students = 200;
  const deliveries = 1_000;
  let groupId: string;

  beforeAll(async () => {
    await withConnection(api.stack.ownerDatabaseUrl, async (client) => {
      await client.query('SET session_replication_role = replica');
      const filled = { id: institution.id, loginDomain: institution.loginDomain, keys: [] };
      await insertStudents(client, filled, students, 1, students / 2);
      await insertStudents(client, filled, students, students / 2 + 1, students);
      groupId = await insertGroup(client, filled, students);
      const owner = { institutionId: institution.id, endpointId: 'we_growth', students };
      await insertHistory(client, owner, historyTimes(deliveries, new Date()), 1, deliveries);
      // As the bench does: rows written as a replica are not counted.
      await client.query('SELECT correct_row_counts($1)', [institution.id]);
    });
  });

  it('has students whom the API lists, by each filter', async () => {
    const total = async (query: Record<string, string>): Promise<unknown> => (await listAt('/students', query)).data.total;
    expect(await total({})).toBe(students);
    expect(await total({ status: 'pending' })).toBe(20);
    expect(await total({ status: 'suspended' })).toBe(4);
    expect(await total({ student_id: 'SIS-100' })).toBe(1);
    expect(await total({ email: `student100.00000000@${institution.loginDomain}` })).toBe(1);
    expect(await total({ group_id: groupId })).toBe(students);
  });

  it('has events, each with a delivery that has ended and its attempt', async () => {
    expect((await listAt('/webhooks/deliveries')).data.total).toBe(deliveries);
    const [row] = await sql(
      `SELECT count(*)::int AS count, count(a.delivery_id)::int AS attempts, count(*) FILTER (WHERE e.body::json ->> 'id' = e.id)::int AS bodies
         FROM events e JOIN deliveries d ON d.event_id = e.id AND d.created_at = e.created_at LEFT JOIN webhook_attempts a ON a.delivery_id = d.id
        WHERE e.institution_id = $1 AND d.status IN ('delivered', 'dead', 'cancelled')`,
      [institution.id],
    );
    expect(row).toEqual({ count: deliveries, attempts: deliveries, bodies: deliveries });
    const events = await sql<{ id: string; at: Date }>("SELECT id, created_at AS at FROM events WHERE institution_id = $1 AND type = 'student.updated' ORDER BY id", [institution.id]);
    expect(events.map(({ id }) => timeOfId(id))).toEqual(events.map(({ at }) => at));
  });
});

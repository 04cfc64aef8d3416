import type { BenchEnvironment } from '../environment';
import { median, rounded } from '../statistics';
import { call, seedStudents } from './people';

const members = 10_000;
const rounds = 5;

/** The baseline: one statement that deletes the rows of a membership, and one that inserts as many others. */
async function replaceRows({ database }: BenchEnvironment, institutionId: string, groupId: string, ids: readonly string[]): Promise<number> {
  const started = performance.now();
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('DELETE FROM group_members WHERE institution_id = $1 AND group_id = $2', [institutionId, groupId]);
    await client.query('INSERT INTO group_members (group_id, user_id, institution_id, created_at) SELECT $2, u, $1, now() FROM unnest($3::text[]) u', [institutionId, groupId, ids]);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  return performance.now() - started;
}

/** Measures replacing a group's 10,000 members by 10,000 others in one PATCH, against the bare rows. */
export async function benchMembership(environment: BenchEnvironment): Promise<object[]> {
  const api = await environment.startApi();
  try {
    const school = await environment.institution('membership', 1);
    const ids = await seedStudents(environment, school, 2 * members);
    const halves = [ids.slice(0, members), ids.slice(members)];
    const [group, bare] = [await call<{ id: string }>(environment, school, 'POST', '/groups', { name: 'All' }), await call<{ id: string }>(environment, school, 'POST', '/groups', { name: 'Bare' })];
    const pairs: { patch: number; rows: number }[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const half = halves[round % 2] ?? [];
      const started = performance.now();
      const { member_count: landed } = await call<{ member_count: number }>(environment, school, 'PATCH', `/groups/${group.id}`, { student_ids: half });
      const patch = performance.now() - started;
      if (landed !== members) throw new Error(`${landed} of ${members} students became members`);
      const rows = await replaceRows(environment, school.id, bare.id, half);
      // The first round fills the empty groups.
      if (round > 0) pairs.push({ patch, rows });
    }
    return [
      {
        bench: `PATCH /v1/groups/{id}: ${members} members replaced`,
        patch_ms: Math.round(median(pairs.map(({ patch }) => patch))),
        slowest_ms: Math.round(Math.max(...pairs.map(({ patch }) => patch))),
        rows_ms: Math.round(median(pairs.map(({ rows }) => rows))),
        ratio: rounded(median(pairs.map(({ patch, rows }) => rows / patch))),
        rounds,
      },
    ];
  } finally {
    await api.stop(5_000);
  }
}

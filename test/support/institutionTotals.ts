import type { ApiFixture } from './apiFixture';

/** What the totals of an institution are about, besides it. */
export interface TotalsOf {
  studentId: string;
  examIds: readonly string[];
  groupIds: readonly string[];
}

/** Sums of money and points, statistics and counts, as the API and the tables have them; suspended students are on no leaderboard. */
export async function readTotals({ call, sql, institution }: ApiFixture, { studentId, examIds, groupIds }: TotalsOf) {
  const read = async (path: string) => (await call('GET', path)).data;
  const [sums] = await sql(
    `SELECT (SELECT sum(amount_cents)::int FROM merit_moves WHERE institution_id = $1) AS moved, (SELECT count(*)::int FROM merit_moves WHERE institution_id = $1) AS moves,
            (SELECT sum(balance_cents)::int FROM wallets WHERE institution_id = $1) AS wallets, (SELECT sum(points)::int FROM alpha_points WHERE institution_id = $1) AS points,
            (SELECT sum(score)::float8 FROM submissions WHERE institution_id = $1) AS scores, (SELECT count(*)::int FROM submissions WHERE institution_id = $1) AS submissions,
            (SELECT count(*)::int FROM attempt_events WHERE institution_id = $1) AS events, (SELECT count(*)::int FROM attempts WHERE institution_id = $1) AS attempts,
            (SELECT sum(focus_losses)::int FROM attempts WHERE institution_id = $1) AS focus_losses, (SELECT sum(seconds_away)::float8 FROM attempts WHERE institution_id = $1) AS seconds_away,
            (SELECT count(*)::int FROM users WHERE institution_id = $1 AND kind = 'student') AS students, (SELECT count(*)::int FROM group_members WHERE institution_id = $1) AS members`,
    [institution.id],
  );
  return {
    sums,
    people: Object.keys((await read('/institution')).users),
    stats: await Promise.all(examIds.map(async (id) => (await read(`/exams/${id}`)).stats)),
    analytics: await Promise.all(examIds.map((id) => read(`/exams/${id}/analytics`))),
    allowance: await read('/merits/allowance'),
    points: (await read(`/alpha/students/${studentId}/points`)).stats,
    groups: await Promise.all(groupIds.map(async (id) => (await read(`/groups/${id}`)).member_count)),
  };
}

import type { Sql } from '../../db/statement';

/** What the week creates, and how the database counts it for the institutions `$1`. */
const counts = {
  students: "SELECT count(*)::int AS n FROM users WHERE institution_id = ANY ($1) AND kind = 'student'",
  faculty: "SELECT count(*)::int AS n FROM users WHERE institution_id = ANY ($1) AND kind = 'faculty'",
  licenses: 'SELECT count(*)::int AS n FROM licenses WHERE institution_id = ANY ($1)',
  'licenses expired': "SELECT count(*)::int AS n FROM licenses WHERE institution_id = ANY ($1) AND status = 'expired'",
  'members of groups': 'SELECT count(*)::int AS n FROM group_members WHERE institution_id = ANY ($1)',
  exams: 'SELECT count(*)::int AS n FROM exams WHERE institution_id = ANY ($1)',
  attempts: 'SELECT count(*)::int AS n FROM attempts WHERE institution_id = ANY ($1)',
  'attempts abandoned': "SELECT count(*)::int AS n FROM attempts WHERE institution_id = ANY ($1) AND status = 'abandoned'",
  submissions: 'SELECT count(*)::int AS n FROM submissions WHERE institution_id = ANY ($1)',
  seats: "SELECT count(*)::int AS n FROM seats WHERE institution_id = ANY ($1) AND status = 'active'",
  'moves of money': "SELECT count(*)::int AS n FROM merit_moves WHERE institution_id = ANY ($1)",
  'cents in wallets': 'SELECT sum(balance_cents)::int AS n FROM wallets WHERE institution_id = ANY ($1)',
  'batches approved': "SELECT count(*)::int AS n FROM coupon_batches WHERE institution_id = ANY ($1) AND status = 'approved'",
  'batches rejected': "SELECT count(*)::int AS n FROM coupon_batches WHERE institution_id = ANY ($1) AND status = 'rejected'",
  'batches pending': "SELECT count(*)::int AS n FROM coupon_batches WHERE institution_id = ANY ($1) AND status = 'pending'",
  coupons: 'SELECT count(*)::int AS n FROM coupons WHERE institution_id = ANY ($1)',
  'guardian links': 'SELECT count(*)::int AS n FROM guardian_links WHERE institution_id = ANY ($1)',
  'links verified': 'SELECT count(*)::int AS n FROM guardian_links WHERE institution_id = ANY ($1) AND verified_at IS NOT NULL',
  developers: 'SELECT count(*)::int AS n FROM developers WHERE institution_id = ANY ($1)',
  enrollments: 'SELECT count(*)::int AS n FROM alpha_enrollments WHERE institution_id = ANY ($1)',
  'progress reports': 'SELECT count(*)::int AS n FROM alpha_progress WHERE institution_id = ANY ($1)',
  'awards of points': 'SELECT count(*)::int AS n FROM alpha_points WHERE institution_id = ANY ($1)',
  'weekly reports': 'SELECT count(*)::int AS n FROM weekly_reports WHERE institution_id = ANY ($1)',
  'report emails sent': "SELECT count(*)::int AS n FROM weekly_report_letters WHERE institution_id = ANY ($1) AND status = 'sent'",
  'calls in the audit log': 'SELECT count(*)::int AS n FROM audit_log WHERE institution_id = ANY ($1)',
} as const;

/** The kinds that are created and counted. */
export type Kind = keyof typeof counts;

/** The number of a kind in the database, and the expected number. */
export interface CountComparison {
  kind: string;
  expected: number;
  found: number;
}

/** The expected counts, increased after each successful response of the service. */
export class ExpectedCounts {
  private readonly expected = new Map<Kind, number>();

  add(kind: Kind, count = 1): void {
    this.expected.set(kind, (this.expected.get(kind) ?? 0) + count);
  }

  /** Compares every kind with the database. */
  async compare(sql: Sql, institutionIds: readonly string[]): Promise<CountComparison[]> {
    const compared: CountComparison[] = [];
    for (const kind of Object.keys(counts) as Kind[]) {
      const [row] = await sql<{ n: number | null }>(counts[kind], [institutionIds]);
      compared.push({ kind, expected: this.expected.get(kind) ?? 0, found: row?.n ?? 0 });
    }
    return compared;
  }
}

import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

/** All badges. */
export const badges = ['first_mastery', 'streak_7_days', 'points_100', 'points_1000', 'curriculum_complete'] as const;
export type Badge = (typeof badges)[number];

/** A badge that a student has. */
export interface BadgeRow {
  badge: Badge;
  granted_at: Date;
}

const grant = statement(
  'alpha_badges_grant',
  `INSERT INTO alpha_badges (student_id, badge, institution_id, granted_at) SELECT $2, b, $1, $4 FROM unnest($3::text[]) b
   ON CONFLICT DO NOTHING RETURNING badge`,
);

/** Grants a locked student these badges; returns those that they did not have. */
export async function insertBadges(scope: InstitutionScope, studentId: string, badges: readonly Badge[], now: Date): Promise<Badge[]> {
  const rows = await scope.sql<{ badge: Badge }>(grant, [scope.institutionId, studentId, badges, now]);
  return rows.map(({ badge }) => badge);
}

const list = statement(
  'alpha_badges_list',
  'SELECT b.badge, b.granted_at FROM alpha_badges b WHERE b.institution_id = $1 AND b.student_id = $2 ORDER BY b.granted_at, b.badge',
);

/** Returns the badges of a student, oldest first. */
export function listBadges(scope: InstitutionScope, studentId: string): Promise<BadgeRow[]> {
  return scope.sql<BadgeRow>(list, [scope.institutionId, studentId]);
}

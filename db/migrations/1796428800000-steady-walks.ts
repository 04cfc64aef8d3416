import type { MigrationInterface, QueryRunner } from 'typeorm';

/*
 * Walks along an index that end after so many rows. The planner prefers to sort everything wherever it believes that there is
 * little of it, and of an institution that has just imported its students, or an exam assigned a moment ago, it knows nothing.
 * So these functions turn off, for themselves alone, whatever is no walk along an index.
 */
const walking = 'SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off';

const up = `
-- The next students assigned to an exam after a login email, bytewise, so many at most.
CREATE FUNCTION exam_students_after(p_institution text, p_exam text, p_after text, p_most integer)
RETURNS TABLE (user_id text, login_email text) LANGUAGE sql STABLE ROWS 1000 ${walking} AS $$
  SELECT e.user_id, e.login_email FROM institution_emails e
   WHERE e.institution_id = p_institution AND e.login_email COLLATE "C" > p_after
     AND (SELECT true FROM group_members m
           WHERE m.user_id = e.user_id
             AND m.group_id = ANY (ARRAY(SELECT a.group_id FROM exam_assignments a WHERE a.institution_id = p_institution AND a.exam_id = p_exam)) LIMIT 1)
   ORDER BY e.login_email COLLATE "C" LIMIT p_most
$$;

-- The newest items of an institution's list of weekly reports after a moment, so many at most. An item is there with the later
-- of two moments, when its report was written and when its link was verified: reports and links are walked together, newest
-- first, and each brings those items that it was the last to make, so that none but those without any item is met in vain. A
-- student's reports and links are of the student's institution; to say so again would let an index of the institution be chosen.
CREATE FUNCTION newest_report_items(p_institution text, p_since timestamptz, p_most integer)
RETURNS TABLE (report_id text, link_id text, item_at timestamptz) LANGUAGE sql STABLE ROWS 100 ${walking} AS $$
  SELECT i.report_id, i.link_id, m.at
    FROM ((SELECT r.created_at AS at, r.student_id, r.id AS report_id, NULL::text AS link_id FROM weekly_reports r
            WHERE r.institution_id = p_institution AND r.created_at > p_since ORDER BY r.created_at DESC)
          UNION ALL
          (SELECT l.verified_at, l.student_id, NULL::text, l.id FROM guardian_links l
            WHERE l.institution_id = p_institution AND l.verified_at IS NOT NULL AND l.verified_at > p_since ORDER BY l.verified_at DESC)) m
   CROSS JOIN LATERAL (
          SELECT m.report_id, l.id AS link_id FROM guardian_links l
           WHERE m.link_id IS NULL AND l.student_id = m.student_id AND l.verified_at <= m.at
          UNION ALL
          SELECT r.id, m.link_id FROM weekly_reports r
           WHERE m.link_id IS NOT NULL AND r.student_id = m.student_id AND r.created_at < m.at) i
   ORDER BY m.at DESC, i.report_id DESC, i.link_id DESC LIMIT p_most
$$;
`;

const down = `
DROP FUNCTION newest_report_items(text, timestamptz, integer);
DROP FUNCTION exam_students_after(text, text, text, integer);
`;

/** Lists and exports whose plans do not depend on statistics. */
export class SteadyWalks1796428800000 implements MigrationInterface {
  readonly name = 'SteadyWalks1796428800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}

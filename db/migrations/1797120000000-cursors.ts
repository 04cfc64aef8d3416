import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildConcurrently } from './concurrentIndexes';

const indexes: Record<string, string> = {
  attempts_listing: 'attempts (exam_id, started_at DESC, id DESC)',
  institutions_listing: 'institutions (created_at DESC, id DESC)',
};

const walking = 'SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off';

// As newest_report_items, from a position on: both walks begin there, so that no item before it is read again, but for those of
// its own moment.
const reportItems = `
CREATE OR REPLACE FUNCTION report_items_after(p_institution text, p_since timestamptz, p_at timestamptz, p_report text, p_link text, p_most integer)
RETURNS TABLE (report_id text, link_id text, item_at timestamptz) LANGUAGE sql STABLE ROWS 100 ${walking} AS $$
  SELECT i.report_id, i.link_id, m.at
    FROM ((SELECT r.created_at AS at, r.student_id, r.id AS report_id, NULL::text AS link_id FROM weekly_reports r
            WHERE r.institution_id = p_institution AND r.created_at > p_since AND r.created_at <= p_at ORDER BY r.created_at DESC)
          UNION ALL
          (SELECT l.verified_at, l.student_id, NULL::text, l.id FROM guardian_links l
            WHERE l.institution_id = p_institution AND l.verified_at IS NOT NULL AND l.verified_at > p_since AND l.verified_at <= p_at
            ORDER BY l.verified_at DESC)) m
   CROSS JOIN LATERAL (
          SELECT m.report_id, l.id AS link_id FROM guardian_links l
           WHERE m.link_id IS NULL AND l.student_id = m.student_id AND l.verified_at <= m.at
          UNION ALL
          SELECT r.id, m.link_id FROM weekly_reports r
           WHERE m.link_id IS NOT NULL AND r.student_id = m.student_id AND r.created_at < m.at) i
   WHERE (m.at, i.report_id, i.link_id) < (p_at, p_report, p_link)
   ORDER BY m.at DESC, i.report_id DESC, i.link_id DESC LIMIT p_most
$$`;

/**
 * Lists are walked from a position on: what each page needs is found by an index. The indexes are built beside writers, which no
 * transaction can do: a build that broke off leaves an index that is not valid, and the next one begins by dropping it.
 */
export class Cursors1797120000000 implements MigrationInterface {
  readonly name = 'Cursors1797120000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(reportItems);
    await buildConcurrently(runner, indexes);
  }

  // TypeORM undoes in a transaction, whatever the migration says: writers wait for the moment of the drop.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${Object.keys(indexes).join(', ')}`);
    await runner.query('DROP FUNCTION report_items_after(text, timestamptz, timestamptz, text, text, integer)');
  }
}

CREATE OR REPLACE FUNCTION public.report_items_after(p_institution text, p_since timestamp with time zone, p_at timestamp with time zone, p_report text, p_link text, p_most integer)
 RETURNS TABLE(report_id text, link_id text, item_at timestamp with time zone)
 LANGUAGE sql
 STABLE ROWS 100
 SET enable_sort TO 'off'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
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
$function$;

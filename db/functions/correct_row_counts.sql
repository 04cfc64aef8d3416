CREATE OR REPLACE FUNCTION public.correct_row_counts(p_institution_id text)
 RETURNS TABLE(counted text, kind text, status text, expiry_hour timestamp with time zone, n bigint)
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  -- One at a time: the statement below begins after the one before has committed.
  PERFORM pg_advisory_xact_lock(hashtext('row_counts'), hashtext(p_institution_id));
  RETURN QUERY WITH differing AS (
    SELECT d.counted, d.kind, d.status, d.expiry_hour, sum(d.n)::bigint AS n FROM (
      SELECT 'people'::text AS counted, t.kind AS kind, t.status, NULL::timestamptz AS expiry_hour, count(*) AS n FROM public.users t WHERE t.institution_id = p_institution_id GROUP BY 2, 3, 4
      UNION ALL SELECT 'licenses'::text AS counted, t.license_type AS kind, t.status, date_bin('1 hour', t.expires_at, '2000-01-01Z') AS expiry_hour, count(*) AS n FROM public.licenses t WHERE t.institution_id = p_institution_id GROUP BY 2, 3, 4
      UNION ALL SELECT 'submissions'::text AS counted, '' AS kind, t.status, NULL::timestamptz AS expiry_hour, count(*) AS n FROM public.submissions t WHERE t.institution_id = p_institution_id GROUP BY 2, 3, 4
      UNION ALL SELECT r.counted, r.kind, r.status, r.expiry_hour, -r.n FROM public.row_counts r WHERE r.institution_id = p_institution_id
    ) AS d GROUP BY 1, 2, 3, 4 HAVING sum(d.n) <> 0
  )
  INSERT INTO public.row_counts AS added (institution_id, counted, kind, status, expiry_hour, n) SELECT p_institution_id, differing.* FROM differing
  RETURNING added.counted, added.kind, added.status, added.expiry_hour, added.n;
END $function$;

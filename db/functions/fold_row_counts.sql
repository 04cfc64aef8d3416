CREATE OR REPLACE FUNCTION public.fold_row_counts(p_institution_id text, p_counted text, p_limit bigint)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  WITH gone AS (
    DELETE FROM public.row_counts WHERE institution_id = p_institution_id AND ctid = ANY (ARRAY(
      SELECT ctid FROM public.row_counts WHERE institution_id = p_institution_id AND counted = p_counted ORDER BY id DESC LIMIT p_limit FOR UPDATE SKIP LOCKED))
    RETURNING kind, status, expiry_hour, n
  )
  INSERT INTO public.row_counts (institution_id, counted, kind, status, expiry_hour, n)
  SELECT p_institution_id, p_counted, kind, status, expiry_hour, sum(n) FROM gone GROUP BY kind, status, expiry_hour HAVING sum(n) <> 0
$function$;

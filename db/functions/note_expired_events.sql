CREATE OR REPLACE FUNCTION public.note_expired_events(p_part text, p_after text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  v_institutions text[];
BEGIN
  IF p_part NOT IN (SELECT e.part FROM public.expired_partitions('events') e) THEN
    RETURN NULL;
  END IF;
  EXECUTE format(
    'WITH RECURSIVE found AS (
       (SELECT institution_id FROM partitions.%1$I WHERE institution_id > $1 ORDER BY institution_id LIMIT 1)
       UNION ALL
       SELECT (SELECT e.institution_id FROM partitions.%1$I e WHERE e.institution_id > f.institution_id ORDER BY e.institution_id LIMIT 1) FROM found f WHERE f.institution_id IS NOT NULL
     )
     SELECT array_agg(institution_id) FROM (SELECT institution_id FROM found WHERE institution_id IS NOT NULL LIMIT 200) first', p_part) INTO v_institutions USING (p_after);
  EXECUTE format(
    'WITH RECURSIVE found AS (
       SELECT i.id, (SELECT e.type FROM partitions.%1$I e WHERE e.institution_id = i.id ORDER BY e.type USING ~<~ LIMIT 1) AS type FROM unnest($1) AS i (id)
       UNION ALL
       SELECT f.id, (SELECT e.type FROM partitions.%1$I e WHERE e.institution_id = f.id AND e.type ~>~ f.type ORDER BY e.type USING ~<~ LIMIT 1) FROM found f WHERE f.type IS NOT NULL
     )
     INSERT INTO public.pruned_events AS p (institution_id, type, pruned_until)
     SELECT f.id, f.type, (SELECT max(e.created_at) FROM partitions.%1$I e WHERE e.institution_id = f.id AND e.type = f.type) FROM found f WHERE f.type IS NOT NULL ORDER BY f.id, f.type
     ON CONFLICT (institution_id, type) DO UPDATE SET pruned_until = excluded.pruned_until WHERE p.pruned_until < excluded.pruned_until', p_part) USING (v_institutions);
  RETURN v_institutions[cardinality(v_institutions)];
END $function$;

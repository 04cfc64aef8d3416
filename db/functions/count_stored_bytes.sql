CREATE OR REPLACE FUNCTION public.count_stored_bytes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.stored_bytes (institution_id, bytes)
    SELECT institution_id, sum(size) FROM added WHERE status <> 'removed' GROUP BY institution_id;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO public.stored_bytes (institution_id, bytes)
    SELECT institution_id, -sum(size) FROM removed WHERE status <> 'removed' GROUP BY institution_id;
  ELSE
    INSERT INTO public.stored_bytes (institution_id, bytes)
    SELECT institution_id, sum(size)
      FROM (SELECT institution_id, size FROM added WHERE status <> 'removed'
            UNION ALL SELECT institution_id, -size FROM removed WHERE status <> 'removed') AS changed
     GROUP BY institution_id HAVING sum(size) <> 0;
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.keep_disclosure_partitions()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  v_old record;
  v_dropped integer := 0;
BEGIN
  WHILE public.make_partition('disclosures') IS NOT NULL LOOP
    NULL;
  END LOOP;
  FOR v_old IN SELECT e.part FROM public.expired_partitions('disclosures') e LOOP
    IF public.drop_partition('disclosures', v_old.part) THEN
      v_dropped := v_dropped + 1;
    END IF;
  END LOOP;
  RETURN v_dropped;
END $function$;

CREATE OR REPLACE FUNCTION public.drop_partition(p_table text, p_part text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET lock_timeout TO '50ms'
AS $function$
DECLARE
  v_part record;
BEGIN
  SELECT * INTO v_part FROM public.expired_partitions(p_table) e WHERE e.part = p_part;
  IF NOT FOUND OR public.partition_is_needed(p_table, v_part.since_id, v_part.until_id) THEN
    RETURN false;
  END IF;
  EXECUTE format('LOCK TABLE ONLY partitions.%I IN EXCLUSIVE MODE', p_part);
  IF public.partition_is_needed(p_table, v_part.since_id, v_part.until_id) THEN
    RETURN false;
  END IF;
  EXECUTE format('LOCK TABLE ONLY public.%I IN ACCESS EXCLUSIVE MODE', p_table);
  EXECUTE format('DROP TABLE partitions.%I', p_part);
  RETURN true;
END $function$;

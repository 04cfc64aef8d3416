CREATE OR REPLACE FUNCTION public.make_disclosure_partition(p_month date)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  v_name text := 'disclosures_' || to_char(p_month, 'YYYY_MM');
BEGIN
  IF to_regclass('partitions.' || v_name) IS NOT NULL THEN
    RETURN;
  END IF;
  -- Attaching a table that is complete locks out neither readers nor writers.
  EXECUTE format('CREATE TABLE partitions.%I (LIKE public.disclosures INCLUDING ALL)', v_name);
  EXECUTE format('CREATE TRIGGER disclosures_whole BEFORE TRUNCATE ON partitions.%I FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_disclosure_change()', v_name);
  EXECUTE format('ALTER TABLE public.disclosures ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)',
    v_name, p_month::timestamp AT TIME ZONE 'UTC', (p_month + interval '1 month')::timestamp AT TIME ZONE 'UTC');
END $function$;

CREATE OR REPLACE FUNCTION public.guard_partition(p_table text, p_part text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  v_trigger record;
BEGIN
  FOR v_trigger IN
    SELECT t.tgname, t.tgfoid::regproc::text AS refuse FROM pg_trigger t
     WHERE t.tgrelid = to_regclass('public.' || quote_ident(p_table)) AND NOT t.tgisinternal AND t.tgtype & 33 = 32
  LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON partitions.%I FOR EACH STATEMENT EXECUTE FUNCTION %s()', v_trigger.tgname, p_part, v_trigger.refuse);
  END LOOP;
END $function$;

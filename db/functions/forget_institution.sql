CREATE OR REPLACE FUNCTION public.forget_institution(p_institution_id text, p_limit integer, OUT audited integer, OUT disclosed integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  DELETE FROM public.audit_log WHERE id IN (
    SELECT l.id FROM public.audit_log l WHERE l.institution_id = p_institution_id AND l.actor_kind NOT IN ('platform', 'staff') LIMIT p_limit);
  GET DIAGNOSTICS audited = ROW_COUNT;
  DELETE FROM public.disclosures WHERE (at, id) IN (
    SELECT d.at, d.id FROM public.disclosures d WHERE d.institution_id = p_institution_id LIMIT p_limit);
  GET DIAGNOSTICS disclosed = ROW_COUNT;
END $function$;

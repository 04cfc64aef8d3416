CREATE OR REPLACE FUNCTION public.may_forget_institution(p_institution_id text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT EXISTS (
    SELECT 1 FROM public.institutions i JOIN public.audit_log l ON l.institution_id = coalesce(i.sandbox_of, i.id)
     WHERE i.id = p_institution_id AND i.read_only_until IS NOT NULL AND i.erasing_since IS NOT NULL
       AND l.operation = 'offboardInstitution' AND l.at < now() - interval '29 days'
       AND NOT EXISTS (
         SELECT 1 FROM public.audit_log c WHERE c.institution_id = l.institution_id AND c.operation = 'cancelOffboarding' AND c.at >= l.at))
$function$;

CREATE OR REPLACE FUNCTION public.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF old.at < now() - interval '400 days' THEN
      RETURN old;
    END IF;
    IF old.actor_kind NOT IN ('platform', 'staff') AND public.may_forget_institution(old.institution_id) THEN
      RETURN old;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $function$;

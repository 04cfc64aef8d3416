CREATE OR REPLACE FUNCTION public.refuse_disclosure_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF public.may_forget_institution(old.institution_id) THEN
      RETURN old;
    END IF;
  END IF;
  RAISE EXCEPTION 'the record of disclosures is append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $function$;

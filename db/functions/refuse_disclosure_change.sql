CREATE OR REPLACE FUNCTION public.refuse_disclosure_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'the record of disclosures is append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $function$;

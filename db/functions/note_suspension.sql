CREATE OR REPLACE FUNCTION public.note_suspension()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF new.status <> 'suspended' THEN
    new.suspended_at := NULL;
  ELSIF TG_OP = 'INSERT' OR old.status <> 'suspended' THEN
    new.suspended_at := new.updated_at;
  END IF;
  RETURN new;
END $function$;

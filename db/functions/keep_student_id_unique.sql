CREATE OR REPLACE FUNCTION public.keep_student_id_unique()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  NEW.unique_student_id := false;
  IF NEW.external_id IS NULL THEN
    RETURN NEW;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtext('unique_student_ids'), hashtext(NEW.institution_id));
  IF NOT EXISTS (SELECT 1 FROM institutions i WHERE i.id = NEW.institution_id AND i.unique_student_ids) THEN
    RETURN NEW;
  END IF;
  IF EXISTS (SELECT 1 FROM users u
              WHERE u.institution_id = NEW.institution_id AND u.kind = 'student' AND u.external_id = NEW.external_id AND u.id <> NEW.id) THEN
    RAISE unique_violation USING MESSAGE = 'another student of the institution has this student_id', CONSTRAINT = 'users_unique_student_id';
  END IF;
  NEW.unique_student_id := true;
  RETURN NEW;
END $function$;

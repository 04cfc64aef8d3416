CREATE OR REPLACE FUNCTION public.count_licenses()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.row_counts (institution_id, counted, kind, status, expiry_hour, n) SELECT t.institution_id, 'licenses', t.license_type, t.status, date_bin('1 hour', t.expires_at, '2000-01-01Z'), count(*) FROM added t GROUP BY 1, 3, 4, 5;
    IF random() < 0.002 THEN PERFORM public.fold_row_counts(t.institution_id, 'licenses', 1000) FROM added t LIMIT 1; END IF;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO public.row_counts (institution_id, counted, kind, status, expiry_hour, n) SELECT t.institution_id, 'licenses', t.license_type, t.status, date_bin('1 hour', t.expires_at, '2000-01-01Z'), -count(*) FROM removed t GROUP BY 1, 3, 4, 5;
    IF random() < 0.002 THEN PERFORM public.fold_row_counts(t.institution_id, 'licenses', 1000) FROM removed t LIMIT 1; END IF;
  ELSE
    INSERT INTO public.row_counts (institution_id, counted, kind, status, expiry_hour, n) VALUES (old.institution_id, 'licenses', old.license_type, old.status, date_bin('1 hour', old.expires_at, '2000-01-01Z'), -1), (new.institution_id, 'licenses', new.license_type, new.status, date_bin('1 hour', new.expires_at, '2000-01-01Z'), 1);
    IF random() < 0.002 THEN PERFORM public.fold_row_counts(new.institution_id, 'licenses', 1000); END IF;
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.count_submissions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.row_counts (institution_id, counted, kind, status, expiry_hour, n) SELECT t.institution_id, 'submissions', '', t.status, NULL::timestamptz, count(*) FROM added t GROUP BY 1, 3, 4, 5;
    IF random() < 0.002 THEN PERFORM public.fold_row_counts(t.institution_id, 'submissions', 1000) FROM added t LIMIT 1; END IF;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO public.row_counts (institution_id, counted, kind, status, expiry_hour, n) SELECT t.institution_id, 'submissions', '', t.status, NULL::timestamptz, -count(*) FROM removed t GROUP BY 1, 3, 4, 5;
    IF random() < 0.002 THEN PERFORM public.fold_row_counts(t.institution_id, 'submissions', 1000) FROM removed t LIMIT 1; END IF;
  ELSE
    INSERT INTO public.row_counts (institution_id, counted, kind, status, expiry_hour, n) VALUES (old.institution_id, 'submissions', '', old.status, NULL::timestamptz, -1), (new.institution_id, 'submissions', '', new.status, NULL::timestamptz, 1);
    IF random() < 0.002 THEN PERFORM public.fold_row_counts(new.institution_id, 'submissions', 1000); END IF;
  END IF;
  RETURN NULL;
END $function$;

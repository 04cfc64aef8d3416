CREATE OR REPLACE FUNCTION public.exam_students_after(p_institution text, p_exam text, p_after text, p_most integer)
 RETURNS TABLE(user_id text, login_email text)
 LANGUAGE sql
 STABLE
 SET enable_sort TO 'off'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
  SELECT e.user_id, e.login_email FROM institution_emails e
   WHERE e.institution_id = p_institution AND e.login_email COLLATE "C" > p_after
     AND (SELECT true FROM group_members m
           WHERE m.user_id = e.user_id
             AND m.group_id = ANY (ARRAY(SELECT a.group_id FROM exam_assignments a WHERE a.institution_id = p_institution AND a.exam_id = p_exam)) LIMIT 1)
   ORDER BY e.login_email COLLATE "C" LIMIT p_most
$function$;

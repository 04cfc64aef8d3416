CREATE OR REPLACE FUNCTION public.wake_backlogs(p_endpoint_ids text[], p_look_at timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
AS $function$
  WITH woken AS (
    UPDATE webhook_endpoints e SET backlog_look_at = p_look_at
     WHERE id = ANY (p_endpoint_ids) AND backlog_open AND backlog_look_at > p_look_at + interval '1 second'
    RETURNING id, institution_id, backlog_run
  ), owed AS (
    INSERT INTO owed_workflows (institution_id, kind, name, workflow_id, argument)
    SELECT institution_id, 'signal', 'look', id || ':' || backlog_run, '{}' FROM woken
    RETURNING 1
  )
  SELECT count(*)::int FROM owed
$function$;

CREATE OR REPLACE FUNCTION public.open_backlogs(p_endpoint_ids text[])
 RETURNS integer
 LANGUAGE sql
AS $function$
  WITH locked AS (
    SELECT id FROM webhook_endpoints WHERE id = ANY (p_endpoint_ids) AND NOT backlog_open ORDER BY id FOR NO KEY UPDATE
  ), opened AS (
    UPDATE webhook_endpoints e SET backlog_open = true, backlog_run = e.backlog_run + 1, backlog_opened_at = clock_timestamp(), backlog_look_at = NULL
      FROM locked WHERE e.id = locked.id AND NOT e.backlog_open
    RETURNING e.id, e.institution_id, e.backlog_run
  ), owed AS (
    INSERT INTO owed_workflows (institution_id, kind, name, workflow_id, argument)
    SELECT institution_id, 'start', 'endpointBacklog', id || ':' || backlog_run,
           jsonb_build_object('endpointId', id, 'institutionId', institution_id, 'run', backlog_run)
      FROM opened
    RETURNING 1
  )
  SELECT count(*)::int FROM owed
$function$;

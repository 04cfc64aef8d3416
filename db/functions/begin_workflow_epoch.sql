CREATE OR REPLACE FUNCTION public.begin_workflow_epoch()
 RETURNS text
 LANGUAGE sql
AS $function$
  UPDATE open_workflows SET check_after = '-infinity';
  INSERT INTO workflow_epochs (epoch) VALUES (to_hex(floor(extract(epoch FROM clock_timestamp()))::bigint)) RETURNING epoch
$function$;

CREATE OR REPLACE FUNCTION public.owe_workflows(p_institution_id text, p_owed json)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO open_workflows (workflow_id, institution_id, name, argument)
  SELECT o.value ->> 'workflowId', p_institution_id, o.value ->> 'name', (o.value -> 'argument')::jsonb
    FROM json_array_elements(p_owed) AS o (value)
   WHERE o.value ->> 'kind' = 'start'
  ON CONFLICT DO NOTHING;
  INSERT INTO owed_workflows (institution_id, kind, name, workflow_id, argument, trace_context)
  SELECT p_institution_id, o.value ->> 'kind', o.value ->> 'name', o.value ->> 'workflowId', (o.value -> 'argument')::jsonb, o.value ->> 'trace'
    FROM json_array_elements(p_owed) WITH ORDINALITY AS o (value, position)
   ORDER BY o.position
$function$;

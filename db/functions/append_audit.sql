CREATE OR REPLACE FUNCTION public.append_audit(p_institution_id text, p_id text, p_actor_kind text, p_actor_id text, p_operation text, p_method text, p_path text, p_target jsonb, p_request_id text, p_changed text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  -- A person may be named by their login email; the log names them by their id, and keeps no address.
  IF strpos(p_target::text, '@') > 0 THEN
    SELECT jsonb_object_agg(n.key, CASE WHEN strpos(n.value, '@') > 0 THEN e.user_id ELSE n.value END) INTO p_target
      FROM jsonb_each_text(p_target) n
      LEFT JOIN institution_emails e ON e.institution_id = p_institution_id AND e.login_email = lower(n.value);
  END IF;
  INSERT INTO audit_log (id, institution_id, actor_kind, actor_id, operation, method, path, target, changed, request_id)
  VALUES (p_id, nullif(p_institution_id, ''), p_actor_kind, p_actor_id, p_operation, p_method, p_path, p_target, p_changed, p_request_id);
END $function$;

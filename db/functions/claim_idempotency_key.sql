CREATE OR REPLACE FUNCTION public.claim_idempotency_key(p_institution text, p_key text, p_wait_ms integer)
 RETURNS TABLE(request_sha256 bytea, response_sealed text)
 LANGUAGE plpgsql
AS $function$
DECLARE
  usual text := current_setting('lock_timeout');
BEGIN
  PERFORM set_config('lock_timeout', p_wait_ms::text, true);
  PERFORM pg_advisory_xact_lock(hashtextextended(p_institution || ' ' || p_key, 0));
  PERFORM set_config('lock_timeout', usual, true);
  -- A statement of its own, so that it sees what whoever held the lock has committed.
  RETURN QUERY
    SELECT k.request_sha256, k.response_sealed FROM idempotency_keys k
     WHERE k.institution_id = p_institution AND k.key = p_key AND k.created_at > clock_timestamp() - interval '24 hours';
END $function$;

import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseLoss } from './refuseLoss';

/**
 * The audit log. Its rows are neither changed nor taken away: a trigger refuses that to everybody, its owner too, but
 * for rows that are 400 days old by the database's own clock. The service's role may read and append (`db/rights.ts`);
 * what is too old goes through `forget_audited` alone, which has its owner's rights. No foreign keys: a row outlives what
 * it names.
 */
export class Audit1795996800000 implements MigrationInterface {
  readonly name = 'Audit1795996800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE audit_log (
  id text PRIMARY KEY,
  institution_id text,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  actor_kind text NOT NULL CHECK (actor_kind IN ('key', 'platform', 'faculty', 'developer')),
  actor_id text NOT NULL,
  operation text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  target jsonb NOT NULL,
  changed text[] NOT NULL,
  request_id text NOT NULL
);
CREATE INDEX audit_log_listing ON audit_log (institution_id, at DESC, id DESC);
CREATE INDEX audit_log_actor ON audit_log (institution_id, actor_id, at DESC, id DESC);
CREATE INDEX audit_log_operation ON audit_log (institution_id, operation);
CREATE INDEX audit_log_request ON audit_log (request_id);
CREATE INDEX audit_log_at ON audit_log USING brin (at);

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF old.at < now() - interval '400 days' THEN
      RETURN old;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_log_rows BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_log_whole BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
REVOKE ALL ON audit_log FROM PUBLIC;

CREATE FUNCTION append_audit(
  p_institution_id text, p_id text, p_actor_kind text, p_actor_id text, p_operation text, p_method text, p_path text, p_target jsonb,
  p_request_id text, p_changed text[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- A person may be named by their login email; the log names them by their id, and keeps no address.
  IF strpos(p_target::text, '@') > 0 THEN
    SELECT jsonb_object_agg(n.key, CASE WHEN strpos(n.value, '@') > 0 THEN e.user_id ELSE n.value END) INTO p_target
      FROM jsonb_each_text(p_target) n
      LEFT JOIN institution_emails e ON e.institution_id = p_institution_id AND e.login_email = lower(n.value);
  END IF;
  INSERT INTO audit_log (id, institution_id, actor_kind, actor_id, operation, method, path, target, changed, request_id)
  VALUES (p_id, nullif(p_institution_id, ''), p_actor_kind, p_actor_id, p_operation, p_method, p_path, p_target, p_changed, p_request_id);
END $$;

CREATE FUNCTION forget_audited(p_limit integer) RETURNS integer LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH forgotten AS (
    DELETE FROM public.audit_log
     WHERE id IN (SELECT id FROM public.audit_log WHERE at < now() - interval '400 days' LIMIT p_limit)
    RETURNING 1
  )
  SELECT count(*)::integer FROM forgotten
$$;
REVOKE ALL ON FUNCTION forget_audited(integer) FROM PUBLIC;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseLoss({ audit_log: 'true' }));
    await runner.query(`
DROP FUNCTION forget_audited(integer);
DROP FUNCTION append_audit(text, text, text, text, text, text, text, jsonb, text, text[]);
DROP TABLE audit_log;
DROP FUNCTION refuse_audit_change();
`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The keys of calls that may be repeated, each with the call's request and response, written in the transaction of its
 * effect. Whoever comes with a key that another transaction has claimed waits for that one to end.
 */
export class IdempotencyKeys1797206400000 implements MigrationInterface {
  readonly name = 'IdempotencyKeys1797206400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE idempotency_keys (
  institution_id text NOT NULL REFERENCES institutions (id),
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  request_sha256 bytea NOT NULL CHECK (length(request_sha256) = 32),
  response_sealed text NOT NULL,
  response_bytes integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (institution_id, key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);
CREATE INDEX idempotency_keys_large ON idempotency_keys (institution_id, created_at, response_bytes) WHERE response_bytes > 16384;

CREATE FUNCTION claim_idempotency_key(p_institution text, p_key text, p_wait_ms integer)
RETURNS TABLE (request_sha256 bytea, response_sealed text) LANGUAGE plpgsql AS $$
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
END $$;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP FUNCTION claim_idempotency_key(text, text, integer);
DROP TABLE idempotency_keys;
`);
  }
}

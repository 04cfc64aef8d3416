import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseLoss } from './refuseLoss';

/**
 * The record of disclosures: who has read whose data. The rows of a batch have one time, and their ids are in the order of the
 * reads. Monthly partitions, in a schema of their own: the service reads and appends through the table alone, and has no
 * privilege on them. `keep_disclosure_partitions`, with its owner's rights, makes them ahead and drops those whose last row is
 * a year old by the database's clock. A trigger refuses to change or delete rows to everybody. No foreign keys: a row outlives
 * what it names.
 *
 * Also how long each institution keeps recordings and proctoring details.
 */
export class Disclosures1798329600000 implements MigrationInterface {
  readonly name = 'Disclosures1798329600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
SET LOCAL statement_timeout = 0;
CREATE SCHEMA partitions;

CREATE TABLE disclosures (
  id text NOT NULL,
  institution_id text,
  at timestamptz(3) NOT NULL DEFAULT now(),
  actor_kind text NOT NULL CHECK (actor_kind IN ('key', 'platform', 'staff', 'faculty', 'developer', 'session')),
  actor_id text NOT NULL,
  what text NOT NULL CHECK (what IN ('record', 'recording', 'export', 'list')),
  subject_id text,
  operation text NOT NULL,
  query jsonb NOT NULL,
  request_id text NOT NULL,
  PRIMARY KEY (at, id)
) PARTITION BY RANGE (at);
CREATE INDEX disclosures_listing ON disclosures (institution_id, subject_id, at DESC, id DESC);
REVOKE ALL ON disclosures FROM PUBLIC;

CREATE FUNCTION refuse_disclosure_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the record of disclosures is append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER disclosures_rows BEFORE UPDATE OR DELETE ON disclosures FOR EACH ROW EXECUTE FUNCTION refuse_disclosure_change();
CREATE TRIGGER disclosures_whole BEFORE TRUNCATE ON disclosures FOR EACH STATEMENT EXECUTE FUNCTION refuse_disclosure_change();

CREATE FUNCTION make_disclosure_partition(p_month date) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_name text := 'disclosures_' || to_char(p_month, 'YYYY_MM');
BEGIN
  IF to_regclass('partitions.' || v_name) IS NOT NULL THEN
    RETURN;
  END IF;
  -- Attaching a table that is complete locks out neither readers nor writers.
  EXECUTE format('CREATE TABLE partitions.%I (LIKE public.disclosures INCLUDING ALL)', v_name);
  EXECUTE format('CREATE TRIGGER disclosures_whole BEFORE TRUNCATE ON partitions.%I FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_disclosure_change()', v_name);
  EXECUTE format('ALTER TABLE public.disclosures ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)',
    v_name, p_month::timestamp AT TIME ZONE 'UTC', (p_month + interval '1 month')::timestamp AT TIME ZONE 'UTC');
END $$;
REVOKE ALL ON FUNCTION make_disclosure_partition(date) FROM PUBLIC;

CREATE FUNCTION keep_disclosure_partitions() RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_this_month date := date_trunc('month', now() AT TIME ZONE 'UTC');
  v_old record;
  v_dropped integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('disclosure partitions'));
  FOR v_ahead IN 0..3 LOOP
    PERFORM public.make_disclosure_partition((v_this_month + make_interval(months => v_ahead))::date);
  END LOOP;
  FOR v_old IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'public.disclosures'::regclass AND to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month 1 year' <= now() AT TIME ZONE 'UTC'
     ORDER BY c.relname
  LOOP
    EXECUTE format('DROP TABLE partitions.%I', v_old.relname);
    v_dropped := v_dropped + 1;
  END LOOP;
  RETURN v_dropped;
END $$;
REVOKE ALL ON FUNCTION keep_disclosure_partitions() FROM PUBLIC;
SELECT keep_disclosure_partitions();

-- How long an institution keeps recordings and proctoring details; one without a row has the defaults.
CREATE TABLE institution_retention (
  institution_id text PRIMARY KEY REFERENCES institutions (id),
  recording_days integer NOT NULL CHECK (recording_days > 0),
  proctoring_days integer NOT NULL CHECK (proctoring_days > 0),
  updated_at timestamptz(3) NOT NULL
);

-- Exports of a person's data. The archive is a file without an exam or an attempt.
CREATE TABLE person_exports (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  person_id text NOT NULL REFERENCES users (id),
  number integer NOT NULL CHECK (number > 0),
  with_recordings boolean NOT NULL,
  status text NOT NULL CHECK (status IN ('preparing', 'ready', 'expired')),
  file_id text,
  size bigint,
  sha256 text,
  created_at timestamptz(3) NOT NULL,
  ready_at timestamptz(3),
  expires_at timestamptz(3),
  UNIQUE (person_id, number),
  CHECK ((status = 'preparing') = (file_id IS NULL)),
  CHECK ((file_id IS NULL) = (expires_at IS NULL))
);
CREATE INDEX person_exports_institution ON person_exports (institution_id);
CREATE INDEX person_exports_ready ON person_exports (expires_at) WHERE status = 'ready';
ALTER TABLE files DROP CONSTRAINT files_check, DROP CONSTRAINT files_kind_check,
  ADD CONSTRAINT files_check CHECK ((kind IN ('exam', 'export')) = (attempt_id IS NULL)) NOT VALID,
  ADD CONSTRAINT files_kind_check CHECK (kind IN ('exam', 'attachment', 'recording', 'export')) NOT VALID;

ALTER TABLE attempts ADD COLUMN recordings_removed_at timestamptz(3), ADD COLUMN details_removed_at timestamptz(3);
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseLoss({ disclosures: 'true', institution_retention: 'true', person_exports: 'true', files: "kind = 'export'" }));
    await runner.query(`
ALTER TABLE files DROP CONSTRAINT files_check, DROP CONSTRAINT files_kind_check,
  ADD CONSTRAINT files_check CHECK ((kind = 'exam') = (attempt_id IS NULL)),
  ADD CONSTRAINT files_kind_check CHECK (kind IN ('exam', 'attachment', 'recording'));
DROP TABLE person_exports;
ALTER TABLE attempts DROP COLUMN recordings_removed_at, DROP COLUMN details_removed_at;
DROP TABLE institution_retention;
DROP FUNCTION keep_disclosure_partitions();
DROP FUNCTION make_disclosure_partition(date);
DROP TABLE disclosures;
DROP FUNCTION refuse_disclosure_change();
DROP SCHEMA partitions;
`);
  }
}

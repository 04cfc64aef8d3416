import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseLoss } from './refuseLoss';

/*
 * No foreign key to the institution: it is deleted, and the certificate stays. `read_only_until` is set on an institution that
 * leaves and on its sandbox.
 *
 * The audit log and the record of disclosures stay append-only. Rows of an institution go through `forget_institution` alone, which
 * has its owner's rights, and only once its data is being erased and its offboarding has been in the audit log for 29 days by the
 * database's clock, a time that the service cannot choose. What the platform and its staff did stays.
 */
const schema = `
ALTER TABLE institutions ADD COLUMN read_only_until timestamptz;

CREATE TABLE offboardings (
  institution_id text NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  status text NOT NULL CHECK (status IN ('read_only', 'cancelled', 'erasing', 'erased')),
  reason text,
  requested_at timestamptz(3) NOT NULL,
  erase_after timestamptz(3) NOT NULL,
  cancelled_at timestamptz(3),
  erasing_since timestamptz(3),
  erased_at timestamptz(3),
  file_id text,
  size bigint,
  sha256 text,
  exported_at timestamptz(3),
  removed jsonb NOT NULL DEFAULT '{}',
  certificate text,
  PRIMARY KEY (institution_id, number),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK ((status = 'erased') = (erased_at IS NOT NULL)),
  CHECK ((status = 'erased') = (certificate IS NOT NULL)),
  CHECK (status <> 'erased' OR reason IS NULL),
  CHECK ((file_id IS NULL) = (exported_at IS NULL))
);
CREATE UNIQUE INDEX offboardings_open ON offboardings (institution_id) WHERE status IN ('read_only', 'erasing');

CREATE FUNCTION may_forget_institution(p_institution_id text) RETURNS boolean LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT EXISTS (
    SELECT 1 FROM public.institutions i JOIN public.audit_log l ON l.institution_id = coalesce(i.sandbox_of, i.id)
     WHERE i.id = p_institution_id AND i.read_only_until IS NOT NULL AND i.erasing_since IS NOT NULL
       AND l.operation = 'offboardInstitution' AND l.at < now() - interval '29 days'
       AND NOT EXISTS (
         SELECT 1 FROM public.audit_log c WHERE c.institution_id = l.institution_id AND c.operation = 'cancelOffboarding' AND c.at >= l.at))
$$;

CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF old.at < now() - interval '400 days' THEN
      RETURN old;
    END IF;
    IF old.actor_kind NOT IN ('platform', 'staff') AND public.may_forget_institution(old.institution_id) THEN
      RETURN old;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE OR REPLACE FUNCTION refuse_disclosure_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF public.may_forget_institution(old.institution_id) THEN
      RETURN old;
    END IF;
  END IF;
  RAISE EXCEPTION 'the record of disclosures is append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE FUNCTION forget_institution(p_institution_id text, p_limit integer, OUT audited integer, OUT disclosed integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM public.audit_log WHERE id IN (
    SELECT l.id FROM public.audit_log l WHERE l.institution_id = p_institution_id AND l.actor_kind NOT IN ('platform', 'staff') LIMIT p_limit);
  GET DIAGNOSTICS audited = ROW_COUNT;
  DELETE FROM public.disclosures WHERE (at, id) IN (
    SELECT d.at, d.id FROM public.disclosures d WHERE d.institution_id = p_institution_id LIMIT p_limit);
  GET DIAGNOSTICS disclosed = ROW_COUNT;
END $$;
REVOKE ALL ON FUNCTION forget_institution(text, integer) FROM PUBLIC;
`;

const before = `
DROP FUNCTION forget_institution(text, integer);
CREATE OR REPLACE FUNCTION refuse_disclosure_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the record of disclosures is append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF old.at < now() - interval '400 days' THEN
      RETURN old;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
DROP FUNCTION may_forget_institution(text);
DROP TABLE offboardings;
ALTER TABLE institutions DROP COLUMN read_only_until;
`;

/** Institutions can leave. */
export class Offboarding1798502400000 implements MigrationInterface {
  readonly name = 'Offboarding1798502400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(schema);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseLoss({ offboardings: 'true' }));
    await runner.query(before);
  }
}

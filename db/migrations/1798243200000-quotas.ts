import type { MigrationInterface, QueryRunner } from 'typeorm';

/*
 * Triggers of the statement, not the service, count the bytes: whoever adds or removes files, the release before and erasures
 * included, counts them in the same transaction. Each statement adds a row instead of changing a sum, so that transactions
 * of an institution do not wait for each other; a later statement folds the rows into one.
 */
const schema = `
CREATE TABLE institution_quotas (
  institution_id text PRIMARY KEY REFERENCES institutions (id),
  attempt_bytes bigint NOT NULL CHECK (attempt_bytes > 0),
  student_bytes bigint NOT NULL CHECK (student_bytes > 0),
  institution_bytes bigint CHECK (institution_bytes > 0),
  daily_new_addresses integer NOT NULL CHECK (daily_new_addresses >= 0)
);

CREATE TABLE stored_bytes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  bytes bigint NOT NULL
);
CREATE INDEX stored_bytes_institution ON stored_bytes (institution_id) INCLUDE (bytes);

CREATE TABLE new_address_emails (
  institution_id text PRIMARY KEY REFERENCES institutions (id),
  day date NOT NULL,
  emails integer NOT NULL
) WITH (fillfactor = 50);

-- With its owner's rights: until the last migration is done, the service has none on the new table, and the release before writes files.
CREATE FUNCTION count_stored_bytes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.stored_bytes (institution_id, bytes)
    SELECT institution_id, sum(size) FROM added WHERE status <> 'removed' GROUP BY institution_id;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO public.stored_bytes (institution_id, bytes)
    SELECT institution_id, -sum(size) FROM removed WHERE status <> 'removed' GROUP BY institution_id;
  ELSE
    INSERT INTO public.stored_bytes (institution_id, bytes)
    SELECT institution_id, sum(size)
      FROM (SELECT institution_id, size FROM added WHERE status <> 'removed'
            UNION ALL SELECT institution_id, -size FROM removed WHERE status <> 'removed') AS changed
     GROUP BY institution_id HAVING sum(size) <> 0;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER files_added AFTER INSERT ON files REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_stored_bytes();
CREATE TRIGGER files_changed AFTER UPDATE ON files REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_stored_bytes();
CREATE TRIGGER files_deleted AFTER DELETE ON files REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_stored_bytes();
`;

/** Institutions have quotas of stored bytes, and of emails to new addresses. */
export class Quotas1798243200000 implements MigrationInterface {
  readonly name = 'Quotas1798243200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(schema);
    // CREATE TRIGGER has locked the table against writes: the sum and the triggers leave no file out.
    await runner.query("INSERT INTO stored_bytes (institution_id, bytes) SELECT institution_id, sum(size) FROM files WHERE status <> 'removed' GROUP BY institution_id");
  }

  // Quotas are lost: the release before has none.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP TRIGGER files_added ON files;
DROP TRIGGER files_changed ON files;
DROP TRIGGER files_deleted ON files;
DROP FUNCTION count_stored_bytes();
DROP TABLE new_address_emails, stored_bytes, institution_quotas;
`);
  }
}

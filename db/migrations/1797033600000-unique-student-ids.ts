import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildConcurrently, buildUniqueConcurrently } from './concurrentIndexes';
import { refuseLoss } from './refuseLoss';

/*
 * Each statement can be run again: the migration has no transaction, for its indexes are built beside writers.
 *
 * The trigger, not the service, decides what the unique index covers, so that a write of the release before is held to the
 * setting as well. A student written while the setting is on is in the index, which refuses a second one also where neither
 * sees the other yet. Those written before are not: the trigger looks for them, and they are all committed, because turning
 * the setting on waits for the writers under way, whose advisory lock is shared. So turning it on writes one row, for any
 * number of students, and turning it off writes one.
 */
const schema = `
ALTER TABLE institutions ADD COLUMN IF NOT EXISTS unique_student_ids boolean NOT NULL DEFAULT false;
ALTER TABLE users ADD COLUMN IF NOT EXISTS unique_student_id boolean NOT NULL DEFAULT false;
ALTER TABLE provisioning_rows ADD COLUMN IF NOT EXISTS existing jsonb;

CREATE OR REPLACE FUNCTION keep_student_id_unique() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  NEW.unique_student_id := false;
  IF NEW.external_id IS NULL THEN
    RETURN NEW;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtext('unique_student_ids'), hashtext(NEW.institution_id));
  IF NOT EXISTS (SELECT 1 FROM institutions i WHERE i.id = NEW.institution_id AND i.unique_student_ids) THEN
    RETURN NEW;
  END IF;
  IF EXISTS (SELECT 1 FROM users u
              WHERE u.institution_id = NEW.institution_id AND u.kind = 'student' AND u.external_id = NEW.external_id AND u.id <> NEW.id) THEN
    RAISE unique_violation USING MESSAGE = 'another student of the institution has this student_id', CONSTRAINT = 'users_unique_student_id';
  END IF;
  NEW.unique_student_id := true;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER users_new_student_id BEFORE INSERT ON users
  FOR EACH ROW WHEN (NEW.kind = 'student' AND NEW.external_id IS NOT NULL) EXECUTE FUNCTION keep_student_id_unique();
CREATE OR REPLACE TRIGGER users_changed_student_id BEFORE UPDATE OF external_id ON users
  FOR EACH ROW WHEN (NEW.kind = 'student' AND NEW.external_id IS DISTINCT FROM OLD.external_id) EXECUTE FUNCTION keep_student_id_unique();
`;

const uniqueIndexes = { users_unique_student_id: 'users (institution_id, external_id) WHERE unique_student_id' };
const indexes = { users_students_changed: "users (institution_id, updated_at) WHERE kind = 'student'" };

/** An institution may have its student ids unique; students are found by when they changed. */
export class UniqueStudentIds1797033600000 implements MigrationInterface {
  readonly name = 'UniqueStudentIds1797033600000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(schema);
    await buildUniqueConcurrently(runner, uniqueIndexes);
    await buildConcurrently(runner, indexes);
  }

  // TypeORM undoes in a transaction, whatever the migration says: writers wait for the moment of the drop.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseLoss({ institutions: 'unique_student_ids' }));
    await runner.query(`
DROP TRIGGER users_new_student_id ON users;
DROP TRIGGER users_changed_student_id ON users;
DROP FUNCTION keep_student_id_unique();
DROP INDEX ${Object.keys({ ...uniqueIndexes, ...indexes }).join(', ')};
ALTER TABLE provisioning_rows DROP COLUMN existing;
ALTER TABLE users DROP COLUMN unique_student_id;
ALTER TABLE institutions DROP COLUMN unique_student_ids;
`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseLoss } from './refuseLoss';

/*
 * Since when a person is suspended was not kept. From now on a trigger keeps it, so that it is right for the release before, too;
 * `updated_at` is by the clock of the institution.
 */
const schema = `
ALTER TABLE users ADD COLUMN suspended_at timestamptz;

CREATE FUNCTION note_suspension() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF new.status <> 'suspended' THEN
    new.suspended_at := NULL;
  ELSIF TG_OP = 'INSERT' OR old.status <> 'suspended' THEN
    new.suspended_at := new.updated_at;
  END IF;
  RETURN new;
END $$;
CREATE TRIGGER users_suspension BEFORE INSERT OR UPDATE OF status ON users FOR EACH ROW EXECUTE FUNCTION note_suspension();

-- Null: suspended people are kept.
ALTER TABLE institution_retention ADD COLUMN suspended_days integer CHECK (suspended_days > 0);
`;

/** Suspended people can be erased after a time. */
export class SuspendedPeople1798506000000 implements MigrationInterface {
  readonly name = 'SuspendedPeople1798506000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(schema);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseLoss({ institution_retention: 'suspended_days IS NOT NULL' }));
    await runner.query(`
ALTER TABLE institution_retention DROP COLUMN suspended_days;
DROP TRIGGER users_suspension ON users;
DROP FUNCTION note_suspension();
ALTER TABLE users DROP COLUMN suspended_at;
`);
  }
}

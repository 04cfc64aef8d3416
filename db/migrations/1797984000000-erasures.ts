import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseLoss } from './refuseLoss';

/*
 * No foreign key to the person: a guardian is deleted, and the certificate stays. `subject_sealed` has what is searched for
 * (former login email, names, addresses, ids) until the erasure is done.
 */
const schema = `
CREATE TABLE erasures (
  person_id text NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  institution_id text NOT NULL REFERENCES institutions (id),
  kind text NOT NULL CHECK (kind IN ('student', 'faculty', 'guardian')),
  link_ids text[] NOT NULL DEFAULT '{}',
  requested_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  removed jsonb NOT NULL,
  subject_sealed text,
  certificate text,
  PRIMARY KEY (person_id, number),
  CHECK ((ended_at IS NULL) = (subject_sealed IS NOT NULL)),
  CHECK ((ended_at IS NULL) = (certificate IS NULL))
);
CREATE INDEX erasures_institution ON erasures (institution_id);
CREATE INDEX erasures_links ON erasures USING gin (link_ids);

ALTER TABLE users ADD COLUMN erased_at timestamptz;
`;

/** People can be erased. */
export class Erasures1797984000000 implements MigrationInterface {
  readonly name = 'Erasures1797984000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(schema);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseLoss({ erasures: 'true' }));
    await runner.query('ALTER TABLE users DROP COLUMN erased_at; DROP TABLE erasures');
  }
}

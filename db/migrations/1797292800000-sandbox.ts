import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseLoss } from './refuseLoss';

/**
 * The sandbox of an institution is an institution of its own, which names its parent. `clock_offset_ms` is how far its clock is
 * ahead; `erasing_since` is set while its data is being erased, and `resets` counts how often that began. Emails of a sandbox are kept instead of sent, sealed like every
 * email with a code or a link, by the id of their recipient, never by an address.
 */
export class Sandbox1797292800000 implements MigrationInterface {
  readonly name = 'Sandbox1797292800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE institutions
  ADD COLUMN sandbox_of text UNIQUE REFERENCES institutions (id),
  ADD COLUMN clock_offset_ms bigint NOT NULL DEFAULT 0 CHECK (clock_offset_ms >= 0),
  ADD COLUMN erasing_since timestamptz,
  ADD COLUMN resets integer NOT NULL DEFAULT 0;

ALTER TABLE api_keys
  ADD COLUMN environment text NOT NULL DEFAULT 'live' CHECK (environment IN ('live', 'test'));

CREATE TABLE sandbox_emails (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  message_id text NOT NULL,
  kind text NOT NULL,
  recipient_kind text NOT NULL,
  recipient_id text NOT NULL,
  email_sealed text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  UNIQUE (institution_id, message_id)
);
CREATE INDEX sandbox_emails_newest ON sandbox_emails (institution_id, created_at DESC, id DESC);
`);
  }

  // Without its mark a sandbox would be a live institution, and its keys live keys.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseLoss({ institutions: 'sandbox_of IS NOT NULL', api_keys: "environment = 'test'" }));
    await runner.query(`
DROP TABLE sandbox_emails;
ALTER TABLE api_keys DROP COLUMN environment;
ALTER TABLE institutions DROP COLUMN sandbox_of, DROP COLUMN clock_offset_ms, DROP COLUMN erasing_since, DROP COLUMN resets;
`);
  }
}

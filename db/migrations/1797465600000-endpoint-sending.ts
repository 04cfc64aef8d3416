import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseLoss } from './refuseLoss';

/** What an endpoint sends in addition to the signed body: headers of its owner, and signatures by a key of its own. */
export class EndpointSending1797465600000 implements MigrationInterface {
  readonly name = 'EndpointSending1797465600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE webhook_endpoints
  ADD COLUMN headers_sealed text,
  ADD COLUMN header_names text[] NOT NULL DEFAULT '{}',
  ADD COLUMN signing_key_sealed text,
  ADD COLUMN public_key text,
  ADD COLUMN previous_signing_key_sealed text,
  ADD COLUMN previous_public_key text,
  ADD CONSTRAINT webhook_endpoints_headers CHECK ((headers_sealed IS NULL) = (header_names = '{}')),
  ADD CONSTRAINT webhook_endpoints_signing_key CHECK ((signing_key_sealed IS NULL) = (public_key IS NULL)),
  ADD CONSTRAINT webhook_endpoints_previous_signing_key CHECK ((previous_signing_key_sealed IS NULL) = (previous_public_key IS NULL));
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseLoss({ webhook_endpoints: 'headers_sealed IS NOT NULL OR signing_key_sealed IS NOT NULL' }));
    await runner.query(`
ALTER TABLE webhook_endpoints
  DROP COLUMN headers_sealed,
  DROP COLUMN header_names,
  DROP COLUMN signing_key_sealed,
  DROP COLUMN public_key,
  DROP COLUMN previous_signing_key_sealed,
  DROP COLUMN previous_public_key;
`);
  }
}

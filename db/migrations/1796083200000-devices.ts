import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseLoss } from './refuseLoss';

/** The devices that people sign in with: their seats in the apps, and the devices that a license has seen. */
export class Devices1796083200000 implements MigrationInterface {
  readonly name = 'Devices1796083200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE seats (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  user_id text NOT NULL REFERENCES users (id),
  license_id text NOT NULL REFERENCES licenses (id),
  session_id text REFERENCES sessions (id) ON DELETE SET NULL,
  app text NOT NULL CHECK (app IN ('svcapp', 'svccode', 'svcfilm')),
  device_id text NOT NULL,
  device_name text NOT NULL,
  platform text NOT NULL,
  app_version text NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'signed_out', 'evicted', 'revoked')),
  last_seen_at timestamptz(3) NOT NULL,
  signed_in_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  CHECK ((status = 'active') = (ended_at IS NULL))
);
CREATE UNIQUE INDEX seats_device ON seats (user_id, app, device_id) WHERE status = 'active';
CREATE INDEX seats_user ON seats (user_id);
CREATE INDEX seats_license ON seats (license_id);
CREATE INDEX seats_session ON seats (session_id);
CREATE INDEX seats_institution ON seats (institution_id);
CREATE INDEX seats_over ON seats (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE activations (
  license_id text NOT NULL REFERENCES licenses (id),
  device_id text NOT NULL,
  institution_id text NOT NULL REFERENCES institutions (id),
  device_name text NOT NULL,
  platform text NOT NULL,
  app_version text NOT NULL,
  first_seen_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  PRIMARY KEY (license_id, device_id)
);
CREATE INDEX activations_institution ON activations (institution_id);
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseLoss({ activations: 'true', seats: 'true' }));
    await runner.query('DROP TABLE activations, seats');
  }
}

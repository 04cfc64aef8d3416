import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Institutions, people, licenses, keys, sign-in, groups, provisioning batches, events, webhooks, owed workflows. */
export class Foundation1795132800000 implements MigrationInterface {
  readonly name = 'Foundation1795132800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE institutions (
  id text PRIMARY KEY,
  name text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'approved', 'suspended')),
  login_domain text NOT NULL UNIQUE,
  time_zone text NOT NULL,
  allowance_cents bigint NOT NULL DEFAULT 0 CHECK (allowance_cents >= 0),
  config jsonb NOT NULL,
  suspended_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE login_counters (
  institution_id text NOT NULL REFERENCES institutions (id),
  kind text NOT NULL CHECK (kind IN ('student', 'faculty')),
  last_number integer NOT NULL DEFAULT 0,
  PRIMARY KEY (institution_id, kind)
);

CREATE TABLE event_clocks (
  institution_id text PRIMARY KEY REFERENCES institutions (id),
  last_ms bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE TABLE pruned_events (
  institution_id text NOT NULL REFERENCES institutions (id),
  type text NOT NULL,
  pruned_until timestamptz(3) NOT NULL,
  PRIMARY KEY (institution_id, type)
);

CREATE TABLE users (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  kind text NOT NULL CHECK (kind IN ('student', 'faculty')),
  full_name text,
  external_id text,
  status text NOT NULL CHECK (status IN ('pending', 'active', 'suspended')),
  is_admin boolean NOT NULL DEFAULT false,
  profile jsonb,
  profile_completed boolean NOT NULL DEFAULT false,
  personal_email_sealed text,
  personal_email_hmac bytea,
  first_signed_in_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK (kind = 'student' OR status <> 'pending'),
  CHECK ((personal_email_sealed IS NULL) = (personal_email_hmac IS NULL))
);
CREATE INDEX users_listing ON users (institution_id, kind, created_at DESC, id DESC);
CREATE INDEX users_external_id ON users (institution_id, kind, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX users_personal_email ON users (institution_id, personal_email_hmac) WHERE personal_email_hmac IS NOT NULL;
CREATE UNIQUE INDEX users_one_admin ON users (institution_id) WHERE is_admin;

CREATE TABLE institution_emails (
  login_email text PRIMARY KEY CHECK (login_email = lower(login_email)),
  institution_id text NOT NULL REFERENCES institutions (id),
  user_id text NOT NULL UNIQUE REFERENCES users (id),
  created_at timestamptz NOT NULL
);
CREATE INDEX institution_emails_institution ON institution_emails (institution_id);

CREATE TABLE licenses (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  user_id text UNIQUE REFERENCES users (id),
  license_type text NOT NULL CHECK (license_type IN ('student', 'faculty', 'institution')),
  status text NOT NULL CHECK (status IN ('active', 'expired', 'suspended', 'revoked')),
  max_activations integer NOT NULL CHECK (max_activations > 0),
  is_lifetime boolean NOT NULL DEFAULT false,
  expires_at timestamptz,
  revoked_at timestamptz,
  revoke_reason text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK (is_lifetime = (expires_at IS NULL)),
  CHECK ((license_type = 'institution') = (user_id IS NULL))
);
CREATE INDEX licenses_listing ON licenses (institution_id, created_at DESC, id DESC);
CREATE INDEX licenses_due ON licenses (institution_id, expires_at, id) WHERE status = 'active';
CREATE INDEX licenses_institution_expiry ON licenses (institution_id, expires_at);

CREATE TABLE groups (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  faculty_id text NOT NULL REFERENCES users (id),
  name text NOT NULL,
  description text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX groups_listing ON groups (institution_id, created_at DESC, id DESC);
CREATE INDEX groups_faculty ON groups (faculty_id);

CREATE TABLE group_members (
  group_id text NOT NULL REFERENCES groups (id),
  user_id text NOT NULL REFERENCES users (id),
  institution_id text NOT NULL REFERENCES institutions (id),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (group_id, user_id)
);
CREATE INDEX group_members_user ON group_members (user_id);
CREATE INDEX group_members_institution ON group_members (institution_id);

CREATE TABLE api_keys (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  name text NOT NULL,
  key_hash bytea NOT NULL UNIQUE,
  prefix text NOT NULL,
  last_four text NOT NULL,
  scopes text[] NOT NULL,
  rate_limit_per_min integer NOT NULL CHECK (rate_limit_per_min BETWEEN 10 AND 6000),
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX api_keys_institution ON api_keys (institution_id, created_at DESC, id DESC);

CREATE TABLE sign_in_codes (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  user_id text NOT NULL REFERENCES users (id),
  code_hmac bytea NOT NULL,
  personal_email_sealed text,
  sent_to_hmac bytea NOT NULL,
  wrong_tries integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX sign_in_codes_user ON sign_in_codes (user_id, created_at DESC);
CREATE INDEX sign_in_codes_institution ON sign_in_codes (institution_id);

CREATE TABLE sessions (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  user_id text NOT NULL REFERENCES users (id),
  kind text NOT NULL CHECK (kind IN ('student', 'faculty', 'guardian', 'developer')),
  token_hash bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX sessions_user ON sessions (user_id) WHERE ended_at IS NULL;
CREATE INDEX sessions_institution ON sessions (institution_id);

CREATE TABLE provisioning_batches (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  status text NOT NULL CHECK (status IN ('open', 'closed', 'done')),
  total integer NOT NULL CHECK (total BETWEEN 1 AND 200),
  first_number integer NOT NULL,
  created_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX provisioning_batches_institution ON provisioning_batches (institution_id);
CREATE INDEX provisioning_batches_open ON provisioning_batches (created_at) WHERE status = 'open';

CREATE TABLE provisioning_rows (
  batch_id text NOT NULL REFERENCES provisioning_batches (id),
  index integer NOT NULL,
  institution_id text NOT NULL REFERENCES institutions (id),
  full_name text,
  external_id text,
  license_days integer,
  personal_email_sealed text,
  personal_email_hmac bytea,
  user_id text UNIQUE REFERENCES users (id),
  login_email text,
  error text,
  message text,
  issues jsonb,
  PRIMARY KEY (batch_id, index),
  CHECK (user_id IS NULL OR error IS NULL),
  CHECK ((personal_email_sealed IS NULL) = (personal_email_hmac IS NULL)),
  CHECK (personal_email_sealed IS NULL OR (user_id IS NULL AND error IS NULL))
);
CREATE INDEX provisioning_rows_institution ON provisioning_rows (institution_id);

CREATE TABLE events (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  type text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  body text NOT NULL
);
CREATE UNIQUE INDEX events_feed ON events (institution_id, created_at);
CREATE INDEX events_feed_by_type ON events (institution_id, type text_pattern_ops, created_at);

CREATE TABLE event_queue (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id text NOT NULL,
  institution_id text NOT NULL,
  type text NOT NULL,
  created_at timestamptz(3) NOT NULL
);

CREATE TABLE webhook_endpoints (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  url text NOT NULL,
  description text,
  events text[] NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'paused', 'disabled')),
  disabled_reason text,
  secret_sealed text NOT NULL,
  previous_secret_sealed text,
  previous_secret_expires_at timestamptz,
  secret_rotated_at timestamptz,
  consecutive_failures integer NOT NULL DEFAULT 0,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  paused_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz
) WITH (fillfactor = 70);
CREATE INDEX webhook_endpoints_institution ON webhook_endpoints (institution_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;

CREATE TABLE webhook_deliveries (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  endpoint_id text NOT NULL REFERENCES webhook_endpoints (id),
  event_id text NOT NULL,
  event_type text NOT NULL,
  event_created_at timestamptz(3) NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'retrying', 'held', 'delivered', 'dead', 'cancelled')),
  cycle integer NOT NULL DEFAULT 1,
  attempts integer NOT NULL DEFAULT 0,
  schedule_step integer NOT NULL DEFAULT 0,
  response_code integer,
  first_attempt_at timestamptz,
  next_attempt_at timestamptz,
  deadline_at timestamptz,
  delivered_at timestamptz,
  claimed_by text,
  claimed_until timestamptz,
  created_at timestamptz(3) NOT NULL,
  UNIQUE (event_id, endpoint_id)
) WITH (fillfactor = 80);
CREATE INDEX webhook_deliveries_listing ON webhook_deliveries (institution_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (institution_id, created_at DESC, id DESC) WHERE status = 'dead';
CREATE INDEX webhook_deliveries_unclaimed ON webhook_deliveries (endpoint_id, event_created_at) WHERE status = 'pending' AND claimed_by IS NULL;
CREATE INDEX webhook_deliveries_claimed ON webhook_deliveries (claimed_until) WHERE claimed_by IS NOT NULL;
CREATE INDEX webhook_deliveries_open ON webhook_deliveries (endpoint_id, status, event_created_at) WHERE status IN ('retrying', 'held');

CREATE TABLE webhook_attempts (
  delivery_id text NOT NULL REFERENCES webhook_deliveries (id),
  number integer NOT NULL,
  institution_id text NOT NULL,
  cycle integer NOT NULL,
  started_at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  connect_ms integer,
  response_code integer,
  error_class text CHECK (error_class IN ('dns', 'connect', 'tls', 'timeout', 'http', 'blocked')),
  error text,
  response_body text,
  PRIMARY KEY (delivery_id, number)
);

CREATE TABLE webhook_replays (
  institution_id text NOT NULL REFERENCES institutions (id),
  delivery_id text NOT NULL REFERENCES webhook_deliveries (id),
  ref text NOT NULL,
  cycle integer NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (delivery_id, ref)
);
CREATE INDEX webhook_replays_institution ON webhook_replays (institution_id);

CREATE TABLE owed_workflows (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  institution_id text,
  kind text NOT NULL CHECK (kind IN ('start', 'signal')),
  name text NOT NULL,
  workflow_id text NOT NULL,
  argument jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  tries integer NOT NULL DEFAULT 0,
  try_after timestamptz NOT NULL DEFAULT '-infinity',
  last_error text
);
CREATE INDEX owed_workflows_by_workflow ON owed_workflows (workflow_id, seq);
CREATE INDEX owed_workflows_due ON owed_workflows (try_after, seq);
`);
    await runner.query(`
CREATE FUNCTION append_events(p_institution_id text, p_events json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  event_count bigint := json_array_length(p_events);
  last_stamp bigint;
BEGIN
  UPDATE event_clocks
     SET last_ms = greatest(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, last_ms + 1) + event_count - 1
   WHERE institution_id = p_institution_id
  RETURNING last_ms INTO last_stamp;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'institution % has no event clock', p_institution_id;
  END IF;
  WITH stamped AS (
    SELECT e.value ->> 'id' AS id, e.value ->> 'type' AS type, e.value ->> 'data' AS data,
           'epoch'::timestamptz + (last_stamp - event_count + e.position) * interval '1 millisecond' AS created_at
      FROM json_array_elements(p_events) WITH ORDINALITY AS e (value, position)
  ), appended AS (
    INSERT INTO events (id, institution_id, type, created_at, body)
    SELECT id, p_institution_id, type, created_at,
           '{"id":"' || id || '","type":"' || type || '","created_at":"'
           || to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
           || '","institution_id":"' || p_institution_id || '","data":' || data || '}'
      FROM stamped
    RETURNING id, type, created_at
  )
  INSERT INTO event_queue (event_id, institution_id, type, created_at)
  SELECT id, p_institution_id, type, created_at FROM appended ORDER BY created_at;
END $$;

CREATE FUNCTION owe_workflows(p_institution_id text, p_owed json) RETURNS void LANGUAGE sql AS $$
  INSERT INTO owed_workflows (institution_id, kind, name, workflow_id, argument)
  SELECT p_institution_id, o.value ->> 'kind', o.value ->> 'name', o.value ->> 'workflowId', (o.value -> 'argument')::jsonb
    FROM json_array_elements(p_owed) WITH ORDINALITY AS o (value, position)
   ORDER BY o.position
$$;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP FUNCTION owe_workflows(text, json);
DROP FUNCTION append_events(text, json);
DROP TABLE owed_workflows, webhook_replays, webhook_attempts, webhook_deliveries, webhook_endpoints, event_queue, events, pruned_events,
  provisioning_rows, provisioning_batches, sessions, sign_in_codes, api_keys, group_members, groups, licenses,
  institution_emails, users, event_clocks, login_counters, institutions;
`);
  }
}

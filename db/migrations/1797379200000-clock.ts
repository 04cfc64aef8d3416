import type { MigrationInterface, QueryRunner } from 'typeorm';

const appendEvents = (now: string): string => `
CREATE OR REPLACE FUNCTION append_events(p_institution_id text, p_events json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  event_count bigint := json_array_length(p_events);
  last_stamp bigint;
BEGIN
  UPDATE event_clocks
     SET last_ms = greatest(${now}, last_ms + 1) + event_count - 1
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
`;

const realMs = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/**
 * Events of a sandbox are stamped by its own clock. Its offset is kept in the row that stamping updates, too: a transaction that
 * waits for the row while the clock is advanced then stamps by the new offset, and no other table is read.
 */
export class Clock1797379200000 implements MigrationInterface {
  readonly name = 'Clock1797379200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE event_clocks ADD COLUMN offset_ms bigint NOT NULL DEFAULT 0 CHECK (offset_ms >= 0);
${appendEvents(`${realMs} + offset_ms`)}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
${appendEvents(realMs)}
ALTER TABLE event_clocks DROP COLUMN offset_ms;
`);
  }
}

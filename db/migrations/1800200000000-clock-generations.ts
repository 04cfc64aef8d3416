import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addGenerations, dropGenerations } from './generations';

const realMs = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/*
 * The newest generation is found from the end of the key, and no row of one before is looked at. Who waits for a row that gets a new
 * generation meanwhile goes on with it: the condition holds for later ones, too.
 */
const stampEvents = `
CREATE OR REPLACE FUNCTION stamp_events(p_institution_id text, p_count bigint) RETURNS bigint LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  v_last bigint;
BEGIN
  UPDATE event_clocks
     SET last_ms = greatest(${realMs} + offset_ms, last_ms + 1) + p_count - 1,
         uses = (uses + 1) % 128, generation = generation + (uses + 1) / 128
   WHERE institution_id = p_institution_id
     AND generation >= (SELECT c.generation FROM event_clocks c WHERE c.institution_id = p_institution_id ORDER BY c.generation DESC LIMIT 1)
  RETURNING last_ms INTO v_last;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'institution % has no event clock', p_institution_id;
  END IF;
  RETURN v_last;
END $$;
`;

const appendEvents = (declaration: string, stamping: string): string => `
CREATE OR REPLACE FUNCTION append_events(p_institution_id text, p_events json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  event_count bigint := json_array_length(p_events);
  ${declaration}
BEGIN${stamping}
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

const stampingInPlace = `
  UPDATE event_clocks
     SET last_ms = greatest(${realMs} + offset_ms, last_ms + 1) + event_count - 1
   WHERE institution_id = p_institution_id
  RETURNING last_ms INTO last_stamp;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'institution % has no event clock', p_institution_id;
  END IF;`;

const clocks = { table: 'event_clocks', key: 'institution_id' };

/**
 * The clock of an institution's events has another generation after each 128 events. Under an old snapshot all versions of its row stay,
 * and a statement that finds the row by its institution alone goes through them; with the generation it goes through those of the last
 * one. There is one row as before: the release before finds it by its institution.
 */
export class ClockGenerations1800200000000 implements MigrationInterface {
  readonly name = 'ClockGenerations1800200000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await addGenerations(runner, { ...clocks, functions: `${stampEvents}${appendEvents('last_stamp bigint := stamp_events(p_institution_id, event_count);', '')}` });
  }

  // TypeORM undoes in a transaction, whatever the migration says.
  async down(runner: QueryRunner): Promise<void> {
    await dropGenerations(runner, { ...clocks, functions: `${appendEvents('last_stamp bigint;', stampingInPlace)}DROP FUNCTION stamp_events(text, bigint);` });
  }
}

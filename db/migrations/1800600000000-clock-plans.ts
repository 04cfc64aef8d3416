import type { MigrationInterface, QueryRunner } from 'typeorm';

const plans = ['enable_bitmapscan', 'enable_sort'] as const;

/*
 * The clocks are few rows, and under an old snapshot many pages with versions that nobody may see. With statistics of such a table
 * Postgres read all of them by a bitmap, and sorted, to find the newest generation: 8 ms for each call after a minute at 400 calls a
 * second, where the end of the index has it in microseconds.
 */
const lastEvent = `
CREATE FUNCTION last_event_ms(p_institution_id text) RETURNS bigint LANGUAGE plpgsql STABLE SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
BEGIN
  RETURN (SELECT last_ms FROM event_clocks WHERE institution_id = p_institution_id ORDER BY generation DESC LIMIT 1);
END $$`;

/** The newest generation of an institution's clock is found from the end of its key, whatever the statistics of the table say. */
export class ClockPlans1800600000000 implements MigrationInterface {
  readonly name = 'ClockPlans1800600000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const setting of plans) await runner.query(`ALTER FUNCTION stamp_events(text, bigint) SET ${setting} = off`);
    await runner.query('ALTER FUNCTION count_attempts() SET enable_bitmapscan = off');
    await runner.query(lastEvent);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION last_event_ms(text)');
    await runner.query('ALTER FUNCTION count_attempts() RESET enable_bitmapscan');
    for (const setting of plans) await runner.query(`ALTER FUNCTION stamp_events(text, bigint) RESET ${setting}`);
  }
}

import { Pool, type PoolClient } from 'pg';
import { newId } from '../domain/ids';
import type { BenchEnvironment } from './environment';
import { median, rounded } from './statistics';

const writers = 16;
const rounds = 5;
const msPerRound = 3_000;

/** The rejected alternative: the row is inserted first, and a deferred trigger stamps it at COMMIT. */
const triggerSchema = `
CREATE TABLE bench_triggered_events (id text PRIMARY KEY, institution_id text NOT NULL, type text NOT NULL, created_at timestamptz(3), data text NOT NULL);
CREATE UNIQUE INDEX ON bench_triggered_events (institution_id, created_at);
CREATE TABLE bench_triggered_queue (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event_id text NOT NULL);
CREATE FUNCTION bench_stamp() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE stamp bigint;
BEGIN
  UPDATE event_clocks SET last_ms = greatest(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, last_ms + 1)
   WHERE institution_id = NEW.institution_id RETURNING last_ms INTO stamp;
  UPDATE bench_triggered_events SET created_at = 'epoch'::timestamptz + stamp * interval '1 millisecond' WHERE id = NEW.id;
  INSERT INTO bench_triggered_queue (event_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER bench_stamp AFTER INSERT ON bench_triggered_events DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION bench_stamp();
`;

type Commit = (connection: PoolClient, institutionId: string) => Promise<unknown>;

const data = JSON.stringify({ student_id: 'stu_bench', changed: ['full_name'], status: 'pending' });

const variants: Record<'withCommit' | 'deferredTrigger' | 'beforeCommit', Commit> = {
  withCommit: (connection, institutionId) =>
    connection.query(`SELECT append_events('${institutionId}', '${JSON.stringify([{ id: newId('evt'), type: 'student.updated', data }])}'); COMMIT`),
  deferredTrigger: async (connection, institutionId) => {
    await connection.query({
      name: 'trigger',
      text: "INSERT INTO bench_triggered_events (id, institution_id, type, data) VALUES ($1, $2, 'student.updated', $3)",
      values: [newId('evt'), institutionId, data],
    });
    await connection.query('COMMIT');
  },
  beforeCommit: async (connection, institutionId) => {
    const events = JSON.stringify([{ id: newId('evt'), type: 'student.updated', data }]);
    await connection.query({ name: 'before', text: 'SELECT append_events($1, $2::json)', values: [institutionId, events] });
    await connection.query('COMMIT');
  },
};

async function committedPerSecond(pool: Pool, institutionId: string, commit: Commit): Promise<number> {
  const until = performance.now() + msPerRound;
  let commits = 0;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      const connection = await pool.connect();
      try {
        while (performance.now() < until) {
          await connection.query('BEGIN');
          await commit(connection, institutionId);
          commits += 1;
        }
      } finally {
        connection.release();
      }
    }),
  );
  return commits / (msPerRound / 1_000);
}

/** Measures events of one institution from 16 connections: stamped with the COMMIT, by a deferred trigger, or one round trip before. */
export async function benchEventClock({ stores, institution }: BenchEnvironment): Promise<object[]> {
  // Its clock is ahead of the real time afterwards, so no other bench may use this institution.
  const { id: institutionId } = await institution('clock', 0);
  const pool = new Pool({ connectionString: stores.ownerDatabaseUrl, max: writers });
  try {
    await pool.query(triggerSchema);
    const results: Record<string, number[]> = {};
    for (let round = 0; round < rounds; round += 1) {
      for (const [way, commit] of Object.entries(variants)) {
        results[way] = [...(results[way] ?? []), await committedPerSecond(pool, institutionId, commit)];
      }
    }
    const perSecond = Object.fromEntries(Object.entries(results).map(([way, samples]) => [way, Math.round(median(samples))]));
    const ratio = rounded(median((results.withCommit ?? []).map((value, index) => value / (results.deferredTrigger?.[index] ?? Number.NaN))));
    return [{ bench: 'event clock of one institution, commits/s', ...perSecond, ratio_to_trigger: ratio, rounds }];
  } finally {
    await pool.end();
  }
}

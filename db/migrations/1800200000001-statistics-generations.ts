import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addGenerations, dropGenerations } from './generations';

/** The columns of the histogram of latencies: the responses within so many ms, and not within the bound before. */
const latencyColumns = ['latency_50', 'latency_100', 'latency_250', 'latency_500', 'latency_1000', 'latency_2500', 'latency_5000', 'latency_slower'];
const latencyBounds = [50, 100, 250, 500, 1000, 2500, 5000];

const answeredWithin = latencyColumns.map((_column, index) => {
  const above = index === 0 ? '' : ` AND duration_ms > ${latencyBounds[index - 1]}`;
  const within = index === latencyBounds.length ? '' : ` AND duration_ms <= ${latencyBounds[index]}`;
  return `count(*) FILTER (WHERE response_code IS NOT NULL${above}${within})`;
});

const counts = ['attempts', 'failures', ...latencyColumns];

const countInPlace = `
CREATE OR REPLACE FUNCTION count_attempts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO endpoint_statistics AS s (endpoint_id, hour, institution_id, attempts, failures, ${latencyColumns.join(', ')})
  SELECT endpoint_id, date_trunc('hour', started_at, 'UTC') AS hour, min(institution_id), count(*), count(error_class),
         ${answeredWithin.join(',\n         ')}
    FROM recorded GROUP BY endpoint_id, hour ORDER BY endpoint_id, hour
  ON CONFLICT (endpoint_id, hour) DO UPDATE
     SET attempts = s.attempts + EXCLUDED.attempts, failures = s.failures + EXCLUDED.failures,
         ${latencyColumns.map((column) => `${column} = s.${column} + EXCLUDED.${column}`).join(',\n         ')};
  RETURN NULL;
END $$;
`;

/*
 * Rows are written in order, so that two statements never wait for each other. The first attempt of an hour inserts its row. Should two rows of an hour ever come of that, their sum is right, which is what everyone
 * reads; the one with the newest generation goes on. The update compares whole keys, which no other index can: by the hour alone it would
 * go through all versions.
 */
const countByGeneration = `
CREATE OR REPLACE FUNCTION count_attempts() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off SET enable_sort = off AS $$
DECLARE
  r record;
BEGIN
  FOR r IN
    SELECT endpoint_id, date_trunc('hour', started_at, 'UTC') AS hour, min(institution_id) AS institution_id, count(*) AS attempts, count(error_class) AS failures,
           ${answeredWithin.map((count, index) => `${count} AS ${latencyColumns[index]}`).join(',\n           ')}
      FROM recorded GROUP BY endpoint_id, hour ORDER BY endpoint_id, hour
  LOOP
    LOOP
      UPDATE endpoint_statistics s
         SET ${counts.map((column) => `${column} = s.${column} + r.${column}`).join(', ')},
             uses = (s.uses + 1) % 128, generation = s.generation + (s.uses + 1) / 128
       WHERE (s.endpoint_id, s.hour, s.generation) <= (r.endpoint_id, r.hour, 2147483647)
         AND (s.endpoint_id, s.hour, s.generation) >= (r.endpoint_id, r.hour,
           (SELECT n.generation FROM endpoint_statistics n WHERE n.endpoint_id = r.endpoint_id AND n.hour = r.hour ORDER BY n.generation DESC LIMIT 1));
      EXIT WHEN FOUND;
      INSERT INTO endpoint_statistics (endpoint_id, hour, institution_id, ${counts.join(', ')})
      VALUES (r.endpoint_id, r.hour, r.institution_id, ${counts.map(() => '0').join(', ')}) ON CONFLICT DO NOTHING;
    END LOOP;
  END LOOP;
  RETURN NULL;
END $$;
`;

const statistics = { table: 'endpoint_statistics', key: 'endpoint_id, hour' };

/** The statistics of an endpoint's hour have another generation after each 128 groups of attempts, as the clocks of events have. */
export class StatisticsGenerations1800200000001 implements MigrationInterface {
  readonly name = 'StatisticsGenerations1800200000001';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await addGenerations(runner, { ...statistics, functions: countByGeneration });
  }

  // TypeORM undoes in a transaction, whatever the migration says. Two rows of an hour become one.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
WITH gone AS (
  DELETE FROM endpoint_statistics s WHERE EXISTS (SELECT 1 FROM endpoint_statistics n WHERE n.endpoint_id = s.endpoint_id AND n.hour = s.hour AND n.generation > s.generation) RETURNING *
)
UPDATE endpoint_statistics s SET ${counts.map((column) => `${column} = s.${column} + g.${column}`).join(', ')}
  FROM (SELECT endpoint_id, hour, ${counts.map((column) => `sum(${column}) AS ${column}`).join(', ')} FROM gone GROUP BY 1, 2) g
 WHERE g.endpoint_id = s.endpoint_id AND g.hour = s.hour
   AND s.generation = (SELECT max(n.generation) FROM endpoint_statistics n WHERE n.endpoint_id = s.endpoint_id AND n.hour = s.hour)`);
    await dropGenerations(runner, { ...statistics, functions: countInPlace });
  }
}

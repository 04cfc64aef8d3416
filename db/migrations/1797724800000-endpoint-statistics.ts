import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The columns of the histogram of latencies: the responses within so many ms, and not within the bound before. */
const latencyColumns = ['latency_50', 'latency_100', 'latency_250', 'latency_500', 'latency_1000', 'latency_2500', 'latency_5000', 'latency_slower'];
const latencyBounds = [50, 100, 250, 500, 1000, 2500, 5000];

const answeredWithin = latencyColumns.map((_column, index) => {
  const above = index === 0 ? '' : ` AND duration_ms > ${latencyBounds[index - 1]}`;
  const within = index === latencyBounds.length ? '' : ` AND duration_ms <= ${latencyBounds[index]}`;
  return `count(*) FILTER (WHERE response_code IS NOT NULL${above}${within})`;
});

/*
 * A trigger of the statement, not the service, counts: whoever records an attempt, the release before included, counts it in
 * the same transaction, and an attempt that is recorded twice is inserted, and counted, once. Rows are written in order, so
 * that two statements never wait for each other.
 */
const schema = `
CREATE TABLE endpoint_statistics (
  endpoint_id text NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
  hour timestamptz(3) NOT NULL,
  institution_id text NOT NULL,
  attempts integer NOT NULL,
  failures integer NOT NULL,
  ${latencyColumns.map((column) => `${column} integer NOT NULL`).join(',\n  ')},
  PRIMARY KEY (endpoint_id, hour)
) WITH (fillfactor = 50);
CREATE INDEX endpoint_statistics_hour ON endpoint_statistics (hour);
CREATE INDEX endpoint_statistics_institution ON endpoint_statistics (institution_id);

CREATE FUNCTION count_attempts() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER webhook_attempts_counted AFTER INSERT ON webhook_attempts
  REFERENCING NEW TABLE AS recorded FOR EACH STATEMENT EXECUTE FUNCTION count_attempts();
`;

/** The attempts at each endpoint are counted by the hour. */
export class EndpointStatistics1797724800000 implements MigrationInterface {
  readonly name = 'EndpointStatistics1797724800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(schema);
  }

  // Only counts are lost: the attempts themselves stay.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP TRIGGER webhook_attempts_counted ON webhook_attempts;
DROP FUNCTION count_attempts();
DROP TABLE endpoint_statistics;
`);
  }
}

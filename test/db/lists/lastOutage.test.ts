import { institutionScope } from '../../../db/database';
import { findLastOutage, maxOutageAttempts } from '../../../db/repositories/support/outages';
import { apiFixture } from '../../support/apiFixture';
import { withExplain } from '../../support/queryPlans';
import { seedDelivery } from '../../support/seed/deliveries';
import { seedEndpoint } from '../../support/seed/endpoints';
import { vacuum } from '../../support/statistics';

const { api, institution, sql } = apiFixture({ institutionPer: 'file' });
const began = new Date('2026-11-01T00:00:00.000Z');
const second = (nth: number): Date => new Date(began.getTime() + nth * 1_000);

/** Seeds an endpoint with this many attempts, a second apart, of which those from `failFrom` to `failTo` failed; returns its id. */
async function attemptsAt(attempts: number, failFrom: number, failTo: number): Promise<string> {
  const endpoint = await seedEndpoint(api, institution, 'https://hooks.example.org/in');
  const delivery = await seedDelivery(api, institution, endpoint, { createdAt: began });
  await sql(
    `INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, response_code, error_class)
     SELECT $1, nth, $2, $3, 1, $4::timestamptz + nth * interval '1 second', 12, CASE WHEN nth BETWEEN $6 AND $7 THEN 500 ELSE 200 END, CASE WHEN nth BETWEEN $6 AND $7 THEN 'http' END
       FROM generate_series(1, $5::int) nth`,
    [delivery, institution.id, endpoint, began, attempts, failFrom, failTo],
  );
  return endpoint;
}

async function read(endpoint: string, until: Date) {
  const { scope, done } = withExplain(institutionScope(api.api.domain.database, institution.id));
  return { outage: await findLastOutage(scope.sql, endpoint, until), done };
}

it('the last outage of an endpoint reads by their index little but its failed attempts, of 20,000', async () => {
  const endpoint = await attemptsAt(20_000, 10_001, 10_040);
  await vacuum(api);
  const { outage, done } = await read(endpoint, second(10_041));
  expect(outage).toEqual({ from: second(10_001), to: second(10_040), failed_attempts: 40, recovered_at: second(10_041) });
  expect(done).toHaveLength(1);
  expect(done[0]?.scans.filter((scan) => !/^webhook_attempts\w*: Index/.test(scan))).toEqual([]);
  expect(done[0]?.blocks).toBeLessThan(150);
});

it('an outage of more attempts than are counted has those of its end', async () => {
  const endpoint = await attemptsAt(maxOutageAttempts + 100, 2, maxOutageAttempts + 50);
  const { outage } = await read(endpoint, second(maxOutageAttempts + 50));
  expect(outage).toEqual({ from: second(51), to: second(maxOutageAttempts + 50), failed_attempts: maxOutageAttempts, recovered_at: second(maxOutageAttempts + 51) });
});

it('a failure that more attempts than are read followed is not looked for', async () => {
  expect((await read(await attemptsAt(maxOutageAttempts + 10, 1, 5), second(maxOutageAttempts + 10))).outage).toBeUndefined();
});

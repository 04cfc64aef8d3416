import { withConnection } from '../../../local/programs/postgres';
import { rounded } from '../../statistics';
import { summarizeOutcomes } from '../figures';
import type { ScenarioContext } from '../scenarioContext';
import { callToArrival, createTenInstitutions, load } from './hanging';

/** Of all ten endpoints: 90 of them at the nine that are watched. */
const deliveriesPerSecond = 100;
const warmSeconds = 3;
const unlockedSeconds = 20;
const lockedSeconds = 30;
const drainTimeoutMs = 30_000;

/** Holds the row of an endpoint, in a transaction of its own, while `work` runs. */
async function whileLocked<Result>(stage: ScenarioContext, endpointId: string, work: () => Promise<Result>): Promise<Result> {
  return withConnection(stage.environment.stores.ownerDatabaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await client.query('SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR UPDATE', [endpointId]);
    const result = await work();
    await client.query('COMMIT');
    return result;
  });
}

/** Ten endpoints of ten institutions; call to arrival of nine without a lock, and while a transaction holds the row of the tenth. */
export async function benchLockedEndpoint(stage: ScenarioContext): Promise<object> {
  const layout = await createTenInstitutions(stage);
  const [locked, ...nine] = layout.endpoints;
  if (locked === undefined) throw new Error('There is no endpoint');
  await load(stage, layout, layout.endpoints, warmSeconds);
  const without = await load(stage, layout, nine, unlockedSeconds);
  const during = await whileLocked(stage, locked.id, () => load(stage, layout, nine, lockedSeconds));
  const queued = 'SELECT 1 FROM event_queue WHERE institution_id = $1 LIMIT 1';
  const { database } = stage.environment;
  await stage.until('the fan-out of the locked endpoint', async () => (await database.sql(queued, [locked.institution.id])).length === 0, drainTimeoutMs);
  const [before, after] = [callToArrival(without), callToArrival(during)];
  return {
    what: 'call to arrival at the other nine',
    deliveries_per_s: deliveriesPerSecond,
    none_is_locked: before,
    one_is_locked: after,
    p99_ratio: rounded(after.p99_ms / before.p99_ms),
    ...summarizeOutcomes([without.outcome, during.outcome]),
  };
}

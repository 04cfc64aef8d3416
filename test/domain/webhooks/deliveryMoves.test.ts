import fc from 'fast-check';
import { institutionScope } from '../../../db/database';
import { openGenericPlanPool, type GenericPlanPool } from '../../../db/genericPlanPool';
import { settingsSource } from '../../../db/sessionSettings';
import { recordFailures, recordSuccesses } from '../../../db/repositories/webhooks/attempts';
import { moveDeliveries } from '../../../db/repositories/webhooks/backlog';
import { findDelivery, listDeliveries, lockDelivery } from '../../../db/repositories/webhooks/deliveries';
import { openStatuses } from '../../../db/repositories/webhooks/deliveryStatus';
import { fanOutEvents } from '../../../db/repositories/webhooks/fanOut';
import { claimPendingDeliveries, releaseLapsedClaims, type ClaimedDelivery } from '../../../db/repositories/webhooks/sending';
import type { Sql } from '../../../db/statement';
import { DomainError } from '../../../domain/errors';
import { newId } from '../../../domain/ids';
import { transact } from '../../../domain/transact';
import { cancelDelivery } from '../../../domain/webhooks/cancelDelivery';
import { endEndpointDeliveries } from '../../../domain/webhooks/endDeliveries';
import { recoverChunk } from '../../../domain/webhooks/recoverChunk';
import { replayDelivery } from '../../../domain/webhooks/replayDelivery';
import { updateEndpoint } from '../../../domain/webhooks/updateEndpoint';
import { apiFixture } from '../../support/apiFixture';
import { attemptOf, placedDeliveries } from '../../support/deliveryTables';
import { endpointForEachTest } from '../../support/seed/endpoints';
import { seedEvents } from '../../support/seed/events';

const window = 12 * 3_600_000;
const limits = { maxWorkflows: 2, failuresToOpen: 15, firstProbeMs: 5_000 };
const fixture = apiFixture();
const { api, institution, sql } = fixture;
const endpoint = endpointForEachTest(fixture);
let pool: GenericPlanPool;

beforeAll(() => {
  pool = openGenericPlanPool(api.settings.databaseUrl, 6, () => undefined, settingsSource(api.settings));
});

afterAll(() => pool.close());

/** What sends deliveries: a worker of this release, or of the one before. */
interface SendingRelease {
  fanOut(sql: Sql): Promise<unknown>;
  claim(sql: Sql, endpointId: string, limit: number, claimedBy: string): Promise<ClaimedDelivery[]>;
  succeed(sql: Sql, deliveries: readonly ClaimedDelivery[], claimedBy: string): Promise<unknown>;
}

const thisRelease: SendingRelease = {
  fanOut: (run) => fanOutEvents(run, 500, window),
  claim: (run, endpointId, limit, claimedBy) => claimPendingDeliveries(run, new Map([[endpointId, limit]]), claimedBy, window),
  succeed: (run, deliveries, claimedBy) => recordSuccesses(run, deliveries.map((one) => attemptOf(one, 'delivered')), claimedBy),
};

const steps = ['fanOut', 'claim', 'succeed', 'fail', 'die', 'pause', 'resume', 'replay', 'cancel', 'due', 'disable', 'recover', 'lapse', 'lock'] as const;
type Step = (typeof steps)[number];

const command = <Result>(work: Parameters<typeof transact<Result>>[2]): Promise<Result> => transact(api.api.domain, { institutionId: institution.id, now: new Date() }, work);

/** An error response is a result; of a lock that a process of this release waits for too long, the sender tries again. */
const refused = (error: unknown): void => {
  const isLockTimeout = error instanceof Error && /lock timeout|still to be fanned out/.test(error.message);
  if (!(error instanceof DomainError) && !isLockTimeout) throw error;
};

/** What the steps share: each runs on connections of its own, with others at the same time. */
class Run {
  private readonly claims: { release: SendingRelease; claimedBy: string; deliveries: ClaimedDelivery[] }[] = [];
  known: string[] = [];
  /** Events of one institution are a millisecond apart or more. */
  private eventsAt = Date.now() + 60_000;

  constructor(private readonly releases: readonly SendingRelease[]) {}

  private take(): { release: SendingRelease; claimedBy: string; deliveries: ClaimedDelivery[] } {
    return this.claims.shift() ?? { release: thisRelease, claimedBy: 'nobody', deliveries: [] };
  }

  private async fail(status: 'retrying' | 'dead'): Promise<void> {
    const { claimedBy, deliveries } = this.take();
    if (deliveries.length > 0) await recordFailures(pool.sql, deliveries.map((one) => ({ ...attemptOf(one, status), since_success: true, success_between: false })), claimedBy, limits);
  }

  private steps(at: number): Record<Step, () => Promise<unknown>> {
    const release = this.releases[at % this.releases.length] ?? thisRelease;
    const some = this.known[at % Math.max(this.known.length, 1)] ?? newId('whd');
    return {
      fanOut: async () => {
        await seedEvents(api, institution, { createdAt: new Date((this.eventsAt += 10)), type: 'student.created', count: 3, queued: true });
        await release.fanOut(pool.sql);
      },
      claim: async () => {
        const claimedBy = newId('req');
        this.claims.push({ release, claimedBy, deliveries: await release.claim(pool.sql, endpoint.id, 4, claimedBy) });
      },
      succeed: async () => {
        const { claimedBy, deliveries } = this.take();
        if (deliveries.length > 0) await release.succeed(pool.sql, deliveries, claimedBy);
      },
      fail: () => this.fail('retrying'),
      die: () => this.fail('dead'),
      pause: () => command((tx) => updateEndpoint(tx, endpoint.id, { status: 'paused' })),
      resume: () => command((tx) => updateEndpoint(tx, endpoint.id, { status: 'active' })),
      replay: () => command((tx) => replayDelivery(tx, some, undefined)),
      cancel: () => command((tx) => cancelDelivery(tx, some)),
      due: () => moveDeliveries(pool.sql, 'due', endpoint.id, new Date(Date.now() + 3_600_000)),
      disable: () => command((tx) => endEndpointDeliveries(tx, endpoint.id, 'endpoint_disabled')),
      recover: () => command((tx) => recoverChunk(tx, newId('rcv'), { endpointId: endpoint.id, until: new Date(Date.now() + 3_600_000), eventTypes: undefined }, new Date(0))),
      lapse: async () => {
        await sql("UPDATE open_deliveries SET claimed_until = now() - interval '1 second' WHERE institution_id = $1 AND claimed_by IS NOT NULL", [institution.id]);
        await releaseLapsedClaims(pool.sql);
      },
      lock: async () => {
        const locked = this.known.includes(some) ? await command((tx) => lockDelivery(tx, some)) : { id: some };
        expect(locked).toMatchObject({ id: some });
      },
    };
  }

  /** Runs steps at once, while a reader looks for every delivery that is known. */
  async together(round: readonly Step[], nth: number): Promise<void> {
    let reading = true;
    const reader = async (): Promise<void> => {
      const scope = institutionScope(api.api.domain.database, institution.id);
      while (reading) {
        const before = this.known.length;
        const { total } = await listDeliveries(scope, {}, { page: 1, limit: 1 });
        expect(total).toBeGreaterThanOrEqual(before);
        for (const id of this.known.slice(-5)) expect(await findDelivery(scope, id)).toMatchObject({ id });
      }
    };
    const read = reader();
    await Promise.all(round.map((step, index) => this.steps(nth * 7 + index)[step]().catch(refused)));
    reading = false;
    await read;
    await this.check();
  }

  private async check(): Promise<void> {
    const rows = await placedDeliveries(pool.sql, institution.id);
    const ids = rows.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(rows.map(({ event_id, endpoint_id }) => `${event_id} ${endpoint_id}`)).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(this.known));
    const open: readonly string[] = openStatuses;
    const misplaced = rows.filter(({ status, place }) => open.includes(status) !== (place === 'open_deliveries'));
    expect(misplaced).toEqual([]);
    this.known = ids;
  }
}

const rounds = fc.array(fc.array(fc.constantFrom(...steps), { minLength: 2, maxLength: 5 }), { minLength: 5, maxLength: 12 });

/** Every run begins with something to send. */
async function runAll(releases: readonly SendingRelease[], sequence: readonly (readonly Step[])[]): Promise<void> {
  await sql('DELETE FROM event_queue');
  for (const table of ['webhook_attempts', 'webhook_replays', 'open_deliveries', 'webhook_deliveries', 'events']) await sql(`DELETE FROM ${table} WHERE institution_id = $1`, [institution.id]);
  await sql("UPDATE webhook_endpoints SET status = 'active', circuit = 'closed', circuit_opened_at = NULL, probe_at = NULL, consecutive_failures = 0, resting_since = NULL, rest_began_at = NULL, rest_ended_at = NULL WHERE id = $1", [endpoint.id]);
  const run = new Run(releases);
  const all: (readonly Step[])[] = [['fanOut'], ['claim', 'fanOut'], ...sequence];
  for (const [nth, round] of all.entries()) await run.together(round, nth);
}

it('with several connections at work, no delivery is lost, doubled, in both tables or in the wrong one, and none is ever absent for readers', async () => {
  await fc.assert(fc.asyncProperty(rounds, (sequence) => runAll([thisRelease], sequence)), { numRuns: 12, endOnFailure: true });
});

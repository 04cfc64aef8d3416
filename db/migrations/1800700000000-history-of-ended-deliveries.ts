import { setTimeout as pause } from 'node:timers/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockBriefly } from './briefLocks';
import { buildConcurrently } from './concurrentIndexes';
import { hasConstraint } from './constraints';
import { rewriteFunction, undone, type Rewriting } from './rewriteFunction';

const recordFailures: Rewriting = [
  ['(SELECT count(*) FROM webhook_deliveries w WHERE', '(SELECT count(*) FROM open_deliveries w WHERE'],
  ['JOIN webhook_deliveries d\n', 'JOIN open_deliveries d\n'],
  ['UPDATE webhook_deliveries d\n', 'UPDATE open_deliveries d\n'],
  ["WHERE (j.becomes <> 'dead' OR d.tableoid = 'webhook_deliveries'::regclass)\n", "WHERE j.becomes <> 'dead'\n"],
];

const planBacklog: Rewriting = [['FROM webhook_deliveries WHERE', 'FROM open_deliveries WHERE']];

const eventsAreNeeded = (deliveries: readonly string[]): string =>
  `CREATE OR REPLACE FUNCTION events_are_needed(p_since_id text, p_until_id text) RETURNS boolean LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
  SELECT EXISTS (SELECT 1 FROM public.event_queue WHERE event_id >= coalesce(p_since_id, '') AND event_id < p_until_id)
${deliveries.map((rows) => `      OR EXISTS (SELECT 1 FROM public.${rows}event_id >= coalesce(p_since_id, '') AND event_id < p_until_id)`).join('\n')}
$$`;

const neededBefore = eventsAreNeeded([
  "webhook_deliveries WHERE status IN ('retrying', 'held') AND ",
  "webhook_deliveries WHERE status = 'pending' AND claimed_by IS NULL AND ",
  'webhook_deliveries WHERE claimed_by IS NOT NULL AND ',
]);

/** A thousand rows move from one table to the other. */
const move = (from: string, to: string, which: string): string => `
WITH found AS (
  SELECT id FROM ONLY ${from} WHERE ${which} LIMIT 1000 FOR UPDATE SKIP LOCKED
), moved AS (
  DELETE FROM ONLY ${from} WHERE id = ANY (ARRAY(SELECT id FROM found)) AND ${which} RETURNING *
)
INSERT INTO ${to} SELECT * FROM moved ON CONFLICT DO NOTHING RETURNING 1`;

/** What releases before 0.12.0 have left in the other table, each part by an index of its own; of the open ones those that nobody is attempting. */
const moves = [
  ...["status = 'pending' AND claimed_by IS NULL", 'claimed_by IS NOT NULL AND claimed_until < clock_timestamp()', "status IN ('retrying', 'held') AND claimed_by IS NULL"]
    .map((which) => move('webhook_deliveries', 'open_deliveries', which)),
  move('open_deliveries', 'webhook_deliveries', "status IN ('delivered', 'dead', 'cancelled')"),
];

const isAnyLeft = `SELECT 1 FROM ONLY webhook_deliveries WHERE status = 'pending' AND claimed_by IS NULL
  UNION ALL SELECT 1 FROM ONLY webhook_deliveries WHERE claimed_by IS NOT NULL AND status = 'pending'
  UNION ALL SELECT 1 FROM ONLY webhook_deliveries WHERE status IN ('retrying', 'held')
  UNION ALL SELECT 1 FROM open_deliveries WHERE status IN ('delivered', 'dead', 'cancelled') LIMIT 1`;

/** Deliveries that are being attempted end with their claims, which are valid for 20 s. */
const claimsEndWithinMs = 60_000;
const pauseMs = 500;

const isSome = (rows: unknown): boolean => Array.isArray(rows) && rows.length > 0;

async function moveMisplaced(runner: QueryRunner): Promise<void> {
  let giveUpAt = performance.now() + claimsEndWithinMs;
  while (isSome(await runner.query(isAnyLeft))) {
    let isMoved = false;
    for (const statement of moves) isMoved = isSome(await runner.query(statement)) || isMoved;
    if (isMoved) giveUpAt = performance.now() + claimsEndWithinMs;
    else if (performance.now() < giveUpAt) await pause(pauseMs);
    else throw new Error('A process of a release before 0.12.0 is still sending deliveries: upgrade to 0.17.0 first, and end every older process');
  }
}

const isEnded = 'webhook_deliveries_ended_check';
const onePerEndpoint = 'webhook_deliveries_event_id_endpoint_id_key';

/**
 * `webhook_deliveries` has ended deliveries alone, which a check says: the statements on open ones look into `open_deliveries` only. One
 * delivery of an event to an endpoint has one id, so the history needs no unique key of both, only an index of its events, which is smaller.
 *
 * 0.17.0 writes open deliveries to `open_deliveries` alone. Its statements look into both tables: the indexes of open deliveries stay
 * for them, and go with the release after this one.
 */
export class HistoryOfEndedDeliveries1800700000000 implements MigrationInterface {
  readonly name = 'HistoryOfEndedDeliveries1800700000000';
  // Each table is locked by itself; all of it can be done again.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    if (!(await hasConstraint(runner, 'webhook_deliveries', isEnded))) {
      await moveMisplaced(runner);
      const check = `ALTER TABLE webhook_deliveries ADD CONSTRAINT ${isEnded} CHECK (status IN ('delivered', 'dead', 'cancelled')) NO INHERIT NOT VALID`;
      await lockBriefly(runner, 'webhook_deliveries', () => runner.query(check));
    }
    await runner.query(`ALTER TABLE webhook_deliveries VALIDATE CONSTRAINT ${isEnded}`);
    await rewriteFunction(runner, 'record_failures', recordFailures);
    await rewriteFunction(runner, 'plan_backlog', planBacklog);
    await runner.query(eventsAreNeeded(["open_deliveries WHERE status IN ('pending', 'retrying', 'held') AND "]));
    await buildConcurrently(runner, { webhook_deliveries_event: 'webhook_deliveries (event_id)' });
    if (await hasConstraint(runner, 'webhook_deliveries', onePerEndpoint)) {
      await lockBriefly(runner, 'webhook_deliveries', () => runner.query(`ALTER TABLE webhook_deliveries DROP CONSTRAINT ${onePerEndpoint}`));
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE webhook_deliveries ADD CONSTRAINT ${onePerEndpoint} UNIQUE (event_id, endpoint_id);
DROP INDEX webhook_deliveries_event;
ALTER TABLE webhook_deliveries DROP CONSTRAINT ${isEnded};`);
    await runner.query(neededBefore);
    await rewriteFunction(runner, 'plan_backlog', undone(planBacklog));
    await rewriteFunction(runner, 'record_failures', undone(recordFailures));
  }
}

import { createServer, type Server } from 'node:http';
import { startRepeatingTask } from '../../lib/repeatingTask';
import { errorMessage } from '../errors';
import { freePort } from '../ports';
import { withConnection } from '../programs/postgres';
import { pause, waitUntil } from '../waitUntil';
import type { PostgresNode } from './postgresNode';

/** A change of the primary, with times in ms since 1970. */
export interface Promotion {
  from: string;
  to: string;
  /** When the old one was found dead. */
  noticedAt: number;
  promotedAt: number;
}

/** Watches a pair of Postgres servers and keeps one of them the primary, as Patroni does for operators. */
export interface FailoverAgent {
  readonly primary: PostgresNode;
  /** Whether the standby has everything that was committed, so that it may become the primary. */
  readonly synchronous: boolean;
  readonly promotions: readonly Promotion[];
  /** The port at which HAProxy asks whether this server is the primary. */
  checkPort(node: PostgresNode): number;
  stop(): Promise<void>;
}

const everyMs = 250;
const aliveWithinMs = 3_000;
/** So long the primary must not answer before it is taken for dead, unless its process has ended: a busy machine may keep it from answering for seconds. */
const silentMs = 15_000;
const promotedWithinMs = 60_000;
/** How long a standby may be away before the primary commits without it. */
const standbyAwayMs = 3_000;

const runs = (node: PostgresNode): boolean => node.running !== undefined;

/** Answers 200 while this server is the primary. */
async function serveCheck(isPrimary: () => boolean): Promise<{ server: Server; port: number }> {
  const port = await freePort();
  const server = createServer((_request, response) => response.writeHead(isPrimary() ? 200 : 503).end());
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  return { server, port };
}

/** Starts to watch a primary that runs and its standby, which streams from it. */
export async function startFailoverAgent(first: PostgresNode, second: PostgresNode, log: (line: string) => void): Promise<FailoverAgent> {
  const promotions: Promotion[] = [];
  let [primary, standby] = [first, second];
  let synchronous = false;
  let answeredAt = Date.now();
  let streamingAt = Date.now();
  let up = true;

  const setSynchronous = (name: string): Promise<void> => withConnection(primary.url(), async (client) => {
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${name.replaceAll('-', '_')}'`);
    await client.query('SELECT pg_reload_conf()');
  });
  const checkPrimary = async (): Promise<boolean> => {
    if (!runs(primary)) return false;
    try {
      await Promise.race([
        withConnection(primary.url(), async (client) => { await client.query('SELECT 1'); }),
        pause(aliveWithinMs).then(() => { throw new Error('no answer'); }),
      ]);
      return true;
    } catch {
      return false;
    }
  };

  /** Makes the former primary a standby: its folder is rewound, or copied again. */
  const rejoin = async (): Promise<void> => {
    await withConnection(primary.url(), async (client) => { await client.query('CHECKPOINT'); });
    await standby.kill();
    try {
      await standby.rewindTo(primary);
    } catch (error) {
      log(`  ${standby.name} is copied again: ${errorMessage(error).split('\n')[0] ?? ''}`);
      await standby.copyFrom(primary);
    }
    await standby.start(primary);
    streamingAt = Date.now();
  };

  const promote = async (): Promise<void> => {
    const noticedAt = Date.now();
    up = false;
    // One that hangs must not commit any more.
    await primary.kill();
    [primary, standby] = [standby, primary];
    synchronous = false;
    // Half done, nobody would be the primary.
    await waitUntil({
      what: `the promotion of ${primary.name}`,
      withinMs: promotedWithinMs,
      check: () => withConnection(primary.url(), async (client) => {
        const { rows: [row] } = await client.query<{ is_standby: boolean }>('SELECT pg_is_in_recovery() AS is_standby');
        if (row?.is_standby !== false) await client.query('SELECT pg_promote(true, 10)');
        // The copy of the former primary's settings names itself.
        await client.query("ALTER SYSTEM SET synchronous_standby_names = ''");
        await client.query('SELECT pg_reload_conf()');
      }),
    });
    up = true;
    answeredAt = Date.now();
    promotions.push({ from: standby.name, to: primary.name, noticedAt, promotedAt: Date.now() });
    log(`  ${standby.name} died: ${primary.name} is the primary now`);
    await rejoin();
  };

  const recover = async (): Promise<void> => {
    if (synchronous && runs(standby)) {
      await promote();
      return;
    }
    // The standby may lack what was committed last: the primary itself must come back.
    log(`  ${primary.name} died while it had no synchronous standby: it is started again`);
    await primary.kill();
    await primary.start();
    answeredAt = Date.now();
  };

  const watchStandby = async (): Promise<void> => {
    if (!runs(standby)) {
      await dropStandby();
      await standby.start(primary).catch(() => rejoin());
      return;
    }
    const [row] = (await withConnection(primary.url(), (client) => client.query<{ state: string; sync_state: string }>('SELECT state, sync_state FROM pg_stat_replication'))).rows;
    if (row?.state !== 'streaming') {
      if (Date.now() - streamingAt > standbyAwayMs) await dropStandby();
      if (Date.now() - streamingAt > 5 * standbyAwayMs) await rejoin();
      return;
    }
    streamingAt = Date.now();
    if (row.sync_state === 'sync') synchronous = true;
    else await setSynchronous(standby.name);
  };
  /** The primary goes on alone; first nobody may promote the standby any more. */
  const dropStandby = async (): Promise<void> => {
    synchronous = false;
    await setSynchronous('');
  };

  const task = startRepeatingTask(async () => {
    if (!(await checkPrimary())) {
      // A process that has ended needs no second look.
      if (Date.now() - answeredAt > silentMs || !runs(primary)) await recover();
      return;
    }
    answeredAt = Date.now();
    await watchStandby();
  }, { everyMs, onError: (error) => log(`  failover: ${errorMessage(error)}`) });
  const checks = new Map<PostgresNode, { server: Server; port: number }>();
  for (const node of [first, second]) checks.set(node, await serveCheck(() => up && primary === node && runs(node)));
  return {
    get primary() { return primary; },
    get synchronous() { return synchronous; },
    promotions,
    checkPort: (node) => checks.get(node)?.port ?? 0,
    stop: async () => {
      await task.stop();
      for (const { server } of checks.values()) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

import { relative } from 'node:path';
import type { ConnectionFile } from '../connection';
import type { Demo } from '../demoInstitution';
import type { StackOptions } from '../options';
import { startupMessage } from '../startupMessage';
import type { Cluster } from './cluster';

/** How to reach a cluster, as `.local/cluster/connection.json` has it. */
export function connectionOf(stack: StackOptions, cluster: Cluster, demo: Demo): ConnectionFile {
  return {
    base_url: stack.publicBaseUrl,
    docs_url: `${stack.publicBaseUrl}/docs`,
    api_key: demo.api_key,
    test_key: demo.test_key,
    institution_id: demo.institution_id,
    platform_url: cluster.platformUrl,
    apps_url: cluster.appsUrl,
    worker_url: cluster.services.origin('worker-1'),
    platform_token: cluster.platformToken,
    console_url: `http://127.0.0.1:${stack.platformPort}/console`,
    console_token: demo.console_token,
    temporal_address: cluster.temporal.address,
    temporal_ui: cluster.temporal.uiUrl,
    database_url: cluster.ownerDatabaseUrl,
    redis_url: cluster.redis.url,
    mail_dir: cluster.mailDir,
    demo_receiver_port: stack.demoReceiverPort,
  };
}

/** The one screen that a running cluster shows: that of `npm start`, and what runs. */
export function screenOf(connection: ConnectionFile, localDir: string): string {
  const processes = `${relative(process.cwd(), localDir)}/processes.json`;
  return `${startupMessage(connection, localDir)}
  Behind HAProxy: two API processes. Three workers. Temporal as five processes with mTLS. Postgres with a synchronous
  standby, behind PgBouncer. Redis with a replica and three Sentinels. Their process ids are in ${processes}:
  kill one, and see what happens.
`;
}

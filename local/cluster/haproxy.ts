import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { projectRoot } from '../projectRoot';
import { launchMember, type ClusterDeps } from './deps';
import type { FailoverAgent } from './failover';
import type { PostgresNode } from './postgresNode';

/** Where one API process listens. */
export interface ApiPorts {
  name: string;
  port: number;
  platformPort: number;
  appPort: number;
}

/** The ports of HAProxy itself. */
export interface FrontPorts {
  port: number;
  platformPort: number;
  appPort: number;
}

/** What is answered when no API is ready: nothing was done, and the call may be sent again. */
const errorFile = (): string => join(projectRoot(), 'deploy', 'cluster', '503.http');

/** Resolves when something listens on this port of the loopback. */
export const requireListening = (port: number): Promise<void> => new Promise((resolve, reject) => {
  const socket = connect({ host: '127.0.0.1', port, timeout: 1_000 });
  socket.once('connect', () => { socket.destroy(); resolve(); });
  socket.once('timeout', () => socket.destroy(new Error('no answer')));
  socket.once('error', reject);
});

/** Fails while HAProxy has found no API that is ready. */
async function requireApi(platformPort: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${platformPort}/readyz`, { signal: AbortSignal.timeout(2_000) });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`HAProxy answers ${response.status}`);
}

const global = `global
  maxconn 4000
  log stdout format raw local0 notice
`;

/** Leads to whichever server is the primary; connections to another one are cut. */
export async function startPostgresFront(deps: ClusterDeps, port: number, nodes: readonly PostgresNode[], agent: FailoverAgent): Promise<void> {
  const folder = join(deps.localDir, 'haproxy');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'postgres.cfg');
  writeFileSync(file, `${global}
defaults
  mode tcp
  timeout connect 1s
  timeout check 3s
  timeout client 1d
  timeout server 1d

listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /
  default-server inter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${agent.checkPort(node)}`).join('\n')}
`);
  await launchMember(deps, { name: 'haproxy-postgres', program: deps.programs.haproxy, args: ['-W', '-db', '-f', file], readyWithinMs: 10_000, ready: () => requireListening(port) });
}

/** Shares calls among the APIs that are ready. */
export async function startApiFront(deps: ClusterDeps, host: string, front: FrontPorts, apis: readonly ApiPorts[]): Promise<void> {
  const folder = join(deps.localDir, 'haproxy');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'api.cfg');
  const listen = (name: keyof FrontPorts, bindHost: string): string => `
listen ${name}
  bind ${bindHost}:${front[name]}
  balance leastconn
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host 127.0.0.1
  errorfile 503 ${errorFile()}
  # A process that stops closes its idle connections: a request that is on its way on one gets no answer, and nobody knows whether to send it again.
  option http-server-close
  # A request that reached no API is sent to another one.
  option redispatch 1
  retry-on conn-failure
  retries 3
  default-server inter 500ms fall 2 rise 1
${apis.map((api) => `  server ${api.name} 127.0.0.1:${api[name]} check port ${api.platformPort}`).join('\n')}
`;
  writeFileSync(file, `${global}
defaults
  mode http
  option forwardfor
  timeout connect 1s
  timeout check 3s
  timeout client 75s
  # Longer than a bulk call waits for its batch.
  timeout server 75s
  timeout queue 5s
${listen('port', host === '0.0.0.0' ? '*' : host)}${listen('platformPort', '127.0.0.1')}${listen('appPort', host === '0.0.0.0' ? '*' : host)}`);
  await launchMember(deps, { name: 'haproxy', program: deps.programs.haproxy, args: ['-W', '-db', '-f', file], readyWithinMs: 30_000, ready: () => requireApi(front.platformPort) });
}

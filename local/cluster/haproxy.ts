import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
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

/** How long HAProxy may take to answer a command, in ms. */
const commandWithinMs = 5_000;

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

/** Where HAProxy takes commands, from the working directory that both have: the path of a socket has a bound. */
const commandSocket = (localDir: string): string => relative(process.cwd(), join(localDir, 'haproxy', 'api.sock'));

const frontNames = ['port', 'platformPort', 'appPort'] as const satisfies readonly (keyof FrontPorts)[];

/** Has HAProxy send an API no calls any more (`drain`), or calls again once it is ready. Fails if HAProxy refuses. */
export async function setApiState(localDir: string, api: string, state: 'drain' | 'ready'): Promise<void> {
  const socket = connect({ path: commandSocket(localDir), timeout: commandWithinMs });
  socket.once('timeout', () => socket.destroy(new Error('HAProxy does not answer')));
  socket.end(`${frontNames.map((name) => `set server ${name}/${api} state ${state}`).join('; ')}\n`);
  const answer = (await text(socket)).trim();
  if (answer !== '') throw new Error(`HAProxy: ${answer}`);
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
  # A request that reached no API is sent to another one.
  option redispatch 1
  retry-on conn-failure
  retries 3
  default-server inter 500ms fall 2 rise 1
${apis.map((api) => `  server ${api.name} 127.0.0.1:${api[name]} check port ${api.platformPort}`).join('\n')}
`;
  writeFileSync(file, `${global}  stats socket unix@${commandSocket(deps.localDir)} mode 600 level admin

defaults
  mode http
  option forwardfor
  timeout connect 1s
  timeout check 3s
  timeout client 75s
  # Longer than a bulk call waits for its batch.
  timeout server 75s
  timeout queue 5s
${frontNames.map((name) => listen(name, name === 'platformPort' ? '127.0.0.1' : host === '0.0.0.0' ? '*' : host)).join('')}`);
  await launchMember(deps, { name: 'haproxy', program: deps.programs.haproxy, args: ['-W', '-db', '-f', file], readyWithinMs: 30_000, ready: () => requireApi(front.platformPort) });
}

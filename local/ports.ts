import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { errorCode, errorMessage } from './errors';

/** A port that the environment named, or its default. */
export interface NamedPort {
  variable: string;
  host: string;
  port: number;
}

/**
 * Below the range from which systems take the ports of outgoing connections: a program that keeps connecting to a
 * store which is being restarted would else, now and then, be given the store's port, and be connected to itself.
 */
const storePorts = { from: 20_000, below: 32_768 };
const maxAttempts = 200;
/** Ports that this process has given out: what is to listen on one may do so long after another was asked for. */
const given = new Set<number>();
const mostGiven = 5_000;

function listen(host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => resolve(server));
  });
}

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** A port of the loopback that nothing listens on at this moment, and that is none of the last thousands that this process was given. */
export async function freePort(): Promise<number> {
  if (given.size >= mostGiven) given.clear();
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const port = randomInt(storePorts.from, storePorts.below);
    if (given.has(port)) continue;
    given.add(port);
    try {
      await close(await listen('127.0.0.1', port));
      return port;
    } catch {
      // Taken: another one.
    }
  }
  throw new Error(`No free port between ${storePorts.from} and ${storePorts.below}`);
}

function portErrorReason(error: unknown): string {
  const code = errorCode(error);
  if (code === 'EADDRINUSE') return 'is taken by another program';
  if (code === 'EACCES') return 'may not be used by this user';
  return `cannot be used: ${errorMessage(error)}`;
}

/** Throws one error that names every port that cannot be listened on, and the variable that changes it. */
export async function requireFreePorts(ports: readonly NamedPort[]): Promise<void> {
  const problems: string[] = [];
  const variableByPort = new Map<number, string>();
  for (const { variable, host, port } of ports) {
    const other = variableByPort.get(port);
    if (other !== undefined) problems.push(`${variable} and ${other} both name port ${port}`);
    variableByPort.set(port, variable);
    try {
      await close(await listen(host, port));
    } catch (error) {
      problems.push(`Port ${port} (${variable}) ${portErrorReason(error)}; free it or set ${variable} to another`);
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

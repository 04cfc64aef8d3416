import { createServer, type Server } from 'node:net';

/** A port that the environment named, or its default. */
export interface NamedPort {
  variable: string;
  host: string;
  port: number;
}

function listen(host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => resolve(server));
  });
}

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
  return address.port;
}

/** `count` different ports of the loopback that nothing listens on at this moment. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen('127.0.0.1', 0)));
  const ports = servers.map(portOf);
  await Promise.all(servers.map(close));
  return ports;
}

/** One port of the loopback that nothing listens on at this moment. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  if (port === undefined) throw new Error('No free port');
  return port;
}

function reasonItCannotBeUsed(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return 'is taken by another program';
  if (code === 'EACCES') return 'may not be used by this user';
  return `cannot be used: ${error instanceof Error ? error.message : String(error)}`;
}

/** Throws one error that names every port that cannot be listened on, and the variable that changes it. */
export async function requireFreePorts(ports: readonly NamedPort[]): Promise<void> {
  const problems: string[] = [];
  const taken = new Map<number, string>();
  for (const { variable, host, port } of ports) {
    const other = taken.get(port);
    if (other !== undefined) problems.push(`${variable} and ${other} both name port ${port}`);
    taken.set(port, variable);
    try {
      await close(await listen(host, port));
    } catch (error) {
      problems.push(`Port ${port} (${variable}) ${reasonItCannotBeUsed(error)}; free it or set ${variable} to another`);
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

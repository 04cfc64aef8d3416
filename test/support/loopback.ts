import { once } from 'node:events';
import net from 'node:net';
import { networkInterfaces } from 'node:os';

/** Listeners on one port of every address by which this machine reaches itself. */
export interface Loopback {
  port: number;
  /** The addresses that are listened on, `127.0.0.1` and `::1` among them where the machine has them. */
  addresses: readonly string[];
  /** How often each was connected to. */
  connections(): Record<string, number>;
  close(): Promise<void>;
}

const reserved = ['127.0.0.1', '127.0.0.2', '127.1.2.3', '127.255.255.254', '::1'];

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
}

/** Counts connections and sends no response. Throws unless at least 127.0.0.1 can be listened on. */
export async function listenOnLoopback(): Promise<Loopback> {
  const counts: Record<string, number> = {};
  const servers: net.Server[] = [];
  const sockets = new Set<net.Socket>();

  async function listen(host: string, port: number): Promise<number> {
    const server = net.createServer((socket) => {
      counts[host] = (counts[host] ?? 0) + 1;
      sockets.add(socket);
      socket.on('error', () => undefined);
    });
    server.listen({ host, port, ipv6Only: true });
    await once(server, 'listening');
    servers.push(server);
    counts[host] = 0;
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The listener has no port');
    return address.port;
  }

  const [first = '', ...others] = [...new Set([...reserved, ...ownAddresses()])];
  const port = await listen(first, 0);
  for (const host of others) {
    // Link-local ones need a zone to be listened on, and some machines have no IPv6, or one loopback address alone.
    await listen(host, port).catch(() => undefined);
  }
  return {
    port,
    addresses: Object.keys(counts),
    connections: () => ({ ...counts }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** Connects to each of them, and resolves when every connection has been counted: that none was before says something then. */
export async function connectToEach({ addresses, port }: Loopback): Promise<void> {
  for (const host of addresses) {
    const socket = net.connect({ host, port });
    await once(socket, 'connect');
    socket.destroy();
    await once(socket, 'close');
  }
}

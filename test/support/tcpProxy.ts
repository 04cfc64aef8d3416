import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server that can be cut: the server behind `address` seems to be away while the server goes on. */
export interface TcpProxy {
  /** `host:port`, the same for the life of the proxy. */
  address: string;
  /** Connections break, new ones are refused. */
  refuse(): Promise<void>;
  /** Connections stay and new ones are accepted, but not a byte passes either way. */
  hang(): void;
  /** Open connections never say anything again, nor that they have ended; new ones reach the server: a machine is gone, and its address leads to another. */
  abandon(): void;
  /** Everything passes again; what hung goes on where it stopped. */
  resume(): Promise<void>;
  /** Connections break; new ones reach another server (`host:port`). */
  redirect(target: string): Promise<void>;
  close(): Promise<void>;
}

/** Two ends of one connection. */
interface Pair {
  near: Socket;
  far: Socket;
}

/** Listens on a free port of the loopback and forwards to `target` (`host:port`). */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const placeOf = (of: string): { host: string; port: number } => {
    const { hostname, port } = new URL(`tcp://${of}`);
    return { host: hostname, port: Number(port) };
  };
  let place = placeOf(target);
  const pairs = new Set<Pair>();
  let hanging = false;

  const forward = ({ near, far }: Pair): void => {
    near.pipe(far);
    far.pipe(near);
  };
  const disconnect = ({ near, far }: Pair): void => {
    for (const end of [near, far]) end.unpipe().pause();
  };
  const server = createServer((near) => {
    const pair = { near, far: connect(place) };
    pairs.add(pair);
    for (const end of [pair.near, pair.far]) {
      end.setNoDelay(true);
      end.on('error', () => undefined);
      end.on('close', () => {
        pairs.delete(pair);
        pair.near.destroy();
        pair.far.destroy();
      });
    }
    if (hanging) disconnect(pair);
    else forward(pair);
  });
  const listen = (at: number): Promise<void> => new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const breakOff = async (): Promise<void> => {
    if (!server.listening) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const { near, far } of pairs) {
        near.resetAndDestroy();
        far.destroy();
      }
    });
  };
  await listen(0);
  const own = (server.address() as AddressInfo).port;
  return {
    address: `127.0.0.1:${own}`,
    refuse: breakOff,
    hang: () => {
      hanging = true;
      for (const pair of pairs) disconnect(pair);
    },
    abandon: () => {
      for (const pair of pairs) {
        disconnect(pair);
        pair.far.removeAllListeners('close').destroy();
      }
    },
    resume: async () => {
      hanging = false;
      for (const pair of pairs) forward(pair);
      if (!server.listening) await listen(own);
    },
    redirect: async (to) => {
      await breakOff();
      place = placeOf(to);
      await listen(own);
    },
    close: breakOff,
  };
}

import { Connection, type ConnectionOptions } from './connection';

export interface ConnectionPoolOptions extends Omit<ConnectionOptions, 'onClosed'> {
  connectionsPerOrigin: number;
  /** Over all origins; the one idle for longest is closed first. */
  maxIdle: number;
}

type ConnectionCallback = (connection: Connection) => void;

interface OriginPool {
  open: number;
  /** The last one used is used next, so that the others fall idle and close. */
  idle: Connection[];
  waiting: Set<ConnectionCallback>;
}

/** Connections by origin: so many per origin, so many idle in all; an origin without any is forgotten. */
export class ConnectionPool {
  private readonly originPools = new Map<string, OriginPool>();
  private readonly idle = new Set<Connection>();
  private readonly connectionOptions: ConnectionOptions;

  constructor(private readonly options: ConnectionPoolOptions) {
    this.connectionOptions = {
      addresses: options.addresses,
      secureContext: options.secureContext,
      onClosed: (connection) => this.removeIdle(connection),
    };
  }

  /** Gives a connection now or when one is free, in the order asked; the returned function stops waiting for it. */
  acquire(url: URL, onConnection: ConnectionCallback): () => void {
    const originPool = this.poolFor(url.origin);
    const idle = originPool.idle.pop();
    if (idle !== undefined) {
      this.idle.delete(idle);
      onConnection(idle);
    } else if (originPool.open < this.options.connectionsPerOrigin) {
      originPool.open += 1;
      onConnection(new Connection(url, this.connectionOptions));
    } else {
      originPool.waiting.add(onConnection);
    }
    return () => {
      originPool.waiting.delete(onConnection);
    };
  }

  /** Takes back a connection that can carry another exchange. */
  release(connection: Connection): void {
    const originPool = this.poolFor(connection.origin);
    const next = first(originPool.waiting);
    if (next !== undefined) {
      originPool.waiting.delete(next);
      next(connection);
      return;
    }
    originPool.idle.push(connection);
    this.idle.add(connection);
    const oldest = this.idle.size > this.options.maxIdle ? first(this.idle) : undefined;
    if (oldest !== undefined) this.removeIdle(oldest);
  }

  /** Ends a connection that was taken; the next caller that waits gets a new one. */
  discard(connection: Connection, url: URL): void {
    connection.destroy();
    const originPool = this.poolFor(connection.origin);
    originPool.open -= 1;
    const next = first(originPool.waiting);
    if (next !== undefined) {
      originPool.waiting.delete(next);
      originPool.open += 1;
      next(new Connection(url, this.connectionOptions));
    }
    this.removeIfEmpty(connection.origin, originPool);
  }

  /** Closes the idle connections of one origin, or of all. */
  closeIdle(origin?: string): void {
    for (const connection of [...this.idle]) {
      if (origin === undefined || connection.origin === origin) this.removeIdle(connection);
    }
  }

  private poolFor(origin: string): OriginPool {
    const existing = this.originPools.get(origin);
    if (existing !== undefined) return existing;
    const originPool: OriginPool = { open: 0, idle: [], waiting: new Set() };
    this.originPools.set(origin, originPool);
    return originPool;
  }

  private removeIdle(connection: Connection): void {
    if (!this.idle.delete(connection)) return;
    const originPool = this.poolFor(connection.origin);
    originPool.idle.splice(originPool.idle.indexOf(connection), 1);
    originPool.open -= 1;
    connection.destroy();
    this.removeIfEmpty(connection.origin, originPool);
  }

  private removeIfEmpty(origin: string, originPool: OriginPool): void {
    if (originPool.open === 0 && originPool.waiting.size === 0) this.originPools.delete(origin);
  }
}

function first<T>(set: Set<T>): T | undefined {
  for (const element of set) return element;
  return undefined;
}

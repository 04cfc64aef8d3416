import { Connection, type ConnectionOptions } from './connection';

export interface ConnectionPoolOptions extends Omit<ConnectionOptions, 'onClosed'> {
  connectionsPerOrigin: number;
  /** Maximum number of idle connections over all origins; the one idle for longest is closed first. */
  maxIdle: number;
}

type ConnectionCallback = (connection: Connection) => void;

interface OriginPool {
  open: number;
  /** The most recently used one is used next, so that the others become idle and close. */
  idle: Connection[];
  waiting: Set<ConnectionCallback>;
}

/** Connections by origin, limited per origin, and in total for idle ones; origins without connections are removed. */
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

  /** Passes a connection to the callback, now or when one is free, in the order of calls; the returned function stops waiting. */
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

  /** Returns a connection to the pool for another exchange. */
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

  /** Closes a connection that was acquired; the next waiting caller gets a new one. */
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

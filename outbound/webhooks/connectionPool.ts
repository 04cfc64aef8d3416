import { Connection, type ConnectionOptions } from './connection';

export interface ConnectionPoolOptions extends Omit<ConnectionOptions, 'onClosed'> {
  connectionsPerOrigin: number;
  /** Over all origins; the one idle for longest is closed first. */
  mostIdle: number;
}

type Taker = (connection: Connection) => void;

interface Lane {
  open: number;
  /** The last one used is used next, so that the others fall idle and close. */
  idle: Connection[];
  waiting: Set<Taker>;
}

/** Connections by origin: so many per origin, so many idle in all; an origin without any is forgotten. */
export class ConnectionPool {
  private readonly lanes = new Map<string, Lane>();
  private readonly idle = new Set<Connection>();
  private readonly connectionOptions: ConnectionOptions;

  constructor(private readonly options: ConnectionPoolOptions) {
    this.connectionOptions = {
      addresses: options.addresses,
      secureContext: options.secureContext,
      onClosed: (connection) => this.forgetIdle(connection),
    };
  }

  /** Gives a connection now or when one is free, in the order asked; the returned function stops waiting for it. */
  acquire(url: URL, take: Taker): () => void {
    const lane = this.lane(url.origin);
    const idle = lane.idle.pop();
    if (idle !== undefined) {
      this.idle.delete(idle);
      take(idle);
    } else if (lane.open < this.options.connectionsPerOrigin) {
      lane.open += 1;
      take(new Connection(url, this.connectionOptions));
    } else {
      lane.waiting.add(take);
    }
    return () => {
      lane.waiting.delete(take);
    };
  }

  /** Takes back a connection that can carry another exchange. */
  release(connection: Connection): void {
    const lane = this.lane(connection.origin);
    const next = firstOf(lane.waiting);
    if (next !== undefined) {
      lane.waiting.delete(next);
      next(connection);
      return;
    }
    lane.idle.push(connection);
    this.idle.add(connection);
    const oldest = this.idle.size > this.options.mostIdle ? firstOf(this.idle) : undefined;
    if (oldest !== undefined) this.forgetIdle(oldest);
  }

  /** Ends a connection that was taken; whoever waits for one gets a new one. */
  discard(connection: Connection, url: URL): void {
    connection.destroy();
    const lane = this.lane(connection.origin);
    lane.open -= 1;
    const next = firstOf(lane.waiting);
    if (next !== undefined) {
      lane.waiting.delete(next);
      lane.open += 1;
      next(new Connection(url, this.connectionOptions));
    }
    this.forgetEmpty(connection.origin, lane);
  }

  /** Closes the idle connections of one origin, or of all. */
  closeIdle(origin?: string): void {
    for (const connection of [...this.idle]) {
      if (origin === undefined || connection.origin === origin) this.forgetIdle(connection);
    }
  }

  private lane(origin: string): Lane {
    const known = this.lanes.get(origin);
    if (known !== undefined) return known;
    const lane: Lane = { open: 0, idle: [], waiting: new Set() };
    this.lanes.set(origin, lane);
    return lane;
  }

  private forgetIdle(connection: Connection): void {
    if (!this.idle.delete(connection)) return;
    const lane = this.lane(connection.origin);
    lane.idle.splice(lane.idle.indexOf(connection), 1);
    lane.open -= 1;
    connection.destroy();
    this.forgetEmpty(connection.origin, lane);
  }

  private forgetEmpty(origin: string, lane: Lane): void {
    if (lane.open === 0 && lane.waiting.size === 0) this.lanes.delete(origin);
  }
}

function firstOf<T>(set: Set<T>): T | undefined {
  for (const element of set) return element;
  return undefined;
}

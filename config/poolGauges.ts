import { Gauge, type Registry } from 'prom-client';

/** The numbers of a pool of connections, as node-postgres counts them. */
interface CountedPool {
  /** Open connections. */
  readonly totalCount: number;
  /** Those of them that do nothing. */
  readonly idleCount: number;
  /** Statements and transactions that wait for a connection. */
  readonly waitingCount: number;
}

/** Adds gauges of the process's main pool of connections to Postgres to the registry, read on scrape. */
export function addPoolGauges(registry: Registry, pool: CountedPool): void {
  const gauges: readonly { name: string; help: string; value: () => number }[] = [
    { name: 'database_pool_busy_connections', help: 'Connections to Postgres at work, of the main pool of the process.', value: () => pool.totalCount - pool.idleCount },
    { name: 'database_pool_waiting', help: 'Statements and transactions that wait for a connection of the main pool of the process.', value: () => pool.waitingCount },
  ];
  for (const { name, help, value } of gauges) {
    new Gauge({ name, help, registers: [registry], collect() { this.set(value()); } });
  }
}

import { Counter, type Registry } from 'prom-client';

const outcomes = ['replica', 'behind', 'unreachable'] as const;

/** Registers the counter of reads that may come from the replica, from zero; returns what counts one. */
export function createReplicaReadCounter(registry: Registry): (outcome: (typeof outcomes)[number]) => void {
  const counter = new Counter({
    name: 'database_replica_reads_total',
    help: 'Reads that may come from the replica: those that did, and those that found it behind or unreachable, after which the primary answers for a second.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of outcomes) counter.inc({ outcome }, 0);
  return (outcome) => counter.inc({ outcome });
}

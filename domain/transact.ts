import { inTransaction } from '../db/transaction';
import type { Work } from '../db/wakeups';
import { auditedCall, type Acting } from './audit/auditedCall';
import type { Domain, EndedDeliveries, Transaction } from './context';
import { serializeEventData } from './events/eventTypes';
import { newId } from './ids';

type Transacting = Pick<Domain, 'database' | 'secrets' | 'onCommitted'>;

/** A transaction never appends more: the event clock gives each event a millisecond of its own. */
const maxEventsPerTransaction = 1_000;

/**
 * Runs a command in one transaction of the caller's institution. Events and owed workflows become visible with
 * the commit or not at all; afterwards `domain.onCommitted` is told, once. A caller with an operation leaves it in the
 * audit log, with the same commit. Whoever carries a session has few places among those of the institution: they wait for
 * their own calls first.
 */
export async function transact<Result>(domain: Transacting, caller: Acting, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  if (caller.actor?.kind !== 'session') return transactAtOnce(domain, caller, work);
  return domain.database.turnsOfPeople.run(caller.actor.id, () => transactAtOnce(domain, caller, work));
}

async function transactAtOnce<Result>(domain: Transacting, caller: Acting, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  const asked = { wake: false };
  let ended: EndedDeliveries = {};
  const { result, events, workflows } = await inTransaction(domain.database, caller.institutionId, async (open) => {
    // A try that was rolled back ended none.
    ended = {};
    const done = await work({
      institutionId: caller.institutionId,
      manager: open.manager,
      sql: open.sql,
      now: caller.now,
      secrets: domain.secrets,
      emit: (type, data) => {
        if (open.events.length === maxEventsPerTransaction) throw new Error('Too many events in one transaction');
        open.events.push({ id: newId('evt'), type, data: serializeEventData(type, data) });
      },
      startWorkflow: (name, workflowId, argument) => open.owed.push({ kind: 'start', name, workflowId, argument }),
      signalWorkflow: (name, workflowId, argument) => open.owed.push({ kind: 'signal', name, workflowId, argument }),
      wake: () => {
        asked.wake = true;
      },
      endDeliveries: (as, count) => {
        ended = { ...ended, [as]: (ended[as] ?? 0) + count };
      },
    });
    open.audited.push(...auditedCall(caller, done));
    return done;
  });
  const left: Work[] = [];
  if (events > 0) left.push('events');
  if (workflows > 0) left.push('workflows');
  if (asked.wake) left.push('deliveries', 'workflows');
  if (left.length > 0 || Object.keys(ended).length > 0) domain.onCommitted(left, ended);
  return result;
}

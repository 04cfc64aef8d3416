import { CommitOutcomeUnknown } from '../db/connectionLoss';
import { inTransaction, type KeyClaim } from '../db/transaction';
import type { WorkKind } from '../db/wakeups';
import { auditedCall, type TransactionCaller } from './audit/auditedCall';
import type { AuditSubject, Domain, EndedDeliveries, Transaction } from './context';
import { serializeEventData } from './events/eventTypes';
import { responsePlace } from './idempotency/responsePlace';
import { newId } from './ids';

type TransactionDeps = Pick<Domain, 'database' | 'secrets' | 'onCommitted'>;

/** Maximum number of events per transaction: the event clock gives each event a millisecond of its own. */
const maxEventsPerTransaction = 1_000;

/**
 * Runs a command in one transaction of the caller's institution and returns its result. Events and outbox rows become
 * visible with the commit or not at all; afterwards `domain.onCommitted` is called once. The operation of a caller is
 * recorded in the audit log with the same commit. Sessions of people have a small concurrency limit within that of their
 * institution, so that they wait for their own calls first. `claim` is an idempotency key to claim first: see `inTransaction`.
 */
export async function transact<Result>(domain: TransactionDeps, caller: TransactionCaller, work: (tx: Transaction) => Promise<Result>, claim?: KeyClaim): Promise<Result> {
  if (caller.actor?.kind !== 'session') return runTransaction(domain, caller, work, claim);
  return domain.database.personSemaphore.run(caller.actor.id, () => runTransaction(domain, caller, work, claim));
}

async function runTransaction<Result>(domain: TransactionDeps, caller: TransactionCaller, work: (tx: Transaction) => Promise<Result>, claim: KeyClaim | undefined): Promise<Result> {
  const requested = { wake: false };
  const { progress } = caller;
  const wasSent = progress?.commitSent ?? false;
  let ended: EndedDeliveries = {};
  let subject: AuditSubject = {};
  const committed = await inTransaction(domain.database, caller.institutionId, async ({ events, outbox, auditedCalls, storedResponses, ...scope }) => {
    // A transaction attempt that was rolled back ended none.
    ended = {};
    subject = {};
    const done = await work({
      ...scope,
      now: caller.now,
      secrets: domain.secrets,
      emit: (type, data) => {
        if (events.length === maxEventsPerTransaction) throw new Error('Too many events in one transaction');
        events.push({ id: newId('evt'), type, data: serializeEventData(type, data) });
      },
      startWorkflow: (name, workflowId, argument) => outbox.push({ kind: 'start', name, workflowId, argument }),
      signalWorkflow: (name, workflowId, argument) => outbox.push({ kind: 'signal', name, workflowId, argument }),
      wake: () => {
        requested.wake = true;
      },
      storeResponse: (idempotency, response) => storedResponses.push({ ...idempotency, responseSealed: domain.secrets.seal(response, responsePlace(caller.institutionId, idempotency.key)) }),
      recordSubject: (person) => {
        subject = person;
      },
      countEndedDeliveries: (as, count) => {
        ended = { ...ended, [as]: (ended[as] ?? 0) + count };
      },
    });
    auditedCalls.push(...auditedCall(caller, done, subject));
    if (progress !== undefined) progress.commitSent = true;
    return done;
  }, claim).catch((error: unknown) => {
    // Of any other failure Postgres has said that nothing of this transaction was done.
    if (progress !== undefined && !(error instanceof CommitOutcomeUnknown)) progress.commitSent = wasSent;
    throw error;
  });
  const left: WorkKind[] = [];
  if (committed.events > 0) left.push('events');
  if (committed.workflows > 0) left.push('workflows');
  if (requested.wake) left.push('deliveries', 'workflows');
  if (left.length > 0 || Object.keys(ended).length > 0) domain.onCommitted(left, ended);
  return committed.result;
}

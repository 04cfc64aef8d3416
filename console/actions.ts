import { findSupportDelivery } from '../db/repositories/support/delivery';
import { findSupportEndpoint } from '../db/repositories/support/endpoints';
import { findClockOffset } from '../db/repositories/institutions/institutions';
import { onClock } from '../domain/clock';
import type { Actor, Operation, Transaction } from '../domain/context';
import { DomainError } from '../domain/errors';
import { transact } from '../domain/transact';
import { cancelDelivery } from '../domain/webhooks/cancelDelivery';
import { replayDeadDeliveries } from '../domain/webhooks/replayDeadDeliveries';
import { replayDelivery } from '../domain/webhooks/replayDelivery';
import { retryDeliveryNow } from '../domain/webhooks/retryDeliveryNow';
import { updateEndpoint, type WantedStatus } from '../domain/webhooks/updateEndpoint';
import { requireSince } from './pages/replayDead';
import { plural } from './format';
import { href, idParam, pathTo, type ConsoleRequest } from './consoleRequest';

/** The result of an action: the page that follows, and the message on it. */
export interface ActionResult {
  to: string;
  text: string;
}

/** What a button does. An error of a rule is shown on the page at `returnPath`. */
export interface Action {
  path: string;
  returnPath: (id: string) => string;
  run: (request: ConsoleRequest, form: URLSearchParams) => Promise<ActionResult>;
}

type Command<Result> = (tx: Transaction, id: string) => Promise<Result>;

/** All support staff sign in with the platform token. */
const supportActor: Actor = { kind: 'platform', id: 'console' };

/** Returns what the audit log records of an action: the same operation of the platform API, with the console's path. */
const auditedOperation = (id: string, path: string, target: string, changed: readonly string[] = []): Operation => ({
  id, method: 'POST', path: `/console${path.replace(':id', '{id}')}`, target: { id: target }, changed,
});

/** Runs a command for the institution whose delivery or endpoint it is, by its clock. */
async function runForInstitution<Result>({ deps, now, requestId }: ConsoleRequest, owner: { institution_id: string } | undefined, id: string, operation: Operation, work: Command<Result>): Promise<Result> {
  if (owner === undefined) throw new DomainError('not_found', `There is no ${id}.`);
  const { institution_id: institutionId } = owner;
  const clockOffsetMs = (await findClockOffset(deps.domain.database.sql, institutionId)) ?? 0;
  const caller = { institutionId, actor: supportActor, requestId, now: onClock({ clockOffsetMs }, now), operation };
  return transact(deps.domain, caller, (tx) => work(tx, id));
}

function deliveryAction(name: string, operation: string, text: string, work: Command<unknown>): Action {
  const returnPath = (id: string): string => href(pathTo.delivery(id));
  const path = `/deliveries/:id/${name}`;
  return {
    path,
    returnPath,
    run: async (request) => {
      const id = idParam(request);
      await runForInstitution(request, await findSupportDelivery(request.deps.domain.database.sql, id), id, auditedOperation(operation, path, id), work);
      return { to: returnPath(id), text };
    },
  };
}

const endpointPath = (id: string): string => href(pathTo.endpoint(id));

function endpointAction(name: string, operation: string, changed: readonly string[], work: (tx: Transaction, id: string, form: URLSearchParams) => Promise<ActionResult>): Action {
  const path = `/endpoints/:id/${name}`;
  return {
    path,
    returnPath: endpointPath,
    run: async (request, form) => {
      const id = idParam(request);
      const owner = await findSupportEndpoint(request.deps.domain.database.sql, id);
      return runForInstitution(request, owner, id, auditedOperation(operation, path, id, changed), (tx) => work(tx, id, form));
    },
  };
}

const statusAction = (name: string, status: WantedStatus, text: string): Action =>
  endpointAction(name, 'updateWebhookEndpoint', ['status'], async (tx, id) => {
    await updateEndpoint(tx, id, { status });
    return { to: endpointPath(id), text };
  });

async function replayDead(tx: Transaction, id: string, form: URLSearchParams): Promise<ActionResult> {
  const { workflowId, matched } = await replayDeadDeliveries(tx, id, { since: requireSince(form.get('since')) });
  if (workflowId === null) return { to: endpointPath(id), text: 'There was nothing to replay.' };
  return {
    to: href(`${pathTo.endpoint(id)}/replays/${encodeURIComponent(workflowId)}`, { matched: String(matched) }),
    text: `The replay of ${plural(matched, 'delivery')} has begun.`,
  };
}

/** All actions of the console. */
export const actions: readonly Action[] = [
  deliveryAction('retry', 'retryDeliveryNow', 'An attempt was requested; it starts immediately.', retryDeliveryNow),
  deliveryAction('replay', 'replayDelivery', 'The delivery is sent again.', (tx, id) => replayDelivery(tx, id, undefined)),
  deliveryAction('cancel', 'cancelDelivery', 'The delivery is cancelled.', cancelDelivery),
  statusAction('pause', 'paused', 'The endpoint is paused: its deliveries are held until it is resumed.'),
  statusAction('resume', 'active', 'The endpoint is active: its held deliveries are sent, oldest first.'),
  endpointAction('replay-dead', 'replayDeadDeliveries', ['since'], replayDead),
];

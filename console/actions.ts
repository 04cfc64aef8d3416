import { findSupportDelivery } from '../db/repositories/support/delivery';
import { findSupportEndpoint, type SupportEndpoint } from '../db/repositories/support/endpoints';
import { findClockOffset } from '../db/repositories/institutions/institutions';
import { onClock } from '../domain/clock';
import type { Operation, Transaction } from '../domain/context';
import { DomainError } from '../domain/errors';
import { transact } from '../domain/transact';
import { cancelDelivery } from '../domain/webhooks/cancelDelivery';
import { findDeadByDisabling, findLastDisabledAt } from '../domain/webhooks/endpointHealth';
import { recoverDeliveries } from '../domain/webhooks/recoverDeliveries';
import { replayDeadDeliveries, type BulkReplay, type DeadFilter } from '../domain/webhooks/replayDeadDeliveries';
import { replayDelivery } from '../domain/webhooks/replayDelivery';
import { retryDeliveryNow } from '../domain/webhooks/retryDeliveryNow';
import { updateEndpoint, type WantedStatus } from '../domain/webhooks/updateEndpoint';
import type { Action, ActionResult } from './action';
import { plural } from './format';
import { parseSelection, selectionQuery, selectedFields } from './sendAgain';
import { staffActions } from './staffActions';
import { href, idParam, pathTo, type ConsoleRequest } from './consoleRequest';

type Command<Result> = (tx: Transaction, id: string) => Promise<Result>;

/** Returns what the audit log records of an action: the same operation of the platform API, with the console's path. */
const auditedOperation = (id: string, path: string, target: string, changed: readonly string[] = []): Operation => ({
  id, method: 'POST', path: `/console${path.replace(':id', '{id}')}`, target: { id: target }, changed, created: 'started',
});

/** Runs a command for the institution whose delivery or endpoint it is, by its clock. */
async function runForInstitution<Result>({ deps, staff, now, requestId }: ConsoleRequest, owner: { institution_id: string } | undefined, id: string, operation: Operation, work: Command<Result>): Promise<Result> {
  if (owner === undefined) throw new DomainError('not_found', `There is no ${id}.`);
  const { institution_id: institutionId } = owner;
  const clockOffsetMs = (await findClockOffset(deps.domain.database.sql, institutionId)) ?? 0;
  const caller = { institutionId, actor: { kind: 'staff' as const, id: staff.id }, requestId, now: onClock({ clockOffsetMs }, now), operation };
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

/** `started` is the id of the workflow that the action has started. */
type EndpointWork = (tx: Transaction, endpoint: SupportEndpoint, form: URLSearchParams) => Promise<ActionResult & { started?: string }>;

function endpointAction(name: string, operation: string, changed: (form: URLSearchParams) => readonly string[], work: EndpointWork): Action {
  const path = `/endpoints/:id/${name}`;
  return {
    path,
    returnPath: endpointPath,
    run: async (request, form) => {
      const id = idParam(request);
      const endpoint = await findSupportEndpoint(request.deps.domain.database.sql, id);
      if (endpoint === undefined) throw new DomainError('not_found', `There is no ${id}.`);
      return runForInstitution(request, endpoint, id, auditedOperation(operation, path, id, changed(form)), (tx) => work(tx, endpoint, form));
    },
  };
}

const statusAction = (name: string, status: WantedStatus, textOf: (before: SupportEndpoint, tx: Transaction) => string | Promise<string>): Action =>
  endpointAction(name, 'updateWebhookEndpoint', () => ['status'], async (tx, endpoint) => {
    await updateEndpoint(tx, endpoint.id, { status });
    return { to: endpointPath(endpoint.id), text: await textOf(endpoint, tx) };
  });

/** What resuming an endpoint does; a disabled one holds nothing. */
async function resumedText({ id, status }: SupportEndpoint, tx: Transaction): Promise<string> {
  if (status !== 'disabled') return 'The endpoint is active: its held deliveries are sent, oldest first.';
  const { count } = await findDeadByDisabling(tx, id, await findLastDisabledAt(tx, id));
  const dead = count === 0 ? '' : ` ${plural(count, 'delivery')} ${count === 1 ? 'was' : 'were'} given up when it was disabled: “Count dead deliveries…” sends ${count === 1 ? 'it' : 'them'} again.`;
  return `The endpoint is active again: it receives what happens from now on. “Count missed events…” finds what it missed.${dead}`;
}

/** Sends what an endpoint did not receive, as a workflow whose page follows. */
const sendAgainAction = (name: string, operation: string, command: (tx: Transaction, id: string, selection: DeadFilter) => Promise<BulkReplay>, words: { nothing: string; begun: (matched: number) => string }): Action =>
  endpointAction(name, operation, selectedFields, async (tx, { id, time_zone }, form) => {
    const selection = parseSelection(form, time_zone);
    const { workflowId, matched } = await command(tx, id, selection);
    if (workflowId === null) return { to: endpointPath(id), text: words.nothing };
    const shown = name === 'recover' ? selectionQuery({ ...selection, until: selection.until ?? tx.now }) : {};
    return { to: href(pathTo.replay(id, workflowId), { ...shown, matched: String(matched) }), text: words.begun(matched), started: workflowId };
  });

/** All actions of the console. */
export const actions: readonly Action[] = [
  deliveryAction('retry', 'retryDeliveryNow', 'An attempt was requested; it starts immediately.', retryDeliveryNow),
  deliveryAction('replay', 'replayDelivery', 'The delivery is sent again.', (tx, id) => replayDelivery(tx, id, undefined)),
  deliveryAction('cancel', 'cancelDelivery', 'The delivery is cancelled.', cancelDelivery),
  statusAction('pause', 'paused', () => 'The endpoint is paused: its deliveries are held until it is resumed.'),
  statusAction('resume', 'active', resumedText),
  sendAgainAction('replay-dead', 'replayDeadDeliveries', replayDeadDeliveries, {
    nothing: 'There was nothing to replay.',
    begun: (matched) => `The replay of ${plural(matched, 'delivery')} has begun.`,
  }),
  sendAgainAction('recover', 'recoverDeliveries', recoverDeliveries, {
    nothing: 'There was nothing to recover.',
    begun: (matched) => `The recovery of ${plural(matched, 'event')} has begun.`,
  }),
  ...staffActions,
];

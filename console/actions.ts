import { findSupportedDelivery } from '../db/repositories/support/delivery';
import { findSupportedEndpoint } from '../db/repositories/support/endpoints';
import type { Actor, Operation, Transaction } from '../domain/context';
import { DomainError } from '../domain/errors';
import { transact } from '../domain/transact';
import { cancelDelivery } from '../domain/webhooks/cancelDelivery';
import { replayDeadDeliveries } from '../domain/webhooks/replayDeadDeliveries';
import { replayDelivery } from '../domain/webhooks/replayDelivery';
import { retryDeliveryNow } from '../domain/webhooks/retryDeliveryNow';
import { updateEndpoint } from '../domain/webhooks/updateEndpoint';
import { requireSince } from './pages/replayDead';
import { plural } from './format';
import { href, idOf, pathTo, type Visit } from './consoleRequest';

/** What an action came to: which page follows, and what it says. */
export interface Done {
  to: string;
  text: string;
}

/** Something that a button does. A rule's refusal is told on the page `back`. */
export interface Action {
  path: string;
  back: (id: string) => string;
  run: (visit: Visit, form: URLSearchParams) => Promise<Done>;
}

type Work<Result> = (tx: Transaction, id: string) => Promise<Result>;

/** Everybody at the support desk signs in with the platform's token. */
const support: Actor = { kind: 'platform', id: 'console' };

/** What the audit log is to tell of an action: the operation of the platform API that does the same, at the console's path. */
const operationOf = (id: string, path: string, target: string, changed: readonly string[] = []): Operation => ({
  id, method: 'POST', path: `/console${path.replace(':id', '{id}')}`, target: { id: target }, changed,
});

/** Runs a command for the institution whose delivery or endpoint it is. */
async function forInstitutionOf<Result>({ desk, now, requestId }: Visit, owner: { institution_id: string } | undefined, id: string, operation: Operation, work: Work<Result>): Promise<Result> {
  if (owner === undefined) throw new DomainError('not_found', `There is no ${id}.`);
  const caller = { institutionId: owner.institution_id, actor: support, requestId, now, operation };
  return transact(desk.domain, caller, (tx) => work(tx, id));
}

function onDelivery(name: string, operation: string, text: string, work: Work<unknown>): Action {
  const back = (id: string): string => href(pathTo.delivery(id));
  const path = `/deliveries/:id/${name}`;
  return {
    path,
    back,
    run: async (visit) => {
      const id = idOf(visit);
      await forInstitutionOf(visit, await findSupportedDelivery(visit.desk.domain.database.sql, id), id, operationOf(operation, path, id), work);
      return { to: back(id), text };
    },
  };
}

const backToEndpoint = (id: string): string => href(pathTo.endpoint(id));

function onEndpoint(name: string, operation: string, changed: readonly string[], work: (tx: Transaction, id: string, form: URLSearchParams) => Promise<Done>): Action {
  const path = `/endpoints/:id/${name}`;
  return {
    path,
    back: backToEndpoint,
    run: async (visit, form) => {
      const id = idOf(visit);
      const owner = await findSupportedEndpoint(visit.desk.domain.database.sql, id);
      return forInstitutionOf(visit, owner, id, operationOf(operation, path, id, changed), (tx) => work(tx, id, form));
    },
  };
}

async function replayDead(tx: Transaction, id: string, form: URLSearchParams): Promise<Done> {
  const { workflowId, matched } = await replayDeadDeliveries(tx, id, requireSince(form.get('since')));
  if (workflowId === null) return { to: backToEndpoint(id), text: 'There was nothing to replay.' };
  return {
    to: href(`${pathTo.endpoint(id)}/replays/${encodeURIComponent(workflowId)}`, { matched: String(matched) }),
    text: `The replay of ${plural(matched, 'delivery')} has begun.`,
  };
}

/** Everything that the console does. */
export const actions: readonly Action[] = [
  onDelivery('retry', 'retryDeliveryNow', 'An attempt was asked for; it is made at once.', retryDeliveryNow),
  onDelivery('replay', 'replayDelivery', 'The delivery is sent anew.', (tx, id) => replayDelivery(tx, id, undefined)),
  onDelivery('cancel', 'cancelDelivery', 'The delivery is cancelled.', cancelDelivery),
  onEndpoint('pause', 'updateWebhookEndpoint', ['status'], async (tx, id) => {
    await updateEndpoint(tx, id, { status: 'paused' });
    return { to: backToEndpoint(id), text: 'The endpoint is paused: its deliveries are held until it is resumed.' };
  }),
  onEndpoint('resume', 'updateWebhookEndpoint', ['status'], async (tx, id) => {
    await updateEndpoint(tx, id, { status: 'active' });
    return { to: backToEndpoint(id), text: 'The endpoint is active: what was held goes out, oldest first.' };
  }),
  onEndpoint('replay-dead', 'replayDeadDeliveries', ['since'], replayDead),
];

import { appendAuditEntry } from '../../db/repositories/auditLog/auditLog';
import type { InstitutionScope } from '../../db/database';
import type { EndpointEntity } from '../../db/entities/endpoint';
import type { RecordedAttempt } from '../../db/repositories/webhooks/attempts';
import { countAttemptsSince, lockEndpoint, updateEndpointRow, type EndpointReference } from '../../db/repositories/webhooks/endpoints';
import { lockInstitution } from '../../db/repositories/institutions/institutions';
import type { Domain, Transaction } from '../context';
import { newId } from '../ids';
import { transact } from '../transact';
import { goneStatusCode } from './classifyAttempt';
import { endEndpointDeliveries } from './endDeliveries';
import { firstFailureOf } from './firstFailure';

const hour = 3_600_000;

/** How long an endpoint must fail before it is disabled, in ms, not counting pauses. */
export const disableAfterMs = 72 * hour;

/** Minimum number of attempts in the last day: few failures of a quiet endpoint prove little. */
const minAttemptsToDisable = 10;
const dayMs = 24 * hour;

/** The attempts without which an endpoint is neither disabled nor warned of. */
export const attemptsToDisable = { minAttempts: minAttemptsToDisable, withinMs: dayMs } as const;

const reasons = {
  gone: 'The receiver responded with 410 Gone.',
  failing: 'No attempt has succeeded for 72 hours.',
} as const;

/** Returns when a failing endpoint will be disabled; undefined if it is not failing, or its clock is paused. */
export function disableTimeOf({ status, failingSince, clockPausedSince, deletedAt }: Pick<EndpointEntity, 'status' | 'failingSince' | 'clockPausedSince' | 'deletedAt'>): Date | undefined {
  if (status !== 'active' || failingSince === null || clockPausedSince !== null || deletedAt !== null) return undefined;
  return new Date(failingSince.getTime() + disableAfterMs);
}

/** Returns how many attempts at an endpoint were made lately, up to those without which it is neither disabled nor warned of. */
export const countRecentAttempts = (scope: InstitutionScope, endpointId: string, now: Date): Promise<number> =>
  countAttemptsSince(scope, endpointId, new Date(now.getTime() - attemptsToDisable.withinMs), attemptsToDisable.minAttempts);

/** Whether so many attempts at an endpoint were made lately that it may be disabled or warned of. */
export const hasEnoughAttempts = async (tx: Transaction, endpointId: string, now: Date): Promise<boolean> =>
  (await countRecentAttempts(tx, endpointId, now)) >= attemptsToDisable.minAttempts;

type TransactionDeps = Pick<Domain, 'database' | 'secrets' | 'onCommitted'>;

/** What the audit log calls the disabling of an endpoint for each reason. */
const auditedAs = { gone: 'disableGoneEndpoint', failing: 'disableFailingEndpoint' } as const satisfies Record<keyof typeof reasons, string>;

const recordDisabling = (tx: Transaction, id: string, reason: keyof typeof reasons): Promise<void> =>
  appendAuditEntry(tx, {
    id: newId('aud'),
    actor_kind: 'system',
    actor_id: 'webhooks',
    actor_name: null,
    operation: auditedAs[reason],
    method: 'PATCH',
    path: 'webhook-endpoint',
    target: { id },
    changed: ['status'],
    request_id: newId('req'),
  });

/** Disables an endpoint: its open deliveries become dead, the audit log has it as done by the service, the event `endpoint.disabled` is emitted, and the institution's admin is notified by email. No-op if disabled or deleted. */
async function disable(tx: Transaction, id: string, reason: keyof typeof reasons, isDue: (endpoint: EndpointEntity) => boolean | Promise<boolean>): Promise<boolean> {
  await lockInstitution(tx);
  const endpoint = await lockEndpoint(tx, id);
  if (endpoint === undefined || endpoint.status === 'disabled' || !(await isDue(endpoint))) return false;
  const running = { pausedAt: null, clockPausedSince: null, circuit: 'closed', circuitOpenedAt: null, probeAt: null } as const;
  const noWarning = { warnedPercent: null, warnedFailingSince: null, warnedSuccessAt: null };
  await updateEndpointRow(tx, id, { ...running, ...noWarning, status: 'disabled', disabledReason: reasons[reason] }, tx.now);
  await endEndpointDeliveries(tx, id, 'endpoint_disabled');
  await recordDisabling(tx, id, reason);
  tx.emit('endpoint.disabled', { endpoint_id: id, reason, failing_since: firstFailureOf(endpoint)?.toISOString() ?? null });
  // At most one email per day, regardless of how often the endpoint is reactivated and disabled again.
  tx.startWorkflow('endpointDisabledNotice', `${id}:disabled:${tx.now.toISOString().slice(0, 10)}`, { endpointId: id, institutionId: tx.institutionId });
  return true;
}

/** Disables the endpoint of an attempt with the response 410, unless the endpoint was changed after the attempt began; no-op for any other attempt. */
export async function disableGoneEndpoint(
  domain: TransactionDeps,
  { endpoint_id, institution_id, response_code, started_at, ended_at }: Pick<RecordedAttempt, 'endpoint_id' | 'institution_id' | 'response_code' | 'started_at' | 'ended_at'>,
): Promise<void> {
  if (response_code !== goneStatusCode) return;
  await transact(domain, { institutionId: institution_id, now: ended_at }, (tx) => disable(tx, endpoint_id, 'gone', ({ updatedAt }) => updatedAt <= started_at));
}

/** Disables an active endpoint that has failed for 72 hours, with at least 10 attempts in the last 24; returns whether it did. */
export function disableFailingEndpoint(domain: TransactionDeps, { endpointId, institutionId }: EndpointReference, now: Date): Promise<boolean> {
  return transact(domain, { institutionId, now }, (tx) =>
    disable(tx, endpointId, 'failing', async ({ status, failingSince, clockPausedSince }) => {
      if (status !== 'active' || clockPausedSince !== null || failingSince === null || now.getTime() - failingSince.getTime() < disableAfterMs) return false;
      return hasEnoughAttempts(tx, endpointId, now);
    }),
  );
}

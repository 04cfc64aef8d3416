import { lockEndpoint, type EndpointReference } from '../../db/repositories/webhooks/endpoints';
import { readLastAttempt, recordWarning } from '../../db/repositories/webhooks/endpointWarnings';
import { warningPercents, type WarningPercent } from '../../db/repositories/webhooks/warningPercents';
import { lockInstitution } from '../../db/repositories/institutions/institutions';
import type { Domain } from '../context';
import { endpointNoticeWorkflowId } from '../outbox/workflows';
import { transact } from '../transact';
import { disableAfterMs, hasEnoughAttempts } from './disableEndpoint';
import { firstFailureOf } from './firstFailure';

type TransactionDeps = Pick<Domain, 'database' | 'secrets' | 'onCommitted'>;

/** Returns the highest threshold that an endpoint has passed which has failed for this time, in ms; undefined before the first. */
const passedThreshold = (failedForMs: number): WarningPercent | undefined => warningPercents.findLast((percent) => failedForMs >= (disableAfterMs * percent) / 100);

/**
 * Warns the owner of a failing endpoint that it will be disabled, by an event and an email, at the highest threshold that it has
 * passed; returns whether it did. No-op if that was warned of before, or if too few attempts were made for it to be disabled.
 */
export function warnOfFailingEndpoint(domain: TransactionDeps, { endpointId, institutionId }: EndpointReference, now: Date): Promise<boolean> {
  return transact(domain, { institutionId, now }, async (tx) => {
    await lockInstitution(tx);
    const endpoint = await lockEndpoint(tx, endpointId);
    if (endpoint?.status !== 'active' || endpoint.clockPausedSince !== null || endpoint.failingSince === null) return false;
    const { failingSince, lastSuccessAt, warnedPercent, consecutiveFailures } = endpoint;
    const disableAt = new Date(failingSince.getTime() + disableAfterMs);
    const percent = passedThreshold(now.getTime() - failingSince.getTime());
    if (percent === undefined || percent <= (warnedPercent ?? 0) || disableAt <= now) return false;
    if (!(await hasEnoughAttempts(tx, endpointId, now))) return false;
    const firstFailure = firstFailureOf(endpoint) ?? failingSince;
    await recordWarning(tx, endpointId, { percent, failingSince: firstFailure, lastSuccessAt });
    tx.emit('endpoint.failing', {
      endpoint_id: endpointId,
      percent,
      failing_since: firstFailure.toISOString(),
      disable_at: disableAt.toISOString(),
      consecutive_failures: consecutiveFailures,
      ...(await readLastAttempt(tx, endpointId)),
    });
    const notice = { kind: 'failing', endpointId, institutionId, percent, failingSinceMs: firstFailure.getTime(), atMs: disableAt.getTime() } as const;
    tx.startWorkflow('endpointHealthNotice', endpointNoticeWorkflowId(notice), notice);
    return true;
  });
}

/**
 * Forgets the warning of an endpoint that no longer fails; returns whether it did. If the endpoint has accepted a delivery since,
 * its owner is notified by an event and an email.
 */
export function endWarning(domain: TransactionDeps, { endpointId, institutionId }: EndpointReference, now: Date): Promise<boolean> {
  return transact(domain, { institutionId, now }, async (tx) => {
    await lockInstitution(tx);
    const endpoint = await lockEndpoint(tx, endpointId);
    const percent = warningPercents.find((known) => known === endpoint?.warnedPercent);
    if (endpoint === undefined || percent === undefined || endpoint.warnedFailingSince === null) return false;
    const { failingSince, lastSuccessAt, warnedFailingSince, warnedSuccessAt } = endpoint;
    const recoveredAt = lastSuccessAt?.getTime() === warnedSuccessAt?.getTime() ? null : lastSuccessAt;
    if (failingSince !== null && recoveredAt === null) return false;
    await recordWarning(tx, endpointId, { percent: null, failingSince: null, lastSuccessAt: null });
    if (recoveredAt === null) return true;
    tx.emit('endpoint.recovered', { endpoint_id: endpointId, percent, failing_since: warnedFailingSince.toISOString(), recovered_at: recoveredAt.toISOString() });
    const notice = { kind: 'recovered', endpointId, institutionId, percent, failingSinceMs: warnedFailingSince.getTime(), atMs: recoveredAt.getTime() } as const;
    tx.startWorkflow('endpointHealthNotice', endpointNoticeWorkflowId(notice), notice);
    return true;
  });
}

import { recordSuccesses, updateLastSuccesses, type RecordedAttempt } from '../../db/repositories/webhooks/attempts';
import type { ClaimedDelivery } from '../../db/repositories/webhooks/sending';
import type { Domain } from '../../domain/context';
import { classifyAttempt, type AttemptOutcome, type AttemptReason } from '../../domain/webhooks/classifyAttempt';
import { disableGoneEndpoint } from '../../domain/webhooks/disableEndpoint';
import { endPrunedDelivery } from '../../domain/webhooks/endWithoutAttempt';
import { releaseHeld, writeFailures } from '../../domain/webhooks/recordAttempts';
import type { WebhookClient } from '../../outbound/webhooks/webhookClient';
import type { AttemptConcurrency } from './attemptConcurrency';
import { postDelivery } from './postDelivery';

/** The dependencies of an attempt by an activity. */
export interface AttemptDeps {
  domain: Domain;
  client: WebhookClient;
  /** Counts each recorded attempt. */
  metrics: { observeAttempts(attempts: readonly RecordedAttempt[]): void };
  /** Shared by all activities of the worker. */
  attemptConcurrency: AttemptConcurrency;
}

/** Attempts a claimed delivery and records the attempt with its consequences; returns undefined, and marks the delivery as dead, if its event was pruned. */
export async function attemptClaimed(
  { domain, client, metrics, attemptConcurrency }: AttemptDeps,
  delivery: ClaimedDelivery,
  { claimedBy, reason, now }: { claimedBy: string; reason: AttemptReason; now: Date },
): Promise<AttemptOutcome | undefined> {
  if (delivery.traced_body === null) {
    await endPrunedDelivery(domain, delivery);
    return undefined;
  }
  const outcome = await postDelivery(client, domain.secrets, delivery, now);
  attemptConcurrency.recordDuration(delivery.endpoint_id, outcome.durationMs);
  const attempt = classifyAttempt(delivery, reason, now, outcome, Math.random());
  await write(domain, attempt, claimedBy);
  metrics.observeAttempts([attempt]);
  await disableGoneEndpoint(domain, attempt);
  return outcome;
}

async function write({ database, onCommitted }: Domain, attempt: RecordedAttempt, claimedBy: string): Promise<void> {
  const { sql } = database;
  if (attempt.status === 'delivered') {
    await recordSuccesses(sql, [attempt], claimedBy);
    const { closed } = await updateLastSuccesses(sql, [attempt], 0);
    for (const endpointId of closed) {
      if ((await releaseHeld(sql, endpointId, attempt.ended_at, () => onCommitted(['deliveries']))) > 0) onCommitted(['workflows']);
    }
    return;
  }
  if ((await writeFailures(sql, [attempt], claimedBy)) > 0) onCommitted(['workflows']);
}

import type { RecordedAttempt } from '../../db/repositories/webhooks/attempts';
import type { ClaimedDelivery } from '../../db/repositories/webhooks/sending';
import type { Domain } from '../../domain/context';
import { judgeAttempt, type AttemptReason } from '../../domain/webhooks/classifyAttempt';
import { disableGoneEndpoint } from '../../domain/webhooks/disableEndpoint';
import { endPruned } from '../../domain/webhooks/endWithoutAttempt';
import { letHeldGo, noteRecoveries, writeFailures, writeSuccesses } from '../../domain/webhooks/recordAttempts';
import type { AttemptOutcome, WebhookClient } from '../../outbound/webhooks/webhookClient';
import type { Places } from './attemptConcurrency';
import { postDelivery } from './postDelivery';

/** What an attempt of an activity is made with. */
export interface AttemptParts {
  domain: Domain;
  client: WebhookClient;
  /** Counts each attempt that was recorded. */
  metrics: { observeAttempts(attempts: readonly RecordedAttempt[]): void };
  /** Shared by all activities of the worker. */
  places: Places;
}

/** Attempts a claimed delivery, writes the attempt and all that follows from it; one whose event was pruned is dead, and undefined answered. */
export async function attemptClaimed(
  { domain, client, metrics, places }: AttemptParts,
  delivery: ClaimedDelivery,
  { claimedBy, reason, now }: { claimedBy: string; reason: AttemptReason; now: Date },
): Promise<AttemptOutcome | undefined> {
  if (delivery.body === null) {
    await endPruned(domain, delivery);
    return undefined;
  }
  const outcome = await postDelivery(client, domain.secrets, delivery, now);
  places.notePosted(delivery.endpoint_id, outcome.durationMs);
  const attempt = judgeAttempt(delivery, reason, now, outcome, Math.random());
  await write(domain, attempt, claimedBy);
  metrics.observeAttempts([attempt]);
  await disableGoneEndpoint(domain, attempt);
  return outcome;
}

async function write({ database, onCommitted }: Domain, attempt: RecordedAttempt, claimedBy: string): Promise<void> {
  const { sql } = database;
  if (attempt.status === 'delivered') {
    await writeSuccesses(sql, [attempt], claimedBy);
    for (const endpointId of await noteRecoveries(sql, [attempt])) {
      if ((await letHeldGo(sql, endpointId, () => onCommitted(['deliveries']))) > 0) onCommitted(['workflows']);
    }
    return;
  }
  if ((await writeFailures(sql, [attempt], claimedBy)) > 0) onCommitted(['workflows']);
}

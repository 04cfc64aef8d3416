import { storeEvents } from '../../db/repositories/attempts/feed';
import { lockOwnAttempt } from '../../db/repositories/attempts/attempts';
import { touchSubmissionOfAttempt } from '../../db/repositories/submissions/changes';
import type { Transaction } from '../context';
import { DomainError, requireFound } from '../errors';
import { feedBounds, type SentEvent } from './feedTypes';
import { requireWithinGrace } from './timeRules';

/** The result of a batch: events that it stored, and events stored before. */
export interface RecordedEvents {
  stored: number;
  repeated: number;
}

/**
 * Stores a batch of proctoring events of a student's attempt, each id once, with `at` from the app's clock (platform API,
 * POST /app/attempts/{id}/events). Events after the submission update its last change. `not_found` for an attempt of
 * another student; `conflict` later than 24 hours after its end and above 20,000 events; then nothing of the batch is
 * stored.
 */
export async function recordEvents(tx: Transaction, attemptId: string, studentId: string, events: readonly SentEvent[]): Promise<RecordedEvents> {
  const attempt = requireFound(await lockOwnAttempt(tx, attemptId, studentId), 'attempt');
  requireWithinGrace(attempt, tx.now);
  const { stored, total } = await storeEvents(tx, attempt.id, events.map(({ id, type, at, detail = null }) => ({ id, type, at, detail })));
  if (stored > 0 && total > feedBounds.attempt) throw new DomainError('conflict', `An attempt can have at most ${feedBounds.attempt} events.`);
  if (stored > 0 && attempt.ended_at !== null) await touchSubmissionOfAttempt(tx, attempt.id, tx.now);
  return { stored, repeated: events.length - stored };
}

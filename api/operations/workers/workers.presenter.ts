import type { WorkerState } from '../../../domain/support/workerState';
import { isoOrNull } from '../../http/request/fields';
import type { WorkersResponse } from './workers.schemas';

/** Whether workers work, and what waits for them. */
export const presentWorkers = ({ isPolling, lastPollAt, waiting }: WorkerState): WorkersResponse => ({
  polling: isPolling ?? null,
  last_poll_at: isoOrNull(lastPollAt),
  oldest_event_seconds: Math.round(waiting.eventQueueAge),
  oldest_pending_delivery_seconds: Math.round(waiting.pendingAge),
  oldest_rate_limited_seconds: Math.round(waiting.limitedAge),
  oldest_unsent_workflow_seconds: Math.round(waiting.outboxAge),
  open_circuits: waiting.openCircuits,
});

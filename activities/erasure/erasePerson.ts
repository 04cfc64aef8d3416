import type { Domain } from '../../domain/context';
import { endErasure, eraseStoreChunk, type ErasureReference, type ErasureStep } from '../../domain/erasure/eraseStore';
import type { StoreActivity, StoreName } from '../../domain/erasure/stores';
import { activityNow } from '../activityNow';
import { withHeartbeats } from '../heartbeats';

type EraseStore = (erasure: ErasureReference, place: string, nowMs: number) => Promise<ErasureStep>;

/** The activities of an erasure. `place` is where the chunk begins, '' for the first; `nowMs` is the workflow's time. All are idempotent. */
export type ErasureActivities = Record<StoreActivity, EraseStore> & {
  /** Writes the certificate. */
  endErasure(erasure: ErasureReference, nowMs: number): Promise<void>;
};

/** Returns the activities of the erasure. */
export function createErasureActivities(domain: Domain): ErasureActivities {
  const now = ({ institutionId }: ErasureReference, nowMs: number): Promise<Date> => activityNow(domain.database.sql, institutionId, nowMs);
  const eraser =
    (store: StoreName): EraseStore =>
    (erasure, place, nowMs) =>
      withHeartbeats(async () => eraseStoreChunk(domain, erasure, store, place, await now(erasure, nowMs)));
  return {
    eraseLoginEmail: eraser('login_email'),
    eraseSessions: eraser('sessions'),
    eraseSignInCodes: eraser('sign_in_codes'),
    eraseSignInHistory: eraser('sign_ins'),
    eraseDevices: eraser('devices'),
    eraseFiles: eraser('files'),
    eraseExports: eraser('exports'),
    eraseSubmissionTexts: eraser('submissions'),
    eraseProctoringDetails: eraser('proctoring'),
    eraseNotes: eraser('notes'),
    eraseWaitingEmails: eraser('emails'),
    eraseKeptEmails: eraser('kept_emails'),
    eraseBulkCallRows: eraser('bulk_calls'),
    eraseEventPayloads: eraser('events'),
    eraseWebhookResponses: eraser('webhook_responses'),
    eraseStoredResponses: eraser('stored_responses'),
    endErasure: async (erasure, nowMs) => endErasure(domain, erasure, await now(erasure, nowMs)),
  };
}

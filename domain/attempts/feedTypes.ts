/** Event types that only the service writes to an attempt's feed (section Attempt and proctoring events). */
export const serviceEventTypes = ['attempt_started', 'attempt_resumed', 'attempt_abandoned', 'hidden_tests_released', 'submitted'] as const;

/** Event types that apps write without a required detail. */
export const plainEventTypes = [
  'focus_lost', 'screen_locked', 'screen_unlocked', 'system_suspend', 'system_resume',
  'recording_started', 'recording_stopped', 'recorder_error', 'segment_uploaded', 'segment_upload_failed',
] as const;

/** Event types that apps write with a detail. */
export const detailedEventTypes = ['focus_gained', 'sample_tests_run'] as const;

/** Prefix of the ids of the service's own feed rows. */
export const serviceIdPrefix = 'service:';

/** Limits of what apps write: events per call and per attempt, bytes and depth of a detail; and how many resumptions are recorded. */
export const feedBounds = { batch: 500, attempt: 20_000, detail: { bytes: 4 * 1024, levels: 5 }, idLength: 100, resumes: 1_000 } as const;

/** A proctoring event as an app sends it. */
export interface SentEvent {
  /** Chosen by the client, unique per attempt. */
  id: string;
  type: (typeof plainEventTypes)[number] | (typeof detailedEventTypes)[number];
  at: Date;
  detail?: object | null | undefined;
}

/** What the service itself writes into an attempt's feed (section Attempt and proctoring events); apps may not. */
export const serviceEventTypes = ['attempt_started', 'attempt_resumed', 'attempt_abandoned', 'hidden_tests_released', 'submitted'] as const;

/** What apps write, where no detail is asked for. */
export const plainEventTypes = [
  'focus_lost', 'screen_locked', 'screen_unlocked', 'system_suspend', 'system_resume',
  'recording_started', 'recording_stopped', 'recorder_error', 'segment_uploaded', 'segment_upload_failed',
] as const;

/** What apps write with a detail of its own. */
export const detailedEventTypes = ['focus_gained', 'sample_tests_run'] as const;

/** What the ids of the service's own rows begin with. */
export const serviceIdPrefix = 'service:';

/** Bounds of what apps write: events in a call and in an attempt, bytes and levels of a detail; and how often a resumption is noted. */
export const feedBounds = { batch: 500, attempt: 20_000, detail: { bytes: 4 * 1024, levels: 5 }, idLength: 100, resumes: 1_000 } as const;

/** A proctoring event as an app sends it. */
export interface SentEvent {
  /** The client's, unique in the attempt. */
  id: string;
  type: (typeof plainEventTypes)[number] | (typeof detailedEventTypes)[number];
  at: Date;
  detail?: object | null | undefined;
}

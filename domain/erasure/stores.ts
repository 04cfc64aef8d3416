/**
 * The stores that an erasure goes through, in this order: what the Web UI calls each, and the activity that erases it. A store
 * that is added or moved changes what running workflows do next: use `patched`.
 */
export const stores = {
  login_email: { title: 'the login email', activity: 'eraseLoginEmail' },
  sessions: { title: 'sessions', activity: 'eraseSessions' },
  sign_in_codes: { title: 'sign-in codes', activity: 'eraseSignInCodes' },
  sign_ins: { title: 'the history of sign-ins', activity: 'eraseSignInHistory' },
  devices: { title: 'devices', activity: 'eraseDevices' },
  files: { title: 'files and recordings', activity: 'eraseFiles' },
  exports: { title: 'exports', activity: 'eraseExports' },
  submissions: { title: 'texts of submissions', activity: 'eraseSubmissionTexts' },
  proctoring: { title: 'details of proctoring events', activity: 'eraseProctoringDetails' },
  notes: { title: 'notes on merits, points and license', activity: 'eraseNotes' },
  emails: { title: 'waiting emails', activity: 'eraseWaitingEmails' },
  kept_emails: { title: 'emails that a sandbox kept', activity: 'eraseKeptEmails' },
  bulk_calls: { title: 'rows of bulk calls', activity: 'eraseBulkCallRows' },
  events: { title: 'payloads of events', activity: 'eraseEventPayloads' },
  webhook_responses: { title: 'responses of webhook receivers', activity: 'eraseWebhookResponses' },
  stored_responses: { title: 'responses stored for idempotency keys', activity: 'eraseStoredResponses' },
} as const;
export type StoreName = keyof typeof stores;
export type StoreActivity = (typeof stores)[StoreName]['activity'];

const isStoreName = (name: string): name is StoreName => Object.hasOwn(stores, name);

export const storeNames: readonly StoreName[] = Object.keys(stores).filter(isStoreName);

/** What is gone with the call itself, before the stores. */
export const removedAtOnce = ['profile', 'guardian_links'] as const;

/** The steps of an erasure: those of the call, then one for each store. */
export const erasureSteps = removedAtOnce.length + storeNames.length;

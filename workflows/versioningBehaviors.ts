import type { VersioningBehavior } from '@temporalio/common';
import type * as workflows from './index';

/** It waits for people, receivers or times, up to years: it continues with the workers of a new version, so a change of it needs `patched`. */
const waits = 'AUTO_UPGRADE';
/** It works through rows and ends in minutes: it ends with the version that it began with, whose workers stay until then. */
const works = 'PINNED';

/** Where the workflows of each type continue once another version of the workers is current. */
export const versioningBehaviors: Record<keyof typeof workflows, VersioningBehavior> = {
  webhookDelivery: waits,
  endpointBacklog: waits,
  endpointDisabledNotice: waits,
  endpointHealthNotice: waits,
  examNotification: waits,
  weeklyReportLetters: waits,
  attemptExpiry: waits,
  guardianInvitation: waits,
  developerInvitation: waits,
  couponBatchApproval: waits,
  institutionOffboarding: waits,
  // One activity, for hours where there are many recordings.
  personExport: waits,
  // Hours, with the list of tables that the newest release seals.
  reseal: waits,
  rowFill: waits,
  // With millions of rows a pass may take hours.
  licenseExpirySweep: waits,
  eventRetention: waits,
  deliveryRetention: waits,
  institutionRetention: waits,
  housekeeping: waits,
  weeklyGuardianReport: waits,
  bulkProvisioning: works,
  bulkReplay: works,
  endpointRecovery: works,
  sandboxClockAdvance: works,
  sandboxReset: works,
  // Its steps are the list of stores of its release.
  personErasure: works,
};

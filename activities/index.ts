import type { PrunedKind } from '../domain/retention/pruneExpired';
import { createKeyedSemaphore } from '../lib/keyedSemaphore';
import type { Mailer } from '../outbound/mail/mailer';
import type { EndWorkflows } from '../outbound/temporal/endWorkflows';
import { createCouponActivities } from './coupons/reviewBatches';
import { createDeveloperInvitationActivities } from './developers/invite';
import { createErasureActivities } from './erasure/erasePerson';
import { createAttemptActivities } from './exams/expireAttempts';
import { createExamNoticeActivities } from './exams/notify';
import { createExportActivities } from './exports/exportPerson';
import { createInvitationActivities } from './guardians/invite';
import { createLicenseActivities } from './licenses/expireLicenses';
import { createProvisioningActivities } from './provisioning/provisionChunk';
import { createReportActivities } from './reports/reports';
import { createRetentionActivities } from './retention/retention';
import { createClockAdvanceActivities } from './sandbox/advanceClock';
import { createSandboxActivities } from './sandbox/resetSandbox';
import { createOffboardingActivities } from './offboarding/offboardInstitution';
import { createFillActivities } from './fills/fills';
import { createResealActivities } from './secrets/reseal';
import { type AttemptDeps } from './webhooks/attemptDelivery';
import { createBacklogActivities } from './webhooks/backlog';
import { createNoticeActivities } from './webhooks/disabledNotice';
import { createHealthNoticeActivities } from './webhooks/healthNotice';
import { createRecoveryActivities } from './webhooks/recoverEndpoint';
import { createReplayActivities } from './webhooks/replayDead';
import { createRetryActivities } from './webhooks/retryDelivery';

/** The dependencies of all activities. */
export interface ActivityDeps extends AttemptDeps {
  mailer: Pick<Mailer, 'send'>;
  /** Called for each failed chunk of housekeeping. */
  onPruneFailed: (kind: PrunedKind, error: unknown) => void;
  /** The portal that guardians' invitations link to. */
  guardianPortalUrl: string;
  /** The portal that developers' invitations link to. */
  portalUrl: string;
  /** The folder of archives until they are complete. */
  spoolFolder: string;
  /** Whether the disks have free space for archives. */
  hasSpace: () => Promise<boolean>;
  /** Terminates the workflows of institutions that have left. */
  endWorkflows: EndWorkflows;
  /** The mailbox of the platform's admins; null if they have none. */
  platformAdminEmail: string | null;
}

/** How long emails of one exam or week wait for a mailer slot, in ms; then their activity is retried. */
const mailerWaitMs = 60_000;

/** Returns every activity that the worker hosts; a new concern is one line here. */
export function createActivities(parts: ActivityDeps): object {
  const { domain } = parts;
  const mailerSemaphore = createKeyedSemaphore(1, mailerWaitMs);
  return {
    ...createRetryActivities(parts),
    ...createBacklogActivities(parts),
    ...createNoticeActivities(domain, parts.mailer),
    ...createHealthNoticeActivities(domain, parts.mailer),
    ...createLicenseActivities(domain),
    ...createAttemptActivities(domain),
    ...createExamNoticeActivities(domain, parts.mailer, mailerSemaphore),
    ...createReportActivities(domain, parts.mailer, mailerSemaphore),
    ...createCouponActivities(domain, parts.mailer, parts.platformAdminEmail),
    ...createInvitationActivities(domain, parts.mailer, parts.guardianPortalUrl),
    ...createDeveloperInvitationActivities(domain, parts.mailer, parts.portalUrl),
    ...createClockAdvanceActivities(domain),
    ...createProvisioningActivities(domain),
    ...createReplayActivities(domain),
    ...createRecoveryActivities(domain),
    ...createRetentionActivities(domain, parts.onPruneFailed),
    ...createSandboxActivities(domain),
    ...createErasureActivities(domain),
    ...createOffboardingActivities(parts),
    ...createResealActivities(domain),
    ...createFillActivities(domain),
    ...createExportActivities({ ...domain, spoolFolder: parts.spoolFolder, hasSpace: parts.hasSpace }),
  };
}

import { readOffboardingNotice } from '../../db/repositories/offboarding/notice';
import type { Domain } from '../../domain/context';
import { beginErasure, endErasure, eraseOffboardedChunk, type EndState, type OffboardingReference, type OffboardingState, type OffboardingStep } from '../../domain/offboarding/eraseInstitution';
import { offboardingEmail } from '../../domain/offboarding/offboardingEmail';
import { writeArchive } from '../../domain/offboarding/writeArchive';
import { recipientOf } from '../../domain/emails/emailPurpose';
import { openEmail } from '../../domain/people/personalEmail';
import type { Mailer } from '../../outbound/mail/mailer';
import type { EndWorkflows } from '../../outbound/temporal/endWorkflows';
import { realNow } from '../activityNow';
import { createEmailSender } from '../emails/emailSender';
import { sendEmail } from '../emails/sendEmail';
import { withHeartbeats } from '../heartbeats';

export type { EndState, OffboardingState, OffboardingStep };

/** The activity that sends the email of an offboarding. */
export interface OffboardingNoticeActivities {
  /** Emails the institution's admin, unless it was cancelled or there is no admin; `refused` if the mail server permanently refuses the email. */
  sendOffboardingNotice(offboarding: OffboardingReference): Promise<'sent' | 'refused' | 'nobody'>;
}

/** The activities of an offboarding. `nowMs` is the workflow's time. All are idempotent. */
export interface OffboardingActivities extends OffboardingNoticeActivities {
  /** Writes the archive with everything of the institution. */
  exportInstitution(offboarding: OffboardingReference, nowMs: number): Promise<void>;
  /** Begins the erasure if its time has come. */
  beginInstitutionErasure(offboarding: OffboardingReference, nowMs: number): Promise<OffboardingState>;
  /** Terminates the running workflows of these institutions; returns how many. */
  endInstitutionWorkflows(institutionIds: readonly string[]): Promise<number>;
  /** Erases one chunk, beginning at a place; '' for the first. */
  eraseInstitutionChunk(offboarding: OffboardingReference, place: string, nowMs: number): Promise<OffboardingStep>;
  /** Deletes the empty institution and writes the certificate; `more` if rows came in between. */
  endInstitutionErasure(offboarding: OffboardingReference, nowMs: number): Promise<EndState>;
}

/** What the activities need in addition to the domain. */
export interface OffboardingDeps {
  domain: Domain;
  mailer: Pick<Mailer, 'send'>;
  endWorkflows: EndWorkflows;
  spoolFolder: string;
  /** Whether the disks have free space for archives. */
  hasSpace: () => Promise<boolean>;
}

/** Returns the activities of an offboarding. Its times are real ones: a sandbox, which has a clock of its own, leaves with its institution. */
export function createOffboardingActivities({ domain, mailer, endWorkflows, spoolFolder, hasSpace }: OffboardingDeps): OffboardingActivities {
  const sender = createEmailSender(domain, mailer);
  return {
    sendOffboardingNotice: async ({ institutionId, number }) => {
      const notice = await readOffboardingNotice(domain.database.sql, institutionId, number);
      if (notice === undefined) return 'nobody';
      const to = openEmail(domain.secrets, { institutionId, userId: notice.admin_id }, notice.admin_email_sealed);
      return sendEmail(sender, offboardingEmail({ ...notice, to }), { institutionId, kind: 'offboarding', recipient: recipientOf(notice.admin_id) });
    },
    exportInstitution: (offboarding, nowMs) => withHeartbeats(() => writeArchive({ ...domain, spoolFolder, hasSpace }, offboarding, realNow(nowMs))),
    beginInstitutionErasure: (offboarding, nowMs) => withHeartbeats(() => beginErasure(domain, offboarding, realNow(nowMs))),
    endInstitutionWorkflows: (institutionIds) => withHeartbeats(() => endWorkflows(institutionIds, 'The institution has left; its data is erased.')),
    eraseInstitutionChunk: (offboarding, place, nowMs) => withHeartbeats(() => eraseOffboardedChunk(domain, offboarding, place, realNow(nowMs))),
    endInstitutionErasure: (offboarding, nowMs) => withHeartbeats(() => endErasure(domain, offboarding, realNow(nowMs))),
  };
}

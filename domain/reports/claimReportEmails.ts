import { institutionScope } from '../../db/database';
import { claimGuardians, readReportingInstitution, type ClaimedGuardian, type ReportingInstitution } from '../../db/repositories/reports/weeklyEmails';
import type { Domain } from '../context';
import { emailsPerBatch, emailToSealedMailbox, type ClaimedEmail } from '../emails/claimedEmail';
import type { WorkflowArguments } from '../outbox/workflows';
import type { SecretBox } from '../secrets/secretBox';
import { weeklyReportEmail } from './weeklyReportEmail';

/**
 * Claims the next guardians of a week and builds their emails from the current data: a guardian whose links are gone, or
 * whose students are all suspended, gets none. Returns why none may be sent if the institution is not approved.
 */
export async function claimReportEmails(
  { database, secrets }: Pick<Domain, 'database' | 'secrets'>,
  { institutionId, week }: WorkflowArguments['weeklyReportLetters'],
  now: Date,
): Promise<ClaimedEmail[] | 'institution_inactive'> {
  const scope = institutionScope(database, institutionId);
  const institution = await readReportingInstitution(scope);
  if (institution.status !== 'approved') return 'institution_inactive';
  const claimed = await claimGuardians(scope, week, now, emailsPerBatch);
  return claimed.map((guardian) => ({ recipientId: guardian.guardian_id, tries: guardian.tries, email: emailTo(guardian, { institutionId, institution, week }, secrets) }));
}

/** What the emails of a week have in common. */
interface ReportOf {
  institutionId: string;
  institution: ReportingInstitution;
  week: string;
}

function emailTo({ guardian_id, mailbox_sealed, reports }: ClaimedGuardian, { institutionId, institution, week }: ReportOf, secrets: SecretBox): ClaimedEmail['email'] {
  if (mailbox_sealed === null || reports === null) return 'nobody';
  return emailToSealedMailbox(secrets, { institutionId, userId: guardian_id, sealed: mailbox_sealed }, (to) => {
    const messageId = `<rep.${week}.${guardian_id}@${institution.login_domain}>`;
    return weeklyReportEmail({ institutionName: institution.name, week, reports }, { to, messageId });
  });
}

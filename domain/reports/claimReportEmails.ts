import { institutionScope } from '../../db/database';
import { claimGuardians, readReportingInstitution, type ClaimedGuardian, type ReportingInstitution } from '../../db/repositories/reports/weeklyEmails';
import type { Domain } from '../context';
import { lettersAtOnce, letterToMailbox, type NextLetter } from '../emails/claimedEmail';
import type { WorkflowArguments } from '../outbox/workflows';
import type { SecretBox } from '../secrets/secretBox';
import { reportLetter } from './weeklyReportEmail';

/**
 * Claims the next guardians of a week and writes their letters from what is true now: a guardian whose links are gone,
 * or whose students are all suspended, gets none. Answers why none may be sent where the institution is not approved.
 */
export async function nextReportLetters(
  { database, secrets }: Pick<Domain, 'database' | 'secrets'>,
  { institutionId, week }: WorkflowArguments['weeklyReportLetters'],
  now: Date,
): Promise<NextLetter[] | 'institution_inactive'> {
  const scope = institutionScope(database, institutionId);
  const institution = await readReportingInstitution(scope);
  if (institution.status !== 'approved') return 'institution_inactive';
  const claimed = await claimGuardians(scope, week, now, lettersAtOnce);
  return claimed.map((guardian) => ({ recipientId: guardian.guardian_id, tries: guardian.tries, letter: letterTo(guardian, institution, week, secrets) }));
}

function letterTo({ guardian_id, mailbox_sealed, reports }: ClaimedGuardian, institution: ReportingInstitution, week: string, secrets: SecretBox): NextLetter['letter'] {
  if (mailbox_sealed === null || reports === null) return 'nobody';
  return letterToMailbox(secrets, mailbox_sealed, (to) => {
    const messageId = `<rep.${week}.${guardian_id}@${institution.login_domain}>`;
    return reportLetter({ institutionName: institution.name, week, reports }, { to, messageId });
  });
}

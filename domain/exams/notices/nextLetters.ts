import { institutionScope } from '../../../db/database';
import { claimRecipients, readNoticeExam, type ClaimedRecipient, type NoticeExam } from '../../../db/repositories/examNoticeLetters';
import type { Domain } from '../../context';
import type { Letter } from '../../letter';
import type { WorkflowArguments } from '../../owed/workflows';
import type { SecretBox } from '../../secrets/secretBox';
import { examLetter } from './examLetter';

type Notice = WorkflowArguments['examNotification'];

/** Letters that are sent together: as many as a crash may repeat. */
export const lettersAtOnce = 10;

/** A claimed recipient with the letter to send, or why there is none: nobody to tell any more, or an address that no key opens. */
export interface NextLetter {
  recipientId: string;
  /** How often this recipient was put off. */
  tries: number;
  letter: Letter | 'nobody' | 'unreadable';
}

/** The next letters of a notice, none when nobody's turn has come, or why none may be sent now. */
export type NextLetters =
  | { state: 'letters'; letters: NextLetter[] }
  /** The exam is closed or deleted: nobody is told any more. */
  | { state: 'exam_inactive' }
  /** The institution is not approved at present. */
  | { state: 'institution_inactive' };

/**
 * Claims the next recipients and writes their letters from what is true now: a student who was suspended, has no mailbox
 * or does not see the exam any more gets none, nor does a guardian whose links to such students are all that is left.
 */
export async function nextLetters({ database, secrets }: Pick<Domain, 'database' | 'secrets'>, notice: Notice, now: Date): Promise<NextLetters> {
  const scope = institutionScope(database, notice.institutionId);
  const exam = await readNoticeExam(scope, notice.examId);
  if (exam === undefined) return { state: 'exam_inactive' };
  if (exam.institution_status !== 'approved') return { state: 'institution_inactive' };
  const claimed = await claimRecipients(scope, notice, now, lettersAtOnce);
  const letters = claimed.map((recipient) => ({
    recipientId: recipient.recipient_id,
    tries: recipient.tries,
    letter: letterTo(recipient, exam, notice, secrets),
  }));
  return { state: 'letters', letters };
}

function letterTo({ recipient_id, kind, mailbox_sealed, students }: ClaimedRecipient, exam: NoticeExam, { notice }: Notice, secrets: SecretBox): NextLetter['letter'] {
  if (mailbox_sealed === null || students === null) return 'nobody';
  const to = opened(secrets, mailbox_sealed);
  if (to === undefined) return 'unreadable';
  return examLetter(exam, { to, kind, students, messageId: `<${exam.id}.${notice}.${recipient_id}@${exam.login_domain}>` });
}

/** One address that cannot be opened must not keep the others from their letters. */
function opened(secrets: SecretBox, sealed: string): string | undefined {
  try {
    return secrets.open(sealed);
  } catch {
    return undefined;
  }
}

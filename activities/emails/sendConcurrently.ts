import { ApplicationFailure } from '@temporalio/activity';
import type { EmailOutcome } from '../../db/repositories/emails/emailRows';
import type { EmailMessage } from '../../domain/emails/email';
import type { ClaimedEmail } from '../../domain/emails/claimedEmail';
import { nextRetryAt } from '../../domain/emails/deferralSchedule';
import { MailError, type MailErrorCode } from '../../outbound/mail/mailError';
import { recipientOf, type EmailPurpose } from '../../domain/emails/emailPurpose';
import type { EmailSender } from './emailSender';

/** Why an institution sends the emails of a batch. */
export type BatchPurpose = Omit<EmailPurpose, 'recipient'>;

/** The outcomes of emails sent together. */
export interface ConcurrentSendResult {
  outcomes: { recipientId: string; outcome: EmailOutcome }[];
  /** Set if the mail server neither accepted nor refused any: these were not tried, because of the failure. */
  untried: { recipientIds: string[]; failure: ApplicationFailure } | undefined;
}

/** Whether a failure concerns the mail server, not the single email. */
const isServerFailure: Record<MailErrorCode, boolean> = {
  closed: true,
  unreachable: true,
  timeout: true,
  tls: true,
  authentication: true,
  invalid_message: false,
  recipient_refused: false,
  refused: false,
};

/** An email given to the mailer, with its failure if it failed. */
interface SendAttempt {
  recipientId: string;
  tries: number;
  failure: MailError | undefined;
}

/**
 * Sends emails concurrently. Permanently refused emails are `refused`; deferred ones are retried after increasing waits,
 * ten times in all. If none reaches the mail server, none counts as tried.
 */
export async function sendConcurrently(sender: EmailSender, purpose: BatchPurpose, emails: readonly ClaimedEmail[], now: Date): Promise<ConcurrentSendResult> {
  const outcomes: ConcurrentSendResult['outcomes'] = [];
  const sending: Promise<SendAttempt>[] = [];
  for (const { recipientId, tries, email } of emails) {
    if (email === 'nobody') outcomes.push({ recipientId, outcome: { status: 'skipped', error: 'The recipient no longer exists' } });
    else if (email === 'unreadable') outcomes.push({ recipientId, outcome: postpone(tries, now, 'The address cannot be decrypted') });
    else sending.push(trySend(sender, email, { ...purpose, recipient: recipientOf(recipientId) }).then((failure) => ({ recipientId, tries, failure })));
  }
  const attempts = await Promise.all(sending);
  const failure = attempts.every((one) => one.failure !== undefined && isServerFailure[one.failure.code]) ? attempts[0]?.failure : undefined;
  if (failure !== undefined) {
    const recipientIds = attempts.map(({ recipientId }) => recipientId);
    return { outcomes, untried: { recipientIds, failure: ApplicationFailure.retryable(failure.message, 'MailServerAway') } };
  }
  for (const one of attempts) outcomes.push({ recipientId: one.recipientId, outcome: outcomeOf(one, now) });
  return { outcomes, untried: undefined };
}

async function trySend(sender: EmailSender, email: EmailMessage, purpose: EmailPurpose): Promise<MailError | undefined> {
  try {
    await sender.deliver(email, purpose);
    return undefined;
  } catch (error) {
    if (error instanceof MailError) return error;
    throw error;
  }
}

function outcomeOf({ failure, tries }: SendAttempt, now: Date): EmailOutcome {
  if (failure === undefined) return { status: 'sent' };
  return failure.permanent ? { status: 'refused', error: failure.message } : postpone(tries, now, failure.message);
}

function postpone(tries: number, now: Date, why: string): EmailOutcome {
  const tryAfter = nextRetryAt(tries, now);
  return tryAfter === undefined ? { status: 'refused', error: `Deferred too often: ${why}` } : { status: 'waiting', error: why, tryAfter };
}

import { ApplicationFailure } from '@temporalio/activity';
import type { LetterOutcome } from '../../db/repositories/emails/emailRows';
import type { Letter } from '../../domain/emails/email';
import type { NextLetter } from '../../domain/emails/claimedEmail';
import { nextTryAt } from '../../domain/emails/deferralSchedule';
import { MailError, type MailErrorCode } from '../../outbound/mail/mailError';
import type { Mailer } from '../../outbound/mail/mailer';

/** What came of letters sent together. */
export interface SentTogether {
  outcomes: { recipientId: string; outcome: LetterOutcome }[];
  /** Set when the mail server took and refused none: these have not been tried, and the failure says why. */
  away: { recipientIds: string[]; failure: ApplicationFailure } | undefined;
}

/** Whether a failure says something of the mail server, not of the letter that met it. */
const ofTheServer: Record<MailErrorCode, boolean> = {
  closed: true,
  unreachable: true,
  timeout: true,
  tls: true,
  authentication: true,
  invalid_message: false,
  recipient_refused: false,
  refused: false,
};

/** A letter that the mailer was handed, with its failure if it failed. */
interface Handed {
  recipientId: string;
  tries: number;
  failure: MailError | undefined;
}

/**
 * Sends letters at the same time. What is refused for good is refused; what is put off is tried again after a growing
 * wait, ten times in all. When none reaches the mail server, none counts as tried.
 */
export async function sendTogether(mailer: Pick<Mailer, 'send'>, letters: readonly NextLetter[], now: Date): Promise<SentTogether> {
  const outcomes: SentTogether['outcomes'] = [];
  const sending: Promise<Handed>[] = [];
  for (const { recipientId, tries, letter } of letters) {
    if (letter === 'nobody') outcomes.push({ recipientId, outcome: { status: 'skipped', error: 'There is nobody to tell any more' } });
    else if (letter === 'unreadable') outcomes.push({ recipientId, outcome: putOff(tries, now, 'The address cannot be opened') });
    else sending.push(hand(mailer, letter).then((failure) => ({ recipientId, tries, failure })));
  }
  const handed = await Promise.all(sending);
  const failure = handed.every((one) => one.failure !== undefined && ofTheServer[one.failure.code]) ? handed[0]?.failure : undefined;
  if (failure !== undefined) {
    const recipientIds = handed.map(({ recipientId }) => recipientId);
    return { outcomes, away: { recipientIds, failure: ApplicationFailure.retryable(failure.message, 'MailServerAway') } };
  }
  for (const one of handed) outcomes.push({ recipientId: one.recipientId, outcome: outcomeOf(one, now) });
  return { outcomes, away: undefined };
}

async function hand(mailer: Pick<Mailer, 'send'>, letter: Letter): Promise<MailError | undefined> {
  try {
    await mailer.send(letter);
    return undefined;
  } catch (error) {
    if (error instanceof MailError) return error;
    throw error;
  }
}

function outcomeOf({ failure, tries }: Handed, now: Date): LetterOutcome {
  if (failure === undefined) return { status: 'sent' };
  return failure.permanent ? { status: 'refused', error: failure.message } : putOff(tries, now, failure.message);
}

function putOff(tries: number, now: Date, why: string): LetterOutcome {
  const tryAfter = nextTryAt(tries, now);
  return tryAfter === undefined ? { status: 'refused', error: `Put off too often: ${why}` } : { status: 'waiting', error: why, tryAfter };
}

import type { Logger } from '../../config/logger';
import { settlesWithin } from '../../lib/timeout';
import { markCodeUnsent } from '../../db/repositories/signIn/codes';
import { claimCodeEmails, postponeUntriedCodeEmail, postponeCodeEmail, removeCodeEmail, type WaitingCodeEmail } from '../../db/repositories/signIn/emails';
import type { Domain } from '../../domain/context';
import { findRecipient, UnreadableCodeEmail, writeCodeEmail } from '../../domain/signIn/codeEmails';
import { recipientOf } from '../../domain/emails/emailPurpose';
import { createEmailSender } from '../../activities/emails/emailSender';
import { MailError } from '../../outbound/mail/mailError';
import type { Mailer } from '../../outbound/mail/mailer';
import type { WorkerMetrics } from '../metrics';
import { startRepeatingTask } from '../../lib/repeatingTask';

const pollIntervalMs = 1_000;
/** Maximum number of concurrent emails: twice the mailer's connections, so that each connection has a next email. */
const maxConcurrent = 10;
/** Longer than the mailer's timeout, in ms. What a killed worker was sending is sent again after it. */
const leaseMs = 35_000;
/** Delays after each failed try, in ms; the last one repeats until the code expires. */
const retryDelaysMs = [1_000, 5_000, 15_000, 30_000];
/** Maximum number of concurrent emails of one institution: fewer than the mailer's connections. */
const maxConcurrentPerInstitution = 4;
/** Delay of an email whose institution has no free slot, in ms. */
const busyInstitutionDelayMs = 500;

/** The outcome of an email. `unsent`: it is no longer sent. `skipped`: it was not tried, and its row is already updated. */
type Outcome = 'sent' | 'unsent' | 'later' | 'skipped';

/** The loop that sends sign-in codes. */
export interface CodeEmailSender {
  /** Signals that emails may wait; returns immediately. */
  wake(): void;
  /** Claims no more, and waits at most `timeoutMs` for those in progress; another worker sends the remaining ones. */
  stop(timeoutMs: number): Promise<void>;
}

/**
 * Issues the requested codes and sends them concurrently, until each is accepted or refused by the mail server or has
 * expired, four of an institution at a time. `mailer` is the loop's own, so that sign-in does not wait for emails of exams and reports.
 */
export function startCodeEmailSender(domain: Domain, mailer: Pick<Mailer, 'send'>, logger: Logger, metrics?: Pick<WorkerMetrics, 'observeRefusedClaim'>): CodeEmailSender {
  const { sql } = domain.database;
  const sender = createEmailSender(domain, mailer);
  const underWay = new Set<Promise<void>>();

  const underWayOf = new Map<string, number>();
  let lateFirst = false;

  const add = (institutionId: string, more: 1 | -1): void => {
    const left = (underWayOf.get(institutionId) ?? 0) + more;
    if (left > 0) underWayOf.set(institutionId, left);
    else underWayOf.delete(institutionId);
  };
  const isBusy = (institutionId: string): boolean => (underWayOf.get(institutionId) ?? 0) >= maxConcurrentPerInstitution;

  const onRefusedClaim = (institutionId: string): void => {
    metrics?.observeRefusedClaim();
    logger.warn({ institution_id: institutionId }, 'too many accounts are claimed from one client address: the code is not sent');
  };

  /** Sends one email in one of its institution's slots. */
  const sendWithinLimit = async (waiting: WaitingCodeEmail): Promise<Outcome> => {
    const now = new Date();
    const recipient = await findRecipient(domain, waiting, now);
    if (recipient === undefined) return 'unsent';
    const { institution_id: institutionId, user_id: userId } = recipient.account;
    if (isBusy(institutionId)) {
      await postponeUntriedCodeEmail(sql, waiting.seq, busyInstitutionDelayMs, institutionId);
      return 'skipped';
    }
    add(institutionId, 1);
    try {
      const email = await writeCodeEmail(domain, waiting, recipient, now, onRefusedClaim);
      if (email === undefined) return 'unsent';
      await sender.deliver(email, { institutionId, kind: 'sign_in_code', recipient: recipientOf(userId) });
      return 'sent';
    } finally {
      add(institutionId, -1);
    }
  };
  const send = async (waiting: WaitingCodeEmail): Promise<Outcome> => {
    if (waiting.expired) {
      logger.warn({ request_id: waiting.request_id, tries: waiting.tries }, 'an email with a sign-in code expired before it could be sent');
      return 'unsent';
    }
    try {
      return await sendWithinLimit(waiting);
    } catch (error) {
      const line = { err: error, request_id: waiting.request_id };
      if (error instanceof UnreadableCodeEmail) {
        logger.error(line, 'an email with a sign-in code cannot be decrypted and is dropped');
        return 'unsent';
      }
      const isPermanent = error instanceof MailError && error.permanent;
      logger.warn(line, isPermanent ? 'an email with a sign-in code was refused' : 'an email with a sign-in code is retried');
      return isPermanent ? 'sent' : 'later';
    }
  };
  const handle = async (waiting: WaitingCodeEmail): Promise<void> => {
    const { seq, institution_id, code_id, tries } = waiting;
    const outcome = await send(waiting);
    if (outcome === 'later') await postponeCodeEmail(sql, seq, retryDelaysMs[tries - 1] ?? retryDelaysMs.at(-1) ?? 0);
    if (outcome === 'later' || outcome === 'skipped') return;
    if (outcome === 'unsent' && institution_id !== null && code_id !== null) await markCodeUnsent(sql, institution_id, code_id);
    await removeCodeEmail(sql, seq);
  };
  const onError = (error: unknown): void => logger.error({ err: error }, 'the sender of sign-in codes could not reach postgres');
  const begin = (waiting: WaitingCodeEmail): void => {
    const handling = handle(waiting)
      .catch(onError)
      .finally(() => {
        underWay.delete(handling);
        sending.wake();
      });
    underWay.add(handling);
  };
  const take = async (kind: 'fresh' | 'late', limit: number): Promise<void> => {
    if (limit <= 0) return;
    const busy = [...underWayOf.keys()].filter(isBusy);
    for (const waiting of await claimCodeEmails(sql, kind, limit, leaseMs, busy)) begin(waiting);
  };
  const sending = startRepeatingTask(
    async () => {
      const free = (): number => maxConcurrent - underWay.size;
      // Alternating: neither a flood of new requests nor the queue after an outage delays the other.
      lateFirst = !lateFirst;
      const [first, second] = lateFirst ? (['late', 'fresh'] as const) : (['fresh', 'late'] as const);
      await take(first, Math.ceil(free() / 2));
      await take(second, free());
      await take(first, free());
    },
    { everyMs: pollIntervalMs, onError },
  );
  return {
    wake: sending.wake,
    stop: async (timeoutMs) => {
      await settlesWithin(timeoutMs, sending.stop().then(() => Promise.all(underWay)));
    },
  };
}

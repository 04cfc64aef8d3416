import { startCodeEmailSender, type CodeEmailSender } from '../../worker/signIn/codeEmailSender';
import { createLogger, type Logger } from '../../config/logger';
import type { Settings } from '../../config/settings';
import { listenForWakeups } from '../../db/wakeListener';
import type { Domain } from '../../domain/context';
import { createMailer } from '../../outbound/mail/mailer';

const stopTimeoutMs = 5_000;

/** The sign-in part of a worker: issues the requested codes and sends them; logs only with a logger. */
export function sendCodeEmails(domain: Domain, { databaseUrl, databaseDirectUrl, smtpUrl, mailFrom }: Settings, logger: Logger = createLogger('worker', 'silent')): { wake: CodeEmailSender['wake']; stop(): Promise<void> } {
  const mailer = createMailer({ smtpUrl, from: mailFrom });
  const sender = startCodeEmailSender(domain, mailer, logger);
  const listener = listenForWakeups(databaseDirectUrl ?? databaseUrl, sender.wake, () => undefined);
  return {
    wake: sender.wake,
    stop: async () => {
      await listener.close();
      await sender.stop(stopTimeoutMs);
      await mailer.close();
    },
  };
}

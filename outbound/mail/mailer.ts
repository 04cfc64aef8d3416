import nodemailer from 'nodemailer';
import { toSingleLine } from '../../domain/emails/email';
import { isLoopbackAddress } from '../../lib/loopback';
import { toMailError, MailError } from './mailError';

export interface Mail {
  /** One address, `name@host`. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** `<name@host>`; the recipient's server detects repeated messages by it. */
  messageId?: string;
}

export interface MailerOptions {
  /** `smtp://` or `smtps://`, with credentials, host and port; other parts are ignored. */
  smtpUrl: string;
  /** Whether a server that is not on this machine must offer TLS even without credentials; false by default. */
  requireTls?: boolean;
  /** `Name <address>` */
  from: string;
  /** PEM certificates accepted as issuers instead of the public ones (tests). */
  ca?: string;
  /** Timeout of connecting, of the greeting, and of every later pause, in ms. */
  timeoutMs?: number;
}

export interface Mailer {
  /**
   * Sends one message to the mail server. Rejects with a MailError, whose message contains no address; at the latest after
   * three times the timeout (30 s), including the wait for a connection.
   */
  send(mail: Mail): Promise<void>;
  /** Waits for the messages in progress, then closes the connections. */
  close(): Promise<void>;
}

const bareAddress = /^[^\s<>()[\]\\,;:"@]{1,64}@[^\s<>()[\]\\,;:"@]{1,253}$/;
const bracketedId = /^<[^\s<>@]{1,200}@[^\s<>@]{1,200}>$/;

/**
 * Returns a mailer with a pool of at most 5 connections. TLS is verified: implicit with `smtps://`, otherwise by STARTTLS,
 * which is required if there are credentials or `requireTls` is set; connections to this machine are not encrypted. Throws a TypeError if the URL
 * is not that of a mail server.
 */
export function createMailer({ smtpUrl, from, ca, requireTls = false, timeoutMs = 10_000 }: MailerOptions): Mailer {
  const transport = nodemailer.createTransport({
    ...parseSmtpUrl(smtpUrl, requireTls),
    pool: true,
    maxConnections: 5,
    maxRequeues: 1,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs / 2,
    idleTimeout: 30_000,
    tls: { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
  });
  const inFlight = new Set<Promise<void>>();
  let closed = false;

  async function deliver({ to, subject, text, html, messageId }: Mail): Promise<void> {
    if (closed) throw new MailError('closed', 'The mailer is closed', false);
    if (!bareAddress.test(to)) throw new MailError('invalid_message', 'The recipient is not a bare mail address', true);
    if (messageId !== undefined && !bracketedId.test(messageId)) {
      throw new MailError('invalid_message', 'The message id must have the form <name@host>', true);
    }
    try {
      await transport.sendMail({
        from,
        // An object is one address; a string would be parsed as a list.
        to: { name: '', address: to },
        subject: toSingleLine(subject),
        text,
        ...(html === undefined ? {} : { html }),
        ...(messageId === undefined ? {} : { messageId }),
        disableFileAccess: true,
        disableUrlAccess: true,
        signal: AbortSignal.timeout(3 * timeoutMs),
      });
    } catch (error) {
      throw toMailError(error);
    }
  }

  async function send(mail: Mail): Promise<void> {
    const sending = deliver(mail);
    inFlight.add(sending);
    try {
      await sending;
    } finally {
      inFlight.delete(sending);
    }
  }

  async function close(): Promise<void> {
    closed = true;
    await Promise.allSettled(inFlight);
    transport.close();
  }

  return { send, close };
}

interface MailServer {
  host: string;
  port: number;
  secure: boolean;
  ignoreTLS: boolean;
  requireTLS: boolean;
  auth?: { user: string; pass: string };
}

/** Parsed here and not by the library, whose URLs can also disable certificate verification. */
function parseSmtpUrl(smtpUrl: string, requireTls: boolean): MailServer {
  const url = parseUrl(smtpUrl);
  if (url === null || url.hostname === '' || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')) {
    throw new TypeError('The URL of the mail server must begin with smtp:// or smtps://');
  }
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  const secure = url.protocol === 'smtps:';
  const isLocal = host === 'localhost' || isLoopbackAddress(host);
  const hasCredentials = url.username !== '';
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    ignoreTLS: isLocal,
    requireTLS: (requireTls || hasCredentials) && !isLocal,
    ...(hasCredentials ? { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } } : {}),
  };
}

/** The error of the URL parser would contain the whole text, including credentials. */
function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

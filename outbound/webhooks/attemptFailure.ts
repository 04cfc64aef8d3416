import { errors } from 'undici';
import { connectMessages, generalMessages, isTlsCode, messageFor, tlsMessages } from '../../lib/exchangeMessages';
import type { AttemptOutcome } from '../../domain/webhooks/classifyAttempt';

/** Where an attempt failed; recorded with it and shown to the customer (specification: Events, Delivery). */
export type ErrorClass = NonNullable<AttemptOutcome['errorClass']>;

/** A failure whose message may be shown to the receiver's owner. */
export class AttemptFailure extends Error {
  constructor(
    readonly errorClass: ErrorClass,
    message: string,
  ) {
    super(message);
    this.name = 'AttemptFailure';
  }
}

const httpMessages: Record<string, string> = {
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer were too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The answer did not have the length that it announced',
};

const codePattern = /^[A-Z][A-Z0-9_]{1,63}$/;

/** Returns the code of an error of Node or of a library; '' if it has none. */
export function errorCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && codePattern.test(code) ? code : '';
}

/** Returns the failure of an error before a TCP connection was established. */
export function toConnectFailure(error: unknown): AttemptFailure {
  return new AttemptFailure('connect', messageFor(connectMessages, generalMessages.connect, errorCode(error)));
}

/** Returns the failure of an error in the TLS handshake, including the check of the certificate. */
export function toTlsFailure(error: unknown): AttemptFailure {
  return new AttemptFailure('tls', messageFor(tlsMessages, generalMessages.tls, errorCode(error)));
}

/** Returns the failure of an error while the request was sent or the response received. */
export function toExchangeFailure(error: unknown): AttemptFailure {
  if (error instanceof AttemptFailure) return error;
  const code = errorCode(error);
  if (error instanceof errors.HTTPParserError || code in httpMessages) {
    return new AttemptFailure('http', messageFor(httpMessages, generalMessages.http, code));
  }
  // Undici has no error code for an unexpected interim response (100, 101).
  if (error instanceof Error && (error.message === 'bad response' || error.message === 'bad upgrade')) {
    return new AttemptFailure('http', 'The answer was not one to a plain POST');
  }
  if (isTlsCode(code)) return toTlsFailure(error);
  return new AttemptFailure('connect', messageFor(connectMessages, generalMessages.lost, code));
}

/** Whether the other side closed or reset the connection, without a protocol error. */
export function isClosedByPeer(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ECONNRESET' || code === 'EPIPE' || (code === 'UND_ERR_SOCKET' && toExchangeFailure(error).errorClass === 'connect');
}

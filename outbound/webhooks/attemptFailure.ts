import { errors } from 'undici';
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

const connectMessages: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was reset by the receiver',
  EPIPE: 'The connection was closed by the receiver',
  EHOSTUNREACH: 'The host could not be reached',
  ENETUNREACH: 'The network of the host could not be reached',
  ETIMEDOUT: 'No connection could be made in time',
  UND_ERR_SOCKET: 'The connection was closed before the answer was complete',
};

const tlsMessages: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate chain ends in an unknown self-signed certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate chain is incomplete or its issuer is unknown',
  UNABLE_TO_GET_ISSUER_CERT: 'The certificate chain is incomplete or its issuer is unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate chain is incomplete or its issuer is unknown',
  CERT_HAS_EXPIRED: 'The certificate has expired',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet',
  CERT_REVOKED: 'The certificate has been revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate was not issued for this host',
  ECONNRESET: 'The connection was closed during the TLS handshake',
};

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

/** Returns the table's message, or the general one with the code: never an error's own message, which may contain addresses. */
function messageFor(table: Record<string, string>, fallback: string, code: string): string {
  return table[code] ?? (code === '' ? fallback : `${fallback} (${code})`);
}

/** Returns the failure of an error before a TCP connection was established. */
export function toConnectFailure(error: unknown): AttemptFailure {
  return new AttemptFailure('connect', messageFor(connectMessages, 'No connection could be made', errorCode(error)));
}

/** Returns the failure of an error in the TLS handshake, including the check of the certificate. */
export function toTlsFailure(error: unknown): AttemptFailure {
  return new AttemptFailure('tls', messageFor(tlsMessages, 'The TLS handshake failed', errorCode(error)));
}

/** Returns the failure of an error while the request was sent or the response received. */
export function toExchangeFailure(error: unknown): AttemptFailure {
  if (error instanceof AttemptFailure) return error;
  const code = errorCode(error);
  if (error instanceof errors.HTTPParserError || code in httpMessages) {
    return new AttemptFailure('http', messageFor(httpMessages, 'The answer was not valid HTTP/1.1', code));
  }
  // Undici has no error code for an unexpected interim response (100, 101).
  if (error instanceof Error && (error.message === 'bad response' || error.message === 'bad upgrade')) {
    return new AttemptFailure('http', 'The answer was not one to a plain POST');
  }
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return toTlsFailure(error);
  return new AttemptFailure('connect', messageFor(connectMessages, 'The connection was lost', code));
}

/** Whether the other side closed or reset the connection, without a protocol error. */
export function isClosedByPeer(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ECONNRESET' || code === 'EPIPE' || (code === 'UND_ERR_SOCKET' && toExchangeFailure(error).errorClass === 'connect');
}

/** What the codes of the system mean while a connection is made or used. */
export const connectMessages: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was reset by the receiver',
  EPIPE: 'The connection was closed by the receiver',
  EHOSTUNREACH: 'The host could not be reached',
  ENETUNREACH: 'The network of the host could not be reached',
  ETIMEDOUT: 'No connection could be made in time',
  UND_ERR_SOCKET: 'The connection was closed before the answer was complete',
};

/** What the codes of a TLS handshake mean, including the check of the certificate. */
export const tlsMessages: Readonly<Record<string, string>> = {
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

/** The general messages, for codes that the tables do not have. */
export const generalMessages = {
  connect: 'No connection could be made',
  lost: 'The connection was lost',
  tls: 'The TLS handshake failed',
  http: 'The answer was not valid HTTP/1.1',
} as const;

/** Whether a code is one of TLS itself: the other side speaks another protocol. */
export const isTlsCode = (code: string): boolean => code.startsWith('ERR_SSL_') || code === 'EPROTO';

/** Returns the table's message, or the general one with the code: never an error's own message, which may contain addresses. */
export function messageFor(table: Readonly<Record<string, string>>, fallback: string, code: string): string {
  return table[code] ?? (code === '' ? fallback : `${fallback} (${code})`);
}

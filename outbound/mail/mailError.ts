export type MailErrorCode =
  | 'closed'
  | 'invalid_message'
  | 'unreachable'
  | 'timeout'
  | 'tls'
  | 'authentication'
  | 'recipient_refused'
  | 'refused';

/** Why a message was not accepted. Its message, code and stack contain no address, so they may be logged and stored. */
export class MailError extends Error {
  constructor(
    readonly code: MailErrorCode,
    message: string,
    /** Whether the same message would fail again. */
    readonly permanent: boolean,
  ) {
    super(message);
    this.name = 'MailError';
  }
}

const messageByLibraryCode: Record<string, [MailErrorCode, string]> = {
  ECONNECTION: ['unreachable', 'The mail server could not be reached'],
  ESOCKET: ['unreachable', 'The connection to the mail server failed'],
  EDNS: ['unreachable', 'The name of the mail server could not be resolved'],
  ETIMEDOUT: ['timeout', 'The mail server did not answer in time'],
  EABORT: ['timeout', 'The mail server did not take the message in time'],
  ETLS: ['tls', 'No verified TLS connection to the mail server could be made'],
  EAUTH: ['authentication', 'The mail server did not accept the credentials'],
  ENOAUTH: ['authentication', 'The mail server asks for credentials'],
  EENVELOPE: ['recipient_refused', 'The mail server refused the sender or the recipient'],
  EMESSAGE: ['refused', 'The mail server refused the message'],
};

/** Converts an error of the mail library; its text is dropped, because servers repeat addresses in it. */
export function toMailError(error: unknown): MailError {
  const source: object = typeof error === 'object' && error !== null ? error : {};
  const libraryCode = 'code' in source && typeof source.code === 'string' ? source.code : '';
  const reply = 'responseCode' in source && typeof source.responseCode === 'number' ? source.responseCode : null;
  const [code, message] = messageByLibraryCode[libraryCode] ?? (['refused', 'The message could not be sent'] as const);
  // Not permanent: an operator can correct rejected credentials.
  const permanent = reply !== null && reply >= 500 && (code === 'refused' || code === 'recipient_refused');
  return new MailError(code, reply === null ? message : `${message} (${reply})`, permanent);
}

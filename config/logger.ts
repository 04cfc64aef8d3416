import pino, { type Logger } from 'pino';

/** Fields of a driver's error that are useful and contain no values; the code gets a name that is not redacted. */
const loggedErrorFields: Record<string, string> = { code: 'error_code', constraint: 'constraint', table: 'table', syscall: 'syscall', errno: 'errno' };

/** Connection strings lose their user and password. */
const redactPasswords = (text: string): string => text.replaceAll(/\/\/[^\s/@]*@/g, '//');

/** Returns an error without the fields that a driver adds (statements, parameters, row values). */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const details = Object.entries(error).flatMap(([name, value]) => {
    const fieldName = loggedErrorFields[name];
    return fieldName === undefined ? [] : [[fieldName, value] as const];
  });
  return {
    type: error.name,
    message: redactPasswords(error.message),
    stack: redactPasswords(error.stack ?? ''),
    ...Object.fromEntries(details),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

export type { Logger };

/** Fields that are removed from log lines, at any depth. */
const secretFields = [
  'authorization', 'cookie', 'password', 'api_key', 'secret', 'code', 'codes', 'session', 'token', 'hidden_key_b64',
  'email', 'personal_email', 'guardian_email', 'admin_email',
];

/** Returns a logger: one JSON line per entry on standard output. Secrets are redacted by field name, passwords removed from connection strings in errors. */
export function createLogger(process: string, level: string): Logger {
  return pino({
    level,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[redacted]' },
  });
}

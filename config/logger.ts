import pino, { type Logger } from 'pino';

const kept = ['code', 'constraint', 'table', 'syscall', 'errno'];

/** An error without what a driver hangs on it (statements, parameters, row values). */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const details = Object.entries(error).filter(([name]) => kept.includes(name));
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...Object.fromEntries(details),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

export type { Logger };

/** Fields that never reach a log line, wherever they stand in what is logged. */
const secretFields = ['authorization', 'api_key', 'secret', 'code', 'session', 'token', 'hidden_key_b64', 'personal_email'];

/** One JSON line an entry on standard output; secrets by field name are replaced, connection strings lose their passwords. */
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

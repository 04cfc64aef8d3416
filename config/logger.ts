import pino, { type Logger, type LoggerOptions } from 'pino';
import { traceIds } from '../lib/tracing';

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

/** Lines wait for others until so many bytes are together, or for so long in ms: a system call for each costs as much as a statement. */
const collected = { bytes: 4_096, forMs: 100 };

const warning = pino.levels.values.warn ?? 40;

/** Standard output, written in groups of lines; what is left is written when the process exits. */
function groupedOutput(): ReturnType<typeof pino.destination> {
  const output = pino.destination({ dest: 1, sync: true, minLength: collected.bytes, periodicFlush: collected.forMs });
  process.once('exit', () => output.flushSync());
  return output;
}

/** Returns a logger: one JSON line per entry on standard output, where warnings and errors are seen at once and other lines within 100 ms. Secrets are redacted by field name, passwords removed from connection strings in errors. With `isTracing` a line has the ids of the trace that it belongs to. */
export function createLogger(name: string, level: string, isTracing = false): Logger {
  const output = level === 'silent' ? undefined : groupedOutput();
  const options: LoggerOptions = {
    level,
    base: { process: name },
    ...(isTracing ? { mixin: traceIds } : {}),
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[redacted]' },
    hooks: {
      logMethod(entry, method, ofLevel) {
        method.apply(this, entry);
        if (ofLevel >= warning) output?.flushSync();
      },
    },
  };
  return output === undefined ? pino(options) : pino(options, output);
}

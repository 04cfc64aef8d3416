import type { Issue } from '../clients/typescript/src/openapi';

/** Exit codes by the kind of failure. */
export const exitCodes = { refused: 1, usage: 2, unreachable: 3 } as const;

/** An error as the API answers it, with the request id in it. */
export interface ErrorEnvelope {
  success: false;
  error: string;
  message: string;
  request_id?: string;
  issues?: readonly Issue[];
}

/** Returns the error of a command that failed with a message and a code of its own. */
export const errorEnvelope = (error: string, message: string): ErrorEnvelope => ({ success: false, error, message });

/** What a CliError has in addition to its message. */
export interface CliErrorDetails {
  kind: keyof typeof exitCodes;
  /** The service's own code, or `usage` and `unreachable`. */
  code: string;
  requestId?: string | undefined;
  issues?: readonly Issue[];
  /** What else the service said, such as the scopes that a key lacks. */
  fields?: Readonly<Record<string, unknown>>;
}

/** The error of every command that fails. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    message: string,
    readonly details: CliErrorDetails,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get exitCode(): number {
    return exitCodes[this.details.kind];
  }

  /** Returns `code: message (request id)`, and a line for each issue; none for an only one that the message says whole. */
  lines(): string[] {
    const { code, requestId, issues = [] } = this.details;
    const requestIdSuffix = requestId === undefined ? '' : ` (${requestId})`;
    const [only] = issues.length === 1 ? issues : [];
    const isSaid = only !== undefined && this.message.includes(only.path) && this.message.endsWith(only.message);
    return [`${code}: ${this.message}${requestIdSuffix}`, ...(isSaid ? [] : issues.map(({ path, message }) => `  ${path}: ${message}`))];
  }

  /** Returns the same for programs. */
  envelope(): ErrorEnvelope {
    const { code, requestId, issues = [], fields } = this.details;
    return { ...errorEnvelope(code, this.message), ...(requestId === undefined ? {} : { request_id: requestId }), ...(issues.length === 0 ? {} : { issues }), ...fields };
  }
}

/** Returns the error of a wrong command line, for which nothing was sent to the service. */
export const usageError = (message: string): CliError => new CliError(message, { kind: 'usage', code: 'usage' });

/** Says that only operators have a command, and what a key has in its place. */
export const operatorsOnly = (what: string, instead: string): string => `${what} is for operators, with PLATFORM_TOKEN and PLATFORM_URL. With a key: ${instead}.`;

/** Returns the error of a service that did not respond, or of a response that is not its own. */
export const unreachableError = (message: string, cause?: unknown): CliError => new CliError(message, { kind: 'unreachable', code: 'unreachable' }, { cause });

/** Signals that end a command, with the exit codes that shells give them. */
export const interruptExitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** A signal ended the command; the message says what continues without it. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';

  constructor(
    readonly signal: keyof typeof interruptExitCodes,
    message = 'Interrupted; nothing was changed.',
  ) {
    super(message);
  }

  get exitCode(): number {
    return interruptExitCodes[this.signal];
  }

  lines(): string[] {
    return [this.message];
  }

  /** Returns the same for programs. */
  envelope(): ErrorEnvelope {
    return errorEnvelope('interrupted', this.message);
  }

  /** Returns the same error with another message. */
  withMessage(message: string): InterruptedError {
    return new InterruptedError(this.signal, message);
  }
}

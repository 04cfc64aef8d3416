/** One thing wrong with what was sent, as the service names it. */
export interface Issue {
  path: string;
  message: string;
}

/** Why a command did not succeed, and the exit code that says so. */
export const exitCodes = { refused: 1, usage: 2, unreachable: 3 } as const;

/** What a failure knows beside its message. */
export interface CliErrorDetails {
  kind: keyof typeof exitCodes;
  /** The service's own code, or `usage` and `unreachable`. */
  code: string;
  requestId?: string | undefined;
  issues?: readonly Issue[];
}

/** The one way that a command says no. */
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

  /** `code: message (request id)`, and a line for each issue. */
  lines(): string[] {
    const { code, requestId, issues = [] } = this.details;
    const requestIdSuffix = requestId === undefined ? '' : ` (${requestId})`;
    return [`${code}: ${this.message}${requestIdSuffix}`, ...issues.map(({ path, message }) => `  ${path}: ${message}`)];
  }
}

/** The command line itself is wrong: nothing was asked of the service. */
export const usageError = (message: string): CliError => new CliError(message, { kind: 'usage', code: 'usage' });

/** Nothing that is the service answered. */
export const unreachableError = (message: string, cause?: unknown): CliError => new CliError(message, { kind: 'unreachable', code: 'unreachable' }, { cause });

/** Signals that end a command, with the exit codes that shells give them. */
export const interruptExitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** The person, or the machine, asked the command to end; says what goes on without it. */
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

  /** The same end, with other words. */
  withMessage(message: string): InterruptedError {
    return new InterruptedError(this.signal, message);
  }
}

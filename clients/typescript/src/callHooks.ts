import type { Code } from './institutionError';
import { parseBody, parseError } from './response';
import type { RetriedCall } from './retries';

/** A try that failed, and after which the call is sent again. */
export interface CallRetry {
  method: string;
  /** As the document spells it: `/students/{id}`. */
  path: string;
  /** The number of the try that failed, from 1. */
  attempt: number;
  /** How long the client waits before the next try. */
  waitMs: number;
  /** Why: `rate_limited`, `no_answer`, … */
  code: Code;
  /** Null without an answer of the service. */
  requestId: string | null;
}

/** An answer that came, of each try. */
export interface CallAnswer {
  method: string;
  /** As the document spells it: `/students/{id}`. */
  path: string;
  /** The number of the try, from 1. */
  attempt: number;
  status: number;
  headers: Headers;
  /** Null of an answer that is not the service's. */
  requestId: string | null;
}

/** Functions that receive what a client does. They are not awaited, and what one throws ends the call. */
export interface CallHooks {
  /** Called before each wait that precedes another try. */
  onRetry?: ((retry: CallRetry) => void) | undefined;
  /** Called with each answer that came, that of a try that is repeated too: headers have the rate limit, the request id and the service's clock. */
  onAnswer?: ((answer: CallAnswer) => void) | undefined;
}

/** Returns the hooks; throws a TypeError for one that is no function, as a program in JavaScript may give it. */
export function requireHooks({ onRetry, onAnswer }: CallHooks): CallHooks {
  for (const [name, hook] of Object.entries({ onRetry, onAnswer })) {
    if (hook !== undefined && typeof hook !== 'function') throw new TypeError(`${name} must be a function`);
  }
  return { onRetry, onAnswer };
}

const requestIdOf = (headers: Headers): string | null => headers.get('x-request-id');

/** Returns what passes on to the hooks what one call does. */
export const observerOf = (method: string, path: string, { onRetry, onAnswer }: CallHooks): NonNullable<RetriedCall['observer']> => ({
  answered: ({ status, headers }, attempt) => onAnswer?.({ method, path, attempt, status, headers, requestId: requestIdOf(headers) }),
  waits: (result, attempt, waitMs) => {
    if (onRetry === undefined) return;
    const failed = 'reply' in result
      ? { code: parseError(result.reply, parseBody(result.reply))?.code ?? 'unexpected_answer', requestId: requestIdOf(result.reply.headers) }
      : { code: 'no_answer', requestId: null };
    onRetry({ method, path, attempt, waitMs: Math.round(waitMs), ...failed });
  },
});

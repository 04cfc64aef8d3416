import type { Middleware, ParameterizedContext } from 'koa';
import type { CallProgress } from '../../domain/context';
import type { AuthenticatedKey, PlatformCaller } from './access';

/** What the middlewares store about a request, for later middlewares and the log. */
export interface RequestState {
  requestId: string;
  now: Date;
  /** Whether the call may have done something. */
  progress?: CallProgress;
  /** The matched operation's path, for logs and metrics; never the path as sent. */
  route?: string;
  /** The code of the error that the call was answered with. */
  error?: string;
  /** The fields that a call was refused for, as the log names them. */
  fields?: readonly string[];
  /** Which of the cases that have the error's code. */
  reason?: string;
  /** The scopes that the caller's key lacks. */
  missing?: readonly string[];
  /** Set where a machine that watches the process was answered: neither a call that counts nor one to log. */
  isProbe?: boolean;
  key?: AuthenticatedKey;
  /** A known key that was refused: revoked, expired, or of an institution that is not approved. */
  refusedKey?: { id: string; institutionId: string };
  platform?: PlatformCaller;
  /** The address of the client; absent if it is not known. */
  clientAddress?: string;
}

export type RequestContext = ParameterizedContext<RequestState>;
export type ApiMiddleware = Middleware<RequestState>;

import type { Middleware, ParameterizedContext } from 'koa';
import type { KeyDescription, PlatformCaller } from './operation';

/** What the middlewares learn of a request, for those behind them and for the log. */
export interface RequestState {
  requestId: string;
  now: Date;
  /** The matched operation's path, for logs and metrics; never the path as sent. */
  route?: string;
  key?: KeyDescription;
  platform?: PlatformCaller;
}

export type RequestContext = ParameterizedContext<RequestState>;
export type ApiMiddleware = Middleware<RequestState>;

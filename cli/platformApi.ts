import { send } from '../clients/typescript/src/request';
import { parseBody } from '../clients/typescript/src/response';
import { createCall, responseError, toUnreachableError, type CallLimits, type CallOptions, type HttpMethod } from './call';
import type { Connection } from './connection';
import { InterruptedError } from './errors';
import { getField } from './fields';

/** What is sent along with a call of the platform API. */
export interface PlatformCallOptions extends CallOptions {
  /** Calls as the platform itself, even with `--actor`. */
  asPlatform?: true;
}

/** The platform API as commands call it. */
export interface PlatformApi {
  /** Returns `data`; throws a CliError if the service refuses or does not respond. `path` comes after `/platform/v1`. */
  call(method: HttpMethod, path: string, sent?: PlatformCallOptions): Promise<unknown>;
  /** Returns what `/readyz` says, and whether the service is ready. */
  readiness(): Promise<{ ready: boolean; body: unknown }>;
}

/** How calls are made. */
export interface PlatformApiOptions extends CallLimits {
  actor: string | undefined;
}

/** Calls the platform API. */
export function platformApi(connection: Connection, options: PlatformApiOptions): PlatformApi {
  const { timeoutMs, actor, signal } = options;
  const call = createCall(connection, options);
  return {
    call: (method, path, { asPlatform, ...sent } = {}) => call(method, path, { ...sent, ...(actor === undefined || asPlatform ? {} : { headers: { 'x-actor': actor } }) }),
    readiness: async () => {
      const target = new URL(connection.url.replace(/\/platform\/v1$/, '/readyz'));
      const response = await send({ method: 'GET', url: target, token: undefined }, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])).catch((error: unknown) => {
        throw signal.reason instanceof InterruptedError ? signal.reason : toUnreachableError(error, target, 'GET', options);
      });
      const body = parseBody(response);
      if (typeof getField(body, 'status') !== 'string') throw responseError(response, target);
      return { ready: response.status === 200, body };
    },
  };
}

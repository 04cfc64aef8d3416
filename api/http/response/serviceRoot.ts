import { apiVersion } from '../openapi/version';
import type { ApiMiddleware } from '../state';
import { prepareStaticResponse, sendStatic } from './staticResponse';

const hour = 3_600;

const paths: readonly string[] = ['/', '/v1', '/v1/'];

/** Serves `/` and `/v1` without a key: where the documents of the API are. */
export function serviceRoot(publicBaseUrl: string): ApiMiddleware {
  const data = { name: 'Institution API', version: apiVersion, base_url: publicBaseUrl, docs: `${publicBaseUrl}/docs`, openapi: `${publicBaseUrl}/openapi.json`, llms: `${publicBaseUrl}/llms.txt` };
  const prepared = prepareStaticResponse('application/json; charset=utf-8', Buffer.from(JSON.stringify({ success: true, data })));
  return async (ctx, next) => {
    if (!paths.includes(ctx.path) || !['GET', 'HEAD'].includes(ctx.method)) {
      await next();
      return;
    }
    ctx.state.route = '/';
    sendStatic(ctx, await prepared, hour);
  };
}

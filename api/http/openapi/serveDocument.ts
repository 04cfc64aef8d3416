import type { OpenApiDocument } from './document';
import { sendStatic, prepareStaticResponse, type StaticResponse } from '../response/staticResponse';
import type { ApiMiddleware } from '../state';

const maxAgeSeconds = 60;

/** Cached documents of this process: generating one takes half a second, and tests start many APIs. */
const documentCache = new WeakMap<object, Map<string, Promise<StaticResponse>>>();

/** The cache key: the same records and URL give the same document. */
interface DocumentSource<Records extends object> {
  records: Records;
  baseUrl: string;
  describe: (records: Records, baseUrl: string) => OpenApiDocument;
}

function renderDocument<Records extends object>({ records, baseUrl, describe }: DocumentSource<Records>): Promise<StaticResponse> {
  const byBaseUrl = documentCache.get(records) ?? new Map<string, Promise<StaticResponse>>();
  documentCache.set(records, byBaseUrl);
  const text = byBaseUrl.get(baseUrl)
    ?? prepareStaticResponse('application/json; charset=utf-8', Buffer.from(JSON.stringify(describe(records, baseUrl))));
  byBaseUrl.set(baseUrl, text);
  return text;
}

/** Serves the document of an API at `<prefix>/openapi.json`, without a key (section Versioning); throws if it cannot be generated. */
export function serveOpenApiDocument<Records extends object>(prefix: string, described: DocumentSource<Records>): ApiMiddleware {
  const path = `${prefix}/openapi.json`;
  const prepared = renderDocument(described);
  return async (ctx, next) => {
    if (ctx.path === path) {
      ctx.state.route = '/openapi.json';
      sendStatic(ctx, await prepared, maxAgeSeconds);
    } else {
      await next();
    }
  };
}

import type { OpenApiDocument } from './document';
import { sendStatic, prepareStaticResponse, type StaticResponse } from '../response/staticResponse';
import type { ApiMiddleware } from '../state';

const maxAgeSeconds = 60;

/** The texts of the documents of this process: describing every schema takes half a second, and a test starts many APIs. */
const documentCache = new WeakMap<object, Map<string, Promise<StaticResponse>>>();

/** What a document is made of: it is the same text for the same records and URL. */
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

/** Serves an API's own description at `<prefix>/openapi.json`, without a key (section Versioning); throws where it cannot be said. */
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

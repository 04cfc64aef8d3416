import type { OpenApiDocument } from './openapi/document';
import { answerStatic, prepareAnswer } from './staticAnswer';
import type { ApiMiddleware } from './state';

const maxAgeSeconds = 60;

/** Serves an API's own description at `<prefix>/openapi.json`, without a key (section Versioning); the text is made once. */
export function serveDocument(prefix: string, document: OpenApiDocument): ApiMiddleware {
  const path = `${prefix}/openapi.json`;
  const prepared = prepareAnswer('application/json; charset=utf-8', Buffer.from(JSON.stringify(document)));
  return async (ctx, next) => {
    if (ctx.path === path) {
      ctx.state.route = '/openapi.json';
      answerStatic(ctx, await prepared, maxAgeSeconds);
    } else {
      await next();
    }
  };
}

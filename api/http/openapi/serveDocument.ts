import type { OpenApiDocument } from './document';
import { answerStatic, prepareAnswer, type StaticAnswer } from '../response/staticResponse';
import type { ApiMiddleware } from '../state';

const maxAgeSeconds = 60;

/** The texts of the documents of this process: describing every schema takes half a second, and a test starts many APIs. */
const texts = new WeakMap<object, Map<string, Promise<StaticAnswer>>>();

/** What a document is made of: it is the same text for the same records and URL. */
interface Described<Records extends object> {
  records: Records;
  baseUrl: string;
  describe: (records: Records, baseUrl: string) => OpenApiDocument;
}

function textOf<Records extends object>({ records, baseUrl, describe }: Described<Records>): Promise<StaticAnswer> {
  const ofRecords = texts.get(records) ?? new Map<string, Promise<StaticAnswer>>();
  texts.set(records, ofRecords);
  const text = ofRecords.get(baseUrl)
    ?? prepareAnswer('application/json; charset=utf-8', Buffer.from(JSON.stringify(describe(records, baseUrl))));
  ofRecords.set(baseUrl, text);
  return text;
}

/** Serves an API's own description at `<prefix>/openapi.json`, without a key (section Versioning); throws where it cannot be said. */
export function serveDocument<Records extends object>(prefix: string, described: Described<Records>): ApiMiddleware {
  const path = `${prefix}/openapi.json`;
  const prepared = textOf(described);
  return async (ctx, next) => {
    if (ctx.path === path) {
      ctx.state.route = '/openapi.json';
      answerStatic(ctx, await prepared, maxAgeSeconds);
    } else {
      await next();
    }
  };
}

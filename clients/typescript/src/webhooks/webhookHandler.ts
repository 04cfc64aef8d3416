import { readFetchBody, readNodeBody, type NodeRequest } from './rawBody';
import { webhookReceiver, type WebhookHandlerOptions, type WebhookResponse } from './receiveWebhook';

/** A response of node:http, or of Express. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): { end(body: string): unknown };
}

/** A context of Koa. */
export interface KoaContext {
  req: NodeRequest;
  request: object;
  status: number;
  body: unknown;
  set(headers: Record<string, string>): unknown;
}

/** An instance of Fastify, as far as the handler uses it. */
export interface FastifyInstance {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(contentType: string, parser: (request: unknown, payload: unknown, done: (error: Error | null) => void) => void): unknown;
  post(path: string, handler: (request: { raw: NodeRequest }, reply: FastifyReply) => Promise<unknown>): unknown;
}

/** A reply of Fastify. */
export interface FastifyReply {
  code(status: number): unknown;
  headers(headers: Record<string, string>): unknown;
  send(body: string): unknown;
}

/** One handler of webhooks, for each framework. */
export interface WebhookHandler {
  /** `createServer(hooks.node)` */
  node(request: NodeRequest, response: NodeResponse): Promise<void>;
  /** `app.post('/hooks', hooks.express)`, before `express.json()`, or behind `express.raw({ type: '*' + '/*' })` */
  express(request: NodeRequest, response: NodeResponse): Promise<void>;
  /** `router.post('/hooks', hooks.koa)`, before a body parser */
  koa(context: KoaContext): Promise<void>;
  /** `app.register(hooks.fastify, { path: '/hooks' })`: a plugin, whose parsers change nothing outside of it */
  fastify(instance: FastifyInstance, options: { path: string }): Promise<void>;
  /** `export const POST = hooks.fetch` in Next.js; `app.post('/hooks', (c) => hooks.fetch(c.req.raw))` in Hono */
  fetch(request: Request): Promise<Response>;
}

/** What a body parser of Koa leaves of the raw body. */
const keptByKoa = (request: object): unknown => ('rawBody' in request ? request.rawBody : undefined);

/**
 * Returns a handler of webhooks. It verifies the signature over the raw body, passes each event to its function once, as
 * far as `store` remembers, and answers 2xx after the function has ended. A function that throws gets the event again.
 */
export function webhookHandler(options: WebhookHandlerOptions): WebhookHandler {
  const receive = webhookReceiver(options);

  const receiveNode = (request: NodeRequest, kept: readonly unknown[] = []): Promise<WebhookResponse> =>
    receive({
      method: request.method ?? '',
      headers: request.headers,
      readBody: (maxBytes) => readNodeBody(request, maxBytes, kept),
    });

  const node: WebhookHandler['node'] = async (request, response) => {
    const { status, headers, body } = await receiveNode(request);
    response.writeHead(status, headers).end(body);
  };

  return {
    node,
    express: node,
    koa: async (context) => {
      const { status, headers, body } = await receiveNode(context.req, [keptByKoa(context.request)]);
      context.set(headers);
      context.body = body;
      context.status = status;
    },
    fastify: async (instance, { path }) => {
      instance.removeAllContentTypeParsers();
      // The handler reads the stream itself.
      instance.addContentTypeParser('*', (_request, _payload, done) => done(null));
      instance.post(path, async (request, reply) => {
        const { status, headers, body } = await receiveNode(request.raw);
        reply.code(status);
        reply.headers(headers);
        return reply.send(body);
      });
    },
    fetch: async (request) => {
      const { status, headers, body } = await receive({
        method: request.method,
        headers: request.headers,
        readBody: (maxBytes) => readFetchBody(request, maxBytes),
      });
      return new Response(body === '' ? null : body, { status, headers });
    },
  };
}

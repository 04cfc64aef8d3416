import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import express from 'express';
import { fastify } from 'fastify';
import Koa from 'koa';
import type { WebhookHandler } from '../../clients/typescript/src';
import { newId } from '../../domain/ids';
import { signWebhook } from '../../domain/webhooks/signature';

/** A server with a handler at `/hooks`. */
export interface WebhookServer {
  url: string;
  host: string;
  close(): Promise<void>;
}

/** Where a body parser is: after the handler, as the documents say, or before it. */
export type Parser = 'after' | 'before';

const listen = async (server: Server): Promise<WebhookServer> => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}/hooks`,
    host,
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
};

const startListener = (listener: RequestListener): Promise<WebhookServer> => listen(createServer(listener));

function expressApp(hooks: WebhookHandler, parser: Parser): RequestListener {
  const app = express();
  if (parser === 'before') app.use(express.json());
  app.all('/hooks', hooks.express);
  return app;
}

function koaApp(hooks: WebhookHandler, parser: Parser): RequestListener {
  const app = new Koa();
  if (parser === 'before') {
    app.use(async ({ req, request }, next) => {
      Object.assign(request, { body: JSON.parse(await text(req)) });
      await next();
    });
  }
  app.use((context, next) => (context.path === '/hooks' ? hooks.koa(context) : next()));
  const handle = app.callback();
  return (request, response) => void handle(request, response);
}

async function startFastify(hooks: WebhookHandler): Promise<WebhookServer> {
  const app = fastify();
  await app.register(hooks.fastify, { path: '/hooks' });
  app.post('/other', async ({ body }) => body);
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url: `${origin}/hooks`, host: new URL(origin).host, close: () => app.close() };
}

/** Serves a function of the fetch API, as frameworks on it do. */
const startFetchServer = (handle: (request: Request) => Promise<Response>): Promise<WebhookServer> =>
  startListener((request, response) => {
    void (async () => {
      const { method = '', headers } = request;
      const body = method === 'POST' ? { body: await buffer(request) } : {};
      const named = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
      const answer = await handle(new Request('http://localhost/hooks', { method, headers: named, ...body }));
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    })();
  });

/** Every framework that the handler is made for, by its name. */
export const frameworks = {
  'node:http': (hooks: WebhookHandler) => startListener((request, response) => void hooks.node(request, response)),
  Express: (hooks: WebhookHandler, parser: Parser = 'after') => startListener(expressApp(hooks, parser)),
  Koa: (hooks: WebhookHandler, parser: Parser = 'after') => startListener(koaApp(hooks, parser)),
  Fastify: startFastify,
  'the fetch API': (hooks: WebhookHandler, parser: Parser = 'after') =>
    startFetchServer(async (request) => {
      if (parser === 'before') await request.text();
      return hooks.fetch(request);
    }),
} satisfies Record<string, (hooks: WebhookHandler, parser?: Parser) => Promise<WebhookServer>>;

/** Serves a handler behind `express.raw()`, which leaves the bytes as they came. */
export const startExpressRaw = (hooks: WebhookHandler): Promise<WebhookServer> =>
  startListener(express().use(express.raw({ type: () => true })).post('/hooks', hooks.express));

/** An event as it is posted. */
export interface PostedEvent {
  id?: string;
  type?: string;
  data?: object;
}

/** The body of an event. */
export const eventBody = ({ id = newId('evt'), type = 'student.email_mapped', data = { student_id: 'stu_1' } }: PostedEvent = {}): string =>
  JSON.stringify({ id, type, created_at: '2026-11-20T09:30:00.000Z', institution_id: 'ins_1', data });

/** Posts a body with these headers; returns status, and `error` of a response that has one. */
export async function postBody(url: string, body: string, headers: Record<string, string>): Promise<{ status: number; error: unknown; headers: Headers }> {
  const response = await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body });
  const answer = await response.text();
  const parsed: unknown = answer === '' ? {} : JSON.parse(answer);
  return { status: response.status, error: typeof parsed === 'object' && parsed !== null && 'error' in parsed ? parsed.error : undefined, headers: response.headers };
}

/** Posts a body, signed as the service signs; returns status, and `error` of a response that has one. */
export function postSigned(url: string, secret: string, body: string, signedSecondsAgo = 0): ReturnType<typeof postBody> {
  const headers = signWebhook({ secrets: [secret], eventId: 'evt_1', timestampSeconds: Math.floor(Date.now() / 1_000) - signedSecondsAgo, body });
  return postBody(url, body, headers);
}

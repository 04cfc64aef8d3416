import Joi from 'joi';
import Koa from 'koa';
import { operation, type Method } from '../../../api/http/operation';
import { errorResponse } from '../../../api/http/errors';
import { decodeRoutePath, operationRoutes, unknownPath } from '../../../api/http/router';
import type { RequestState } from '../../../api/http/state';
import { listen, type Listener } from '../../../api/listener';

const record = (method: Method, path: string) =>
  operation({
    method, path, operationId: `${method} ${path}`, tag: 'Tests', summary: 'A test.', access: { key: null }, response: Joi.object({}), errors: [], transaction: 'none',
    handle: async () => ({}),
  });

const records = [record('GET', '/things/:id'), record('PATCH', '/things/:id'), record('POST', '/things/bulk'), record('GET', '/things/:id/parts/:partId'),
  record('GET', '/people/:id'), record('POST', '/people/:id/suspend'), record('POST', '/people/:id/erase'), record('PATCH', '/members/:id'), record('POST', '/members/:id/erase')].flatMap((one) => one.public ?? []);

let listener: Listener;

beforeAll(async () => {
  const app = new Koa<RequestState>();
  app.use(async (ctx, next) => {
    await next().catch((error: unknown) => {
      const { status, body } = errorResponse(error, 'req_1');
      ctx.status = status;
      ctx.body = body;
    });
  });
  app.use(decodeRoutePath('/v1'));
  app.use(operationRoutes('/v1', records, async ({ operationId }, params, ctx) => {
    ctx.body = { operationId, params };
  }).routes());
  app.use(unknownPath('/v1', records));
  listener = await listen(app, '127.0.0.1', 0);
});

afterAll(() => listener.close(0));

async function ask(method: string, path: string) {
  const response = await fetch(`http://127.0.0.1:${listener.port}/v1${path}`, { method });
  const { error, message, ...body } = JSON.parse((await response.text()) || '{}');
  return { status: response.status, allow: response.headers.get('allow'), error, message, ...body };
}

it('a path is compared decoded', async () => {
  expect(await ask('GET', '/%74hings/a')).toMatchObject({ operationId: 'GET /things/:id', params: { id: 'a' } });
  expect(await ask('POST', '/things/b%75lk')).toMatchObject({ operationId: 'POST /things/bulk' });
});

it.each([['a%40b.c', 'a@b.c'], ['a%2Fb', 'a/b'], ['%252F', '%2F'], ['%25', '%'], ['%C3%BC', 'ü'], ['a;b', 'a;b'], ['%2e%2e%2f', '../']])('a parameter is decoded once: %s', async (sent, id) => {
  expect(await ask('GET', `/things/${sent}/parts/p`)).toMatchObject({ params: { id, partId: 'p' } });
});

it('a parameter is as long as the request line lets it be', async () => {
  const id = 'a'.repeat(15_000);
  expect(await ask('GET', `/things/${id}`)).toMatchObject({ params: { id } });
});

it.each(['/things/%', '/things/%zz', '/things/%ff', '/things/', '/things/a/parts/', '/things/a/', '/Things/a', '/things', '//things/a'])('no path: %s', async (path) => {
  expect(await ask('GET', path)).toMatchObject({ status: 404, error: 'not_found', message: expect.stringMatching(/^No such path: /) });
});

it.each([['/thing/a', '/v1/things/{id}'], ['/Things/a', '/v1/things/{id}'], ['/things/bulks', undefined], ['/things/a/partz/p', '/v1/things/{id}/parts/{partId}'], ['/things/a/', undefined], ['/elsewhere/a', undefined], [`/${'t'.repeat(10_000)}/a`, undefined]])(
  'the message about an unknown path names the one that was probably meant: %.30s', async (path, meant) => {
    const { message = '' } = await ask('GET', path);
    expect(/Did you mean (\S+)\?/.exec(message)?.[1]).toBe(meant);
  });

it('a word wins over a parameter for every method, and Allow names its methods alone', async () => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    expect(await ask(method, '/things/bulk')).toMatchObject({ status: 501, error: 'not_implemented', allow: 'POST', message: 'This path has the methods POST.' });
  }
  expect(await ask('DELETE', '/things/a')).toMatchObject({ status: 501, allow: 'GET, HEAD, PATCH' });
});

it('a DELETE that does not exist names what there is in its place', async () => {
  expect(await ask('DELETE', '/things/a/parts/p')).toMatchObject({ status: 501, message: 'This path has the methods GET, HEAD.' });
  expect(await ask('DELETE', '/people/a')).toMatchObject({ status: 501, message: 'This path has the methods GET, HEAD. In its place: POST /v1/people/{id}/suspend or POST /v1/people/{id}/erase.' });
  expect(await ask('DELETE', '/members/a')).toMatchObject({ status: 501, message: 'This path has the methods PATCH. In its place: PATCH with "status": "suspended" or POST /v1/members/{id}/erase.' });
  expect(await ask('PUT', '/people/a')).toMatchObject({ status: 501, message: 'This path has the methods GET, HEAD.' });
});

it('HEAD is answered as GET', async () => {
  expect(await ask('HEAD', '/things/a')).toMatchObject({ status: 200 });
  expect(await ask('HEAD', '/things/bulk')).toMatchObject({ status: 501, allow: 'POST' });
});

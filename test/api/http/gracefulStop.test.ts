import { connect } from 'node:net';
import { startApi } from '../../../api/start';
import { createLogger } from '../../../config/logger';
import { eventually } from '../../support/eventually';
import { openRawConnection, requestHead } from '../../support/rawHttp';
import { apiFixture } from '../../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });

const refusesConnections = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });

const body = '{"full_name":"Last Student"}';
const requestHeadFor = (apiKey: string): string =>
  requestHead('POST', '/v1/students', {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'content-length': body.length,
    connection: 'keep-alive',
  });

it('lets a request in flight finish, takes no new connection, and then is gone at once', async () => {
  const running = await startApi({ ...api.settings, shutdownTimeoutMs: 20_000 }, createLogger('api', 'silent'));
  const idle = await openRawConnection(running.port);
  const { socket, response } = await openRawConnection(running.port);
  socket.write(requestHeadFor(institution.apiKey) + body.slice(0, 10));
  await eventually('the request has been let in', async () => {
    const [key] = await api.api.domain.database.sql<{ last_used_at: Date | null }>('SELECT last_used_at FROM api_keys WHERE id = $1', [institution.keyId]);
    return key?.last_used_at;
  });
  const stopped = running.stop();
  await eventually('new connections are refused', () => refusesConnections(running.port));
  const asked = Date.now();
  socket.write(body.slice(10));
  const { status, body: created } = (await response) ?? {};
  expect([status, created?.data.full_name]).toEqual([200, 'Last Student']);
  await stopped;
  expect(Date.now() - asked).toBeLessThan(15_000);
  await idle.response;
});

it('still takes calls while it drains, the last one of each connection, and says that none should be sent', async () => {
  const running = await startApi({ ...api.settings, shutdownTimeoutMs: 20_000, shutdownDrainMs: 2_000 }, createLogger('api', 'silent'));
  const idle = await openRawConnection(running.port);
  const stopped = running.stop();
  const ready = await fetch(`http://127.0.0.1:${running.platformPort}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([503, { status: 'stopping', dependencies: { postgres: true } }]);
  const call = await fetch(`http://127.0.0.1:${running.port}/v1/institution`, { headers: { authorization: `Bearer ${institution.apiKey}` } });
  expect([call.status, call.headers.get('connection')]).toEqual([200, 'close']);
  idle.socket.write(requestHead('GET', '/v1/institution', { authorization: `Bearer ${institution.apiKey}`, connection: 'keep-alive' }));
  expect((await idle.response)?.status).toBe(200);
  await stopped;
  expect(await refusesConnections(running.port)).toBe(true);
});

it('cuts off a request that does not finish within the shutdown timeout', async () => {
  const running = await startApi({ ...api.settings, shutdownTimeoutMs: 300 }, createLogger('api', 'silent'));
  const { socket, response } = await openRawConnection(running.port);
  socket.write(requestHeadFor(institution.apiKey) + body.slice(0, 10));
  const began = Date.now();
  await running.stop();
  expect(Date.now() - began).toBeLessThan(15_000);
  await response;
});

it('stops though a client keeps its connection', async () => {
  const running = await startApi({ ...api.settings, shutdownTimeoutMs: 20_000 }, createLogger('api', 'silent'));
  const response = await fetch(`http://127.0.0.1:${running.port}/v1/me`, { headers: { authorization: `Bearer ${institution.apiKey}`, connection: 'keep-alive' } });
  await response.text();
  const began = Date.now();
  await running.stop();
  expect(Date.now() - began).toBeLessThan(15_000);
});

it('lets a call of an app finish, too, and closes every listener', async () => {
  const running = await startApi({ ...api.settings, shutdownTimeoutMs: 20_000 }, createLogger('api', 'silent'));
  const signInBody = '{"login_email":"student9.00000000@nowhere.example","code":"123456"}';
  const { socket, response } = await openRawConnection(running.appPort);
  socket.write(requestHead('POST', '/platform/v1/sign-in/sessions', { 'content-type': 'application/json', 'content-length': signInBody.length, connection: 'keep-alive' }) + signInBody.slice(0, 10));
  // The head has arrived once a request behind it is answered.
  await (await fetch(`http://127.0.0.1:${running.appPort}/healthz`)).text();
  const stopped = running.stop();
  for (const port of [running.port, running.platformPort, running.appPort]) await eventually('new connections are refused', () => refusesConnections(port));
  socket.write(signInBody.slice(10));
  expect((await response)?.status).toBe(401);
  await stopped;
});

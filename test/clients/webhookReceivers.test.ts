import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Pool } from 'pg';
import { InstitutionClient } from '../../clients/typescript/src';
import { freePort } from '../../local/ports';
import type { RunningWorker } from '../../worker/start';
import { startTestApi, type TestApi } from '../support/api';
import { installClient, type ClientProject } from '../support/clientPackage';
import { codeBlock, writePrograms, type ProgramFolder } from '../support/documents';
import { eventually } from '../support/eventually';
import { stack } from '../support/stack';
import { startTestWorker } from '../support/worker';

// Receivers of the client's README, and a real service that sends to them.

const readme = 'clients/typescript/README.md';
const packages = join(__dirname, '../../node_modules');

/** What Next.js does with a route, in the least that a test can do. */
const routeServer = `
const { createServer } = require('node:http');
const { buffer } = require('node:stream/consumers');
const { POST } = require('./route');
createServer(async (request, response) => {
  const answer = await POST(new Request('http://localhost/hooks', { method: request.method, headers: Object.entries(request.headers), body: await buffer(request) }));
  response.writeHead(answer.status).end();
}).listen(Number(process.env.PORT));
`;

/** Its function fails the first time. */
const failingServer = `
const { createServer } = require('node:http');
const { webhookHandler } = require('@institution/client');
let calls = 0;
const onEvent = ({ type, data }) => {
  calls += 1;
  if (calls === 1) throw new Error('The first time fails');
  console.log(type, data.student_id);
};
const hooks = webhookHandler({ secret: process.env.WEBHOOK_SECRETS.split(' '), onEvent, onError: ({ message }) => console.log(message) });
createServer(hooks.node).listen(Number(process.env.PORT));
`;

/** The programs; the two of Express share a table. */
const receivers = [
  { name: 'express.js', schema: 'shared' },
  { name: 'express.js', schema: 'shared' },
  { name: 'koa.js', schema: 'koa' },
  { name: 'fastify.js', schema: 'fastify' },
  { name: 'serveRoute.js', schema: 'fetch_api' },
  { name: 'failing.js', schema: 'failing' },
].map((receiver) => ({ ...receiver, port: 0, printed: '' }));

const running: ChildProcessWithoutNullStreams[] = [];
let installed: ClientProject;
let programs: ProgramFolder;
let pool: Pool;
let api: TestApi;
let worker: RunningWorker;
let client: InstitutionClient;

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => { socket.destroy(); resolve(true); });
    socket.once('error', () => resolve(false));
  });

/** Creates an endpoint for a receiver and starts it with the endpoint's secret. */
async function start(receiver: (typeof receivers)[number], databaseUrl: string): Promise<void> {
  const { name, schema, port } = receiver;
  const { secret } = await client.call('POST', '/webhooks/endpoints', { body: { url: `http://127.0.0.1:${port}/hooks`, events: ['student.created'] } });
  const schemaUrl = `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}options=-c%20search_path%3D${schema}`;
  const program = programs.start(name, { PORT: String(port), WEBHOOK_SECRETS: secret, DATABASE_URL: schemaUrl });
  running.push(program);
  program.stdout.on('data', (chunk: Buffer) => { receiver.printed += chunk.toString(); });
  program.stderr.on('data', (chunk: Buffer) => { receiver.printed += chunk.toString(); });
  await eventually(`${name} listens`, () => isListening(port));
}

beforeAll(async () => {
  const installing = installClient();
  programs = writePrograms(readme, ['hooks.ts', 'postgresStore.ts', 'express.ts', 'koa.ts', 'fastify.ts', 'route.ts']);
  programs.write('serveRoute.js', routeServer);
  programs.write('failing.js', failingServer);
  for (const receiver of receivers) receiver.port = await freePort();
  const { ownerDatabaseUrl } = await stack();
  pool = new Pool({ connectionString: ownerDatabaseUrl });
  for (const schema of new Set(receivers.map((receiver) => receiver.schema))) {
    await pool.query(`CREATE SCHEMA ${schema}; SET search_path TO ${schema}; ${codeBlock(readme, 'received-events.sql')}; RESET search_path`);
  }
  api = await startTestApi({ webhookTrustedHosts: receivers.map(({ port }) => `127.0.0.1:${port}`) });
  worker = await startTestWorker(api.settings);
  const { apiKey } = await api.institution();
  client = new InstitutionClient({ baseUrl: api.baseUrl, apiKey });
  installed = await installing;
  installed.linkInto(programs.folder);
  for (const name of ['express', 'koa', 'fastify', 'pg']) symlinkSync(join(packages, name), join(programs.folder, 'node_modules', name));
  for (const receiver of receivers) await start(receiver, ownerDatabaseUrl);
});

afterAll(async () => {
  for (const program of running) {
    const ended = once(program, 'exit');
    program.kill('SIGKILL');
    await ended;
  }
  await worker.stop();
  await api.stop();
  await pool.end();
  programs.remove();
  installed.remove();
});

it('each receiver processes each event once, two with one table process it once together, and one that fails gets it again', async () => {
  const created: string[] = [];
  for (let nth = 0; nth < 3; nth += 1) created.push((await client.call('POST', '/students', { body: {} })).id);
  const wanted = created.map((id) => `student.created ${id}`).sort();
  const printedBy = (schema: string): string[] => receivers.filter((receiver) => receiver.schema === schema).flatMap(({ printed }) => printed.trim().split('\n')).filter((line) => line !== '').sort();
  await eventually('every delivery', async () => {
    const { items } = await client.call('GET', '/webhooks/deliveries', { query: { limit: 200 } });
    return items.length === wanted.length * receivers.length && items.every(({ status }) => status === 'delivered');
  });
  const printed = ['shared', 'koa', 'fastify', 'fetch_api', 'failing'].map((schema) => [schema, printedBy(schema)]);
  const others = ['shared', 'koa', 'fastify', 'fetch_api'].map((schema) => [schema, wanted]);
  expect(printed).toEqual([...others, ['failing', ['The first time fails', ...wanted]]]);
});

it('every receiver answers a test delivery with 204', async () => {
  const { items } = await client.call('GET', '/webhooks/endpoints');
  for (const { id } of items) {
    const tested = await client.call('POST', '/webhooks/endpoints/{id}/test', { path: { id } });
    expect([tested.delivered, tested.response_code]).toEqual([true, 204]);
  }
});

import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../local/ports';
import { installClient, typeErrorsIn, type ClientProject } from '../support/clientPackage';
import { codeBlock, writePrograms, type ProgramFolder } from '../support/documents';
import { startStubServer, succeeds, type StubServer } from '../support/stubServer';

const packages = join(__dirname, '../../node_modules');
const readme = 'clients/typescript/README.md';
const apiKey = `svc_live_${'k'.repeat(32)}`;

let client: ClientProject;
let programs: ProgramFolder;
let server: StubServer;
let proxy: Server;
let asked: string[];

beforeAll(async () => {
  client = await installClient();
  programs = writePrograms(readme, ['proxy.ts']);
  client.linkInto(programs.folder);
  symlinkSync(join(packages, 'undici'), join(programs.folder, 'node_modules/undici'));
  server = await startStubServer([succeeds({ institution: { name: 'North' } })]);
  asked = [];
  // It leads everything to the server.
  proxy = createServer().on('connect', ({ url = '' }, socket) => {
    asked.push(url);
    const target = connect(Number(new URL(server.baseUrl).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    for (const end of [socket, target]) end.on('error', () => end.destroy());
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  proxy.close();
  proxy.closeAllConnections();
  await server.close();
  programs.remove();
  client.remove();
});

it('the program of the README calls through the proxy of HTTPS_PROXY', async () => {
  const { port } = proxy.address() as AddressInfo;
  // Nothing listens there.
  const target = `localhost:${await freePort()}`;
  const output = await programs.run('proxy.js', { environment: { BASE_URL: `http://${target}/v1`, API_KEY: apiKey, HTTPS_PROXY: `http://127.0.0.1:${port}` } });
  expect([output, asked]).toEqual(['North\n', [target]]);
});

it('the program of the README agrees with the types of the client and of undici 6', async () => {
  const typed = writePrograms(readme, []);
  mkdirSync(join(typed.folder, 'node_modules'));
  client.linkInto(typed.folder, '@institution');
  symlinkSync(join(packages, 'undici-types'), join(typed.folder, 'node_modules/undici'));
  typed.write('proxy.ts', codeBlock(readme, 'proxy.ts'));
  expect(await typeErrorsIn(typed.folder, ['proxy.ts'])).toBe('');
  typed.remove();
});

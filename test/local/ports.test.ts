import { createServer, type Server } from 'node:net';
import { errorMessage } from '../../local/errors';
import { freePort, requireFreePorts } from '../../local/ports';

let holder: Server;
let taken: number;
beforeAll(async () => {
  taken = await freePort();
  holder = createServer();
  await new Promise<void>((resolve) => holder.listen(taken, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => holder.close(resolve)));

test('a taken port is named together with its variable, whichever address it is taken on', async () => {
  const message = `Port ${taken} (PORT) is taken by another program; free it or set PORT to another`;
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    await expect(requireFreePorts([{ variable: 'PORT', host, port: taken }])).rejects.toThrow(message);
  }
});

test('all problems are reported together', async () => {
  const free = await freePort();
  const error = await requireFreePorts([
    { variable: 'PORT', host: '127.0.0.1', port: free },
    { variable: 'WORKER_PORT', host: '127.0.0.1', port: taken },
    { variable: 'PLATFORM_PORT', host: '127.0.0.1', port: free },
  ]).then(() => '', errorMessage);
  expect(error.split('\n')).toEqual([
    expect.stringContaining(`Port ${taken} (WORKER_PORT)`),
    `PLATFORM_PORT and PORT both name port ${free}`,
  ]);
});

test('a free port can be listened on', async () => {
  await expect(requireFreePorts([{ variable: 'PORT', host: '0.0.0.0', port: await freePort() }])).resolves.toBeUndefined();
});

test('no two ports that a process is given are the same, though nothing listens on them yet', async () => {
  const given: number[] = [];
  for (let nth = 0; nth < 400; nth += 1) given.push(await freePort());
  expect(new Set(given).size).toBe(given.length);
});

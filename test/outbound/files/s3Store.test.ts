import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { newId } from '../../../domain/ids';
import { openS3Store, type S3StoreOptions } from '../../../outbound/files/s3Store';
import { eventually } from '../../support/eventually';
import { startS3Server, type DedicatedS3Server } from '../../support/s3Server';
import { bytesOf, describeStore, openSpool } from './storeRules';

let server: DedicatedS3Server;
let store: Awaited<ReturnType<typeof openS3Store>>;
const spool = openSpool();

beforeAll(async () => {
  server = await startS3Server();
  store = await openS3Store(server);
});

afterAll(async () => {
  store.close();
  spool.remove();
  await server.stop();
});

describeStore(() => ({ store, spool }));

const zip = { filename: 'Übung 1 "final".zip', contentType: 'application/zip' };

it('its URLs return the bytes with the name and type of the file, and work for no other file, name or type', async () => {
  const [id, bytes] = [newId('file'), randomBytes(300_000)];
  await store.put(id, spool.write(bytes));
  const { url } = await store.signedUrl({ id, ...zip }, new Date());
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  expect(answer.headers.get('content-disposition')).toBe("attachment; filename=\"_bung 1 _final_.zip\"; filename*=UTF-8''%C3%9Cbung%201%20%22final%22.zip");
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  expect((await fetch(url.replace(id, newId('file')))).status).toBe(403);
  expect((await fetch(url.replace('application%2Fzip', 'text%2Fhtml'))).status).toBe(403);
});

it('its URLs are good for an hour and no longer', async () => {
  const id = newId('file');
  await store.put(id, spool.write(Buffer.from('short')));
  const before = (seconds: number) => new Date(Date.now() - seconds * 1_000);
  expect((await fetch((await store.signedUrl({ id, ...zip }, before(3_590))).url)).status).toBe(200);
  expect((await fetch((await store.signedUrl({ id, ...zip }, before(3_602))).url)).status).toBe(403);
});

it('bytes that are not those of the digest are not kept', async () => {
  const [id, spooled] = [newId('file'), spool.write(Buffer.from('changed on the way'))];
  await expect(store.put(id, { ...spooled, sha256: '0'.repeat(64) })).rejects.toThrow();
  await expect(store.open(id)).rejects.toThrow();
});

const mebibyte = 1024 * 1024;

it('a file of any size is stored: in parts from some size on, with its bytes, name and type', async () => {
  const inParts = await openS3Store({ ...server, partBytes: 5 * mebibyte });
  const [id, bytes] = [newId('file'), randomBytes(12 * mebibyte)];
  await inParts.put(id, spool.write(bytes));
  const answer = await fetch((await inParts.signedUrl({ id, ...zip }, new Date())).url);
  expect([answer.headers.get('etag'), answer.headers.get('content-type')]).toEqual([expect.stringMatching(/-3"$/), 'application/zip']);
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  inParts.close();
});

it('a file in parts whose bytes are not those of the digest, or that is gone meanwhile, is not kept', async () => {
  const inParts = await openS3Store({ ...server, partBytes: 5 * mebibyte });
  const [id, spooled] = [newId('file'), spool.write(randomBytes(12 * mebibyte))];
  await expect(inParts.put(id, { ...spooled, sha256: '0'.repeat(64) })).rejects.toThrow('digest');
  await expect(inParts.put(id, { ...spooled, path: `${spooled.path}.gone` })).rejects.toThrow('ENOENT');
  await expect(inParts.open(id)).rejects.toThrow();
  inParts.close();
});

it('of a file in parts whose upload fails, no part is left in the bucket', async () => {
  const timeouts = { connect: 5_000, idle: 20_000, response: 30_000, put: 1 };
  const impatient = await openS3Store({ ...server, partBytes: 5 * mebibyte, timeouts });
  const inBucket = () => readdirSync(server.objects, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
  const before = inBucket();
  await expect(impatient.put(newId('file'), spool.write(randomBytes(12 * mebibyte)))).rejects.toThrow();
  await eventually('nothing is left', () => Promise.resolve(inBucket() === before));
  impatient.close();
});

it('a bucket that is not there, or a wrong key, is an error at once', async () => {
  const spooled = spool.write(Buffer.from('nowhere'));
  const others: S3StoreOptions[] = [{ ...server, bucket: 'no-such-bucket' }, { ...server, credentials: { ...server.credentials, secretAccessKey: 'wrong' } }];
  for (const options of others) {
    const other = await openS3Store(options);
    const began = performance.now();
    await expect(other.put(newId('file'), spooled)).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(5_000);
    other.close();
  }
});

it('a server that accepts and says nothing is given up', async () => {
  let connections = 0;
  const silent = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    socket.resume();
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  if (address === null || typeof address === 'string') throw new Error('The silent server has no port');
  const timeouts = { connect: 300, idle: 300, response: 300, put: 300 };
  const other = await openS3Store({ ...server, endpoint: `http://127.0.0.1:${address.port}`, timeouts });
  await expect(other.put(newId('file'), spool.write(Buffer.from('hello')))).rejects.toThrow();
  expect(connections).toBe(3);
  await expect(other.delete(newId('file'))).rejects.toThrow();
  await expect(other.open(newId('file'))).rejects.toThrow();
  expect(connections).toBe(9);
  other.close();
  await new Promise((resolve) => silent.close(resolve));
});

it('a file that the server loses during a restart is stored again', async () => {
  const [id, bytes] = [newId('file'), randomBytes(100_000)];
  server.signal('SIGKILL');
  await store.put(id, spool.write(bytes));
  expect((await bytesOf(store, id)).equals(bytes)).toBe(true);
  expect(readdirSync(server.objects)).toContain(id);
});

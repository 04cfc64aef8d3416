import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { signFileUrl } from '../../../domain/files/fileUrls';
import { newId } from '../../../domain/ids';
import { eventually } from '../../support/eventually';
import { seedExam } from '../../support/seed/exams';
import { openRawConnection, requestHead } from '../../support/rawHttp';
import { apiFixture } from '../../support/apiFixture';
import { upload, zipOf } from '../../support/uploads';

const { api, institution } = apiFixture({ institutionPer: 'file' });
let examId: string;

beforeAll(async () => {
  examId = await seedExam(api, institution);
});

async function stored(bytes: Buffer, filename = 'starter.zip', type = 'application/zip'): Promise<string> {
  return (await upload(api, institution.apiKey, examId, zipOf(bytes, { filename, type }))).data.ref;
}

/** Where this test's API serves a file under a URL as the store signs it. */
async function urlOf(id: string, now = new Date()): Promise<string> {
  const { url } = await api.api.domain.files.signedUrl({ id, filename: 'a', contentType: 'a/b' }, now);
  return url.replace(api.settings.publicBaseUrl, api.baseUrl);
}

const errorOf = async (url: string, init: RequestInit = {}): Promise<unknown> => {
  const answer = await fetch(url, init);
  return [answer.status, JSON.parse(await answer.text())];
};
const none = [404, { success: false, error: 'not_found', message: 'No such file. A URL of a file is good for one hour, and only as it came: read again what it came with, such as the submission, for a new one.' }];

it('a signed URL serves the bytes without a key, to be saved and never shown', async () => {
  const bytes = randomBytes(200_000);
  const url = await urlOf(await stored(bytes, 'Übung 1;x.html', 'text/html'));
  const answer = await fetch(url);
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/html',
    'content-length': '200000',
    'content-disposition': "attachment; filename=\"_bung 1;x.html\"; filename*=UTF-8''%C3%9Cbung%201%3Bx.html",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'content-security-policy': "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    'x-request-id': expect.stringMatching(/^req_/),
  });
});

it('HEAD says the same without the bytes', async () => {
  const url = await urlOf(await stored(Buffer.from('bytes')));
  const answer = await fetch(url, { method: 'HEAD' });
  expect([answer.status, answer.headers.get('content-length'), answer.headers.get('content-type'), await answer.text()]).toEqual([200, '5', 'application/zip', '']);
});

// Contract: submissions.fields.signed-attachments, limits.attachment-urls.one-hour
it('a URL is good for an hour and not a second longer', async () => {
  const id = await stored(Buffer.from('short'));
  const before = (seconds: number): Date => new Date(Date.now() - seconds * 1_000);
  expect((await fetch(await urlOf(id, before(3_600 - 5)))).status).toBe(200);
  expect(await errorOf(await urlOf(id, before(3_600 + 1)))).toEqual(none);
});

it('a URL is good for its file and expiry alone, with its signature unchanged', async () => {
  const [id, other] = [await stored(Buffer.from('mine')), await stored(Buffer.from('other'))];
  const url = await urlOf(id);
  const { expires = '', signature = '' } = Object.fromEntries(new URL(url).searchParams) as Record<string, string>;
  const flipped = `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`;
  const spoilt = [
    url.replace(id, other),
    url.replace(expires, String(Number(expires) + 1)),
    url.replace(signature, flipped),
    url.replace(signature, `${signature}0`),
    url.replace(signature, ''),
    url.replace(signature, signature.slice(0, 32)),
    url.replace(`expires=${expires}`, `expires=%20${expires}`),
    url.replace(`expires=${expires}`, `expires=${expires}.0`),
    url.replace(`expires=${expires}&`, ''),
    url.slice(0, url.indexOf('?')),
  ];
  for (const wrong of spoilt) expect([wrong, await errorOf(wrong)]).toEqual([wrong, none]);
  expect((await fetch(url)).status).toBe(200);
});

it('what is signed but not stored is not found: unknown, being stored, removed', async () => {
  const { secrets, database } = api.api.domain;
  const expires = Math.floor(Date.now() / 1_000) + 60;
  const unknown = newId('file');
  expect(await errorOf(`${api.baseUrl}/files/${unknown}?expires=${expires}&signature=${signFileUrl(secrets, unknown, expires)}`)).toEqual(none);
  for (const status of ['storing', 'removed']) {
    const id = await stored(Buffer.from('x'));
    await database.sql('UPDATE files SET status = $2 WHERE id = $1', [id, status]);
    expect(await errorOf(await urlOf(id))).toEqual(none);
  }
});

it('any other method is not_implemented, and a path that only begins the same way is no file', async () => {
  const url = await urlOf(await stored(Buffer.from('x')));
  const answer = await fetch(url, { method: 'DELETE' });
  expect([answer.status, answer.headers.get('allow')]).toEqual([501, 'GET, HEAD']);
  for (const path of ['/files', '/files/', '/files/a/b']) expect((await fetch(api.baseUrl + path)).status).toBe(401);
});

/** Open file descriptors of this process, in which the API runs, that lead to this file. */
const openOn = (id: string): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith(id) ? [fd] : [];
    } catch {
      return [];
    }
  });

it('a client that hangs up in the middle leaves no open file', async () => {
  const id = await stored(Buffer.alloc(40_000_000, 1));
  const url = new URL(await urlOf(id));
  const { socket } = await openRawConnection(api.api.port);
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(requestHead('GET', url.pathname + url.search, {}));
  await eventually('the file is open', () => openOn(id).length === 1);
  socket.resetAndDestroy();
  await eventually('the file is closed', () => openOn(id).length === 0);
});

it('a large file comes whole', async () => {
  const bytes = Buffer.alloc(20_000_000, 'large ');
  const answer = await fetch(await urlOf(await stored(bytes)));
  const received = Buffer.from(await answer.arrayBuffer());
  expect(createHash('sha256').update(received).digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
});

it('downloads sent ahead on one connection are opened one after the other, and none stays open when the connection goes', async () => {
  const id = await stored(randomBytes(5_000_000));
  const { pathname, search } = new URL(await urlOf(id));
  const { socket } = await openRawConnection(api.api.port);
  socket.pause();
  socket.write(requestHead('GET', pathname + search, { connection: 'keep-alive' }).repeat(40));
  await eventually('the first is opened', () => openOn(id).length === 1);
  socket.destroy();
  await eventually('it is closed', () => openOn(id).length === 0);
  expect((await fetch(await urlOf(id), { method: 'HEAD' })).status).toBe(200);
});

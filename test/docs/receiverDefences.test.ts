import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../local/ports';
import { newWebhookSecret, signWebhook } from '../../domain/webhooks/signature';
import { presentLanguages, startDocumentedReceiver, type DocumentedReceiver, type ReceiverLanguage } from '../support/receiverLanguages';

const secret = newWebhookSecret();
const otherSecret = newWebhookSecret();
const body = '{"id":"evt_1","type":"student.created","data":{}}';
const started = new Map<string, DocumentedReceiver>();

const start = async (language: ReceiverLanguage, variables: Record<string, string | undefined> = {}): Promise<DocumentedReceiver> =>
  startDocumentedReceiver(language, await freePort(), [], variables);

beforeAll(async () => {
  // Blanks at both ends and two in a row, as after dropping a secret by hand.
  const variables = { WEBHOOK_SECRETS: ` ${secret}  ${otherSecret} ` };
  await Promise.all(presentLanguages.map(async (language) => started.set(language.language, await start(language, variables))));
});

afterAll(() => Promise.all([...started.values()].map((receiver) => receiver.stop())));

function startedIn(language: string): DocumentedReceiver {
  const found = started.get(language);
  if (found === undefined) throw new Error(`No receiver in ${language}`);
  return found;
}

const now = (): number => Math.floor(Date.now() / 1_000);

/** The headers of a sender without the secret, who signs with the empty key. */
function forgedHeaders(): Record<string, string> {
  const timestamp = String(now());
  const empty = (signed: string): string => createHmac('sha256', '').update(signed).digest('hex');
  return {
    'x-svc-signature': `t=${timestamp},v1=${empty(`${timestamp}.${body}`)}`,
    'webhook-id': 'evt_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${Buffer.from(empty(`evt_1.${timestamp}.${body}`), 'hex').toString('base64')}`,
  };
}

const post = async ({ url }: DocumentedReceiver, headers: object, sent = body): Promise<number> =>
  (await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: sent })).status;

const signed = (sent = body): object => signWebhook({ secrets: [secret], eventId: 'evt_1', timestampSeconds: now(), body: sent });

/** A connection with the beginning of a body. */
async function beginPost({ url }: DocumentedReceiver, announced: number, sent: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // What is still on its way when the receiver closes is no failure.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`POST /hooks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${announced}\r\n\r\n${sent}`);
  return socket;
}

const answerOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    socket.once('data', (chunk) => resolve(chunk.toString()));
    socket.once('close', () => resolve(''));
  });

describe.each(presentLanguages)('the receiver in $language', (language) => {
  it('refuses what is signed with the empty key, whichever blanks are in WEBHOOK_SECRETS', async () => {
    const receiver = startedIn(language.language);
    expect([await post(receiver, forgedHeaders()), await post(receiver, signed())]).toEqual([401, 204]);
  });

  it('does not work without a secret, and says so', async () => {
    for (const WEBHOOK_SECRETS of [undefined, '', ' ']) await expect(start(language, { WEBHOOK_SECRETS })).rejects.toThrow('Set WEBHOOK_SECRETS');
  });

  it('refuses a time that is no plain number, and goes on', async () => {
    const receiver = startedIn(language.language);
    // The first one is so far from now that the difference has no absolute value in 64 bits.
    for (const time of [String(BigInt(now()) - (1n << 63n)), `+${now()}`, '9'.repeat(30), '']) {
      const headers = { ...forgedHeaders(), 'x-svc-signature': `t=${time},v1=${'0'.repeat(64)}`, 'webhook-timestamp': time };
      expect([time, await post(receiver, headers)]).toEqual([time, 401]);
    }
    expect(await post(receiver, signed())).toBe(204);
  });

  it('answers a delivery while ten others send no more than the beginning of a body', async () => {
    const receiver = startedIn(language.language);
    const unfinished = await Promise.all(Array.from({ length: 10 }, () => beginPost(receiver, 100, '{')));
    expect(await post(receiver, signed())).toBe(204);
    for (const socket of unfinished) socket.destroy();
  });
});

// PHP's own server reads a body to its end before the program; it is for trying only.
const reading = presentLanguages.filter(({ language }) => language !== 'PHP');

it.each(reading)('the receiver in $language reads no more than 1 MiB of a body', async ({ language }) => {
  const sent = 1_200_000;
  const socket = await beginPost(startedIn(language), 2 * sent, 'x'.repeat(sent));
  expect(await answerOf(socket)).toMatch(/^$|^HTTP\/1\.[01] 413 /);
  socket.destroy();
});

it.each(presentLanguages.filter(({ language }) => ['TypeScript', 'Python', 'Ruby', 'Java', 'Go'].includes(language)))(
  'the receiver in $language gives up a connection that sends nothing more',
  async ({ language }) => {
    const socket = await beginPost(startedIn(language), 100, '{');
    expect(await answerOf(socket)).toMatch(/^$|^HTTP\/1\.[01] 4\d\d /);
    socket.destroy();
  },
);

it.each(presentLanguages.filter(({ language }) => ['Python', 'Ruby', 'PHP'].includes(language)))(
  'the receiver in $language answers 400 to what is signed, but is no event, and goes on',
  async ({ language }) => {
    const receiver = startedIn(language);
    for (const sent of ['null', '5', '[]', '{"type":"student.created"}', 'no JSON']) expect(await post(receiver, signed(sent), sent)).toBe(400);
    expect(await post(receiver, signed())).toBe(204);
  },
);

it('the receiver in Python refuses a length that is none', async () => {
  const socket = await beginPost(startedIn('Python'), -1, '{}');
  expect(await answerOf(socket)).toMatch(/^$|^HTTP\/1\.[01] 413 /);
  socket.destroy();
});

// `each` refuses an empty list: a machine may be without PHP, which test/docs/receivers.test.ts says.
for (const language of presentLanguages.filter((present) => present.language === 'PHP')) describe('the receiver in PHP, in particular', () => {
  it('does not work without the folder that it stores events in', async () => {
    const WEBHOOK_SECRETS = secret;
    for (const RECEIVED_FOLDER of [undefined, '', 'missing']) {
      await expect(start(language, { WEBHOOK_SECRETS, RECEIVED_FOLDER })).rejects.toThrow('RECEIVED_FOLDER to a folder that exists');
    }
  });

  it('answers 500 to an event that it cannot store, so that it is sent again, and 204 to one that it has', async () => {
    const receiver = await start(language, { WEBHOOK_SECRETS: secret });
    const received = join(receiver.folder, 'received');
    // Longer than the name of a file may be.
    const tooLong = body.replace('evt_1', `evt_${'1'.repeat(300)}`);
    expect([await post(receiver, signed()), await post(receiver, signed()), await post(receiver, signed(tooLong), tooLong)]).toEqual([204, 204, 500]);
    expect(readdirSync(received)).toEqual(['evt_1.json']);
    expect(readFileSync(join(received, 'evt_1.json'), 'utf8')).toBe(body);
    const later = body.replace('evt_1', 'evt_2');
    renameSync(received, `${received}-away`);
    expect(await post(receiver, signed(later), later)).toBe(500);
    renameSync(`${received}-away`, received);
    expect(await post(receiver, signed(later), later)).toBe(204);
    expect(readdirSync(received).sort()).toEqual(['evt_1.json', 'evt_2.json']);
    await receiver.stop();
  });
});

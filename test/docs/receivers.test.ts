import { once } from 'node:events';
import { connect } from 'node:net';
import type { RunningWorker } from '../../worker/start';
import { freePort } from '../../local/ports';
import { newWebhookSecret, signWebhook } from '../../domain/webhooks/signature';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { codeBlocks } from '../support/documents';
import { eventually } from '../support/eventually';
import { absentLanguages, presentLanguages, receiverLanguages, startDocumentedReceiver, type DocumentedReceiver } from '../support/receiverLanguages';
import { startTestWorker } from '../support/worker';

/** A receiver of the document, subscribed to real events. */
interface Subscribed {
  receiver: DocumentedReceiver;
  endpointId: string;
  secret: string;
}

/** The second secret of every receiver: as of a rotation that its endpoint has had. */
const otherSecret = newWebhookSecret();
const body = JSON.stringify({ id: 'evt_1', type: 'student.created', data: { student_id: 'stu_1', note: 'Zoë 😀' } });

let api: TestApi;
let worker: RunningWorker;
let institution: TestInstitution;
const subscribed = new Map<string, Subscribed>();

beforeAll(async () => {
  for (const language of absentLanguages) process.stderr.write(`docs/receivers.md, not run here: ${language}\n`);
  const ports = await Promise.all(presentLanguages.map(() => freePort()));
  api = await startTestApi({ webhookTrustedHosts: ports.map((port) => `127.0.0.1:${port}`) });
  worker = await startTestWorker(api.settings);
  institution = await api.institution();
  await Promise.all(presentLanguages.map(async (language, nth) => {
    const port = ports[nth] ?? 0;
    const created = await api.call('POST', '/webhooks/endpoints', { key: institution.apiKey, body: { url: `http://127.0.0.1:${port}/hooks`, events: ['student.created'] } });
    const { id: endpointId, secret } = created.data;
    subscribed.set(language.language, { receiver: await startDocumentedReceiver(language, port, [secret, otherSecret]), endpointId, secret });
  }));
});

afterAll(async () => {
  await Promise.all([...subscribed.values()].map(({ receiver }) => receiver.stop()));
  await worker.stop();
  await api.stop();
});

function subscribedIn(language: string): Subscribed {
  const found = subscribed.get(language);
  if (found === undefined) throw new Error(`No receiver in ${language}`);
  return found;
}

interface Posted {
  secrets: readonly string[];
  eventId?: string;
  secondsAgo?: number;
  sent?: string;
}

/** The status that a receiver answers to a request that was signed by the service's own code. */
async function post({ receiver }: Subscribed, { secrets, eventId = 'evt_1', secondsAgo = 0, sent = body }: Posted): Promise<number> {
  const headers = signWebhook({ secrets, eventId, timestampSeconds: Math.floor(Date.now() / 1_000) - secondsAgo, body });
  return (await fetch(receiver.url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: sent })).status;
}

const linesWith = ({ receiver }: Subscribed, id: string): string[] => receiver.printed().split('\n').filter((line) => line.includes(id));

/** Creates a student, and returns the id of its event once its delivery to the endpoint is recorded. */
async function deliver({ endpointId }: Subscribed): Promise<string> {
  await api.call('POST', '/students', { key: institution.apiKey, body: {} });
  const { data } = await api.call('GET', '/events', { key: institution.apiKey, query: { type: 'student.created', limit: 200 } });
  const eventId = data.items.at(-1).id;
  await eventually('a delivery that was answered 2xx', async () => {
    const list = await api.call('GET', '/webhooks/deliveries', { key: institution.apiKey, query: { endpoint_id: endpointId, status: 'delivered' } });
    return list.data.items.some(({ event_id }: { event_id: string }) => event_id === eventId);
  });
  return eventId;
}

it('docs/receivers.md has a receiver in each language of the table, and no other program but those of the libraries', () => {
  const programs = codeBlocks('docs/receivers.md').filter(({ name }) => name !== '' && !name.startsWith('libraries')).map(({ name }) => name);
  expect(programs).toEqual(receiverLanguages.map(({ file }) => file));
  expect(presentLanguages.length + absentLanguages.length).toBe(receiverLanguages.length);
});

describe.each(presentLanguages.map(({ language }) => language))('the receiver in %s', (language) => {
  it('answers a real delivery 2xx and processes it, with the secret alone and during the grace of a rotation', async () => {
    const one = subscribedIn(language);
    const first = await deliver(one);
    await eventually('the event is processed', () => linesWith(one, first).length === 1);
    // It knows the old secret; the deliveries carry the signatures of both.
    await api.call('POST', `/webhooks/endpoints/${one.endpointId}/rotate-secret`, { key: institution.apiKey, body: { grace_hours: 24 } });
    const second = await deliver(one);
    await eventually('the event is processed', () => linesWith(one, second).length === 1);
  });

  it('accepts a delivery that is signed with either of its secrets, or with both', async () => {
    const one = subscribedIn(language);
    expect([await post(one, { secrets: [one.secret] }), await post(one, { secrets: [otherSecret] }), await post(one, { secrets: [newWebhookSecret(), otherSecret] })]).toEqual([204, 204, 204]);
  });

  it('refuses a changed body, an old timestamp, one from the future and another secret', async () => {
    const one = subscribedIn(language);
    const secrets = [one.secret];
    expect([
      await post(one, { secrets, sent: body.replace('stu_1', 'stu_2') }),
      await post(one, { secrets, sent: `${body} ` }),
      await post(one, { secrets, secondsAgo: 302 }),
      await post(one, { secrets, secondsAgo: -310 }),
      await post(one, { secrets: [newWebhookSecret()] }),
    ]).toEqual([401, 401, 401, 401, 401]);
  });

  it('goes on after a request that breaks off', async () => {
    const one = subscribedIn(language);
    const { hostname, port } = new URL(one.receiver.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write('POST /hooks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
    // The receiver has begun with it once it answers another one.
    expect(await post(one, { secrets: [newWebhookSecret()] })).toBe(401);
    socket.destroy();
    await once(socket, 'close');
    for (let nth = 0; nth < 3; nth += 1) expect(await post(one, { secrets: [one.secret] })).toBe(204);
  });

  it('answers a body that is too long, or closes its connection', async () => {
    const { hostname, port } = new URL(subscribedIn(language).receiver.url);
    const tooLong = 1_100_000;
    const socket = connect(Number(port), hostname);
    // What is still on its way when the receiver closes is no failure.
    socket.on('error', () => undefined);
    socket.write(`POST /hooks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${tooLong}\r\n\r\n${'x'.repeat(tooLong)}`);
    const answer = await new Promise<string>((resolve) => {
      socket.once('data', (chunk) => resolve(chunk.toString()));
      socket.once('close', () => resolve(''));
    });
    expect(answer).toMatch(/^$|^HTTP\/1\.[01] 4\d\d /);
    socket.destroy();
  });

  it('processes an event that arrives twice once', async () => {
    const one = subscribedIn(language);
    const repeated = body.replace('evt_1', 'evt_2');
    const twice = async (): Promise<number> => {
      const headers = signWebhook({ secrets: [one.secret], eventId: 'evt_2', timestampSeconds: Math.floor(Date.now() / 1_000), body: repeated });
      return (await fetch(one.receiver.url, { method: 'POST', headers: { ...headers }, body: repeated })).status;
    };
    expect([await twice(), await twice()]).toEqual([204, 204]);
    // What comes after it has been processed, so it has been twice.
    const next = await deliver(one);
    await eventually('the next event is processed', () => linesWith(one, next).length === 1);
    expect(linesWith(one, 'evt_2').length).toBe(1);
  });
});

describe('the receiver in TypeScript, in particular', () => {
  it('answers a body over 1 MiB with 413 and closes the connection, whether or not the body was sent to its end', async () => {
    const { hostname, port } = new URL(subscribedIn('TypeScript').receiver.url);
    const sent = 1_048_577;
    for (const announced of [sent, 2 * sent]) {
      const socket = connect(Number(port), hostname);
      let answer = '';
      socket.on('data', (chunk) => { answer += chunk.toString(); });
      socket.on('error', () => undefined);
      const closed = new Promise((resolve) => { socket.once('close', resolve); });
      socket.write(`POST /hooks HTTP/1.1\r\nHost: x\r\nContent-Length: ${announced}\r\n\r\n${'x'.repeat(sent)}`);
      await closed;
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    }
  });

  it('responds with 400 to a signed body that is no event, and goes on', async () => {
    const one = subscribedIn('TypeScript');
    for (const sent of ['null', '5', '{"type":"student.created"}', 'no JSON']) {
      const headers = signWebhook({ secrets: [one.secret], eventId: 'evt_1', timestampSeconds: Math.floor(Date.now() / 1_000), body: sent });
      expect((await fetch(one.receiver.url, { method: 'POST', headers: { ...headers }, body: sent })).status).toBe(400);
    }
    expect(await post(one, { secrets: [one.secret] })).toBe(204);
  });
});

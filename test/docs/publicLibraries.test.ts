import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningWorker } from '../../worker/start';
import { newWebhookSecret, signWebhook } from '../../domain/webhooks/signature';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { prepareLibraries, presentRegistries, registries, type LibraryCase } from '../support/publicLibraries';
import { startReceiver, type Received, type Receiver } from '../support/receiver';
import { startTestWorker } from '../support/worker';

let receiver: Receiver;
let api: TestApi;
let worker: RunningWorker;
let institution: TestInstitution;
let folder: string;
let cases: LibraryCase[];
const verifierOf = new Map<string, Awaited<ReturnType<typeof prepareLibraries>>>();

async function nextDelivery(): Promise<Received> {
  const before = receiver.received.length;
  await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Zoë Ångström 😀' } });
  return eventually('a delivery', () => receiver.received[before]);
}

const headersOf = (received: Received): Record<string, string> => Object.fromEntries(Object.entries(received.headers).map(([name, value]) => [name, String(value)]));

function asSent(what: string, received: Received, secret: string): LibraryCase {
  return { what, body: Buffer.from(received.body).toString('latin1'), headers: headersOf(received), secret, valid: true };
}

/** A real delivery as it came, and as nobody may accept it. */
function casesOf(what: string, received: Received, secret: string): LibraryCase[] {
  const right = asSent(what, received, secret);
  const wrong = { ...right, valid: false };
  const oldSignature = signWebhook({ secrets: [secret], eventId: headersOf(received)['webhook-id'] ?? '', timestampSeconds: Math.floor(Date.now() / 1_000) - 400, body: received.body });
  return [
    right,
    { ...wrong, what: `${what}, with a changed byte`, body: right.body.replace('student.created', 'student.updated') },
    { ...wrong, what: `${what}, with a byte more`, body: `${right.body} ` },
    { ...wrong, what: `${what}, by another secret`, secret: newWebhookSecret() },
    { ...wrong, what: `${what}, with an old timestamp`, headers: { ...right.headers, ...oldSignature } },
  ];
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'libraries-'));
  for (const { registry, program } of registries.filter((one) => !presentRegistries.includes(one))) process.stderr.write(`public libraries, not run here: ${registry} (no ${program} on PATH)\n`);
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
  worker = await startTestWorker(api.settings);
  institution = await api.institution();
  await Promise.all(presentRegistries.map(async (registry) => verifierOf.set(registry.registry, await prepareLibraries(registry, join(folder, registry.program)))));

  const call = (method: 'POST' | 'PATCH', path: string, body: object) => api.call(method, path, { key: institution.apiKey, body });
  const { data: endpoint } = await call('POST', '/webhooks/endpoints', { url: receiver.url, events: ['student.created'] });
  const plain = await nextDelivery();
  const { data: rotated } = await call('POST', `/webhooks/endpoints/${endpoint.id}/rotate-secret`, { grace_hours: 24 });
  const inGrace = await nextDelivery();
  await call('PATCH', `/webhooks/endpoints/${endpoint.id}`, { signature_scheme: 'ed25519' });
  const withKey = await nextDelivery();
  expect(withKey.headers['webhook-signature']).toMatch(/ v1a,/);
  cases = [
    ...casesOf('a delivery', plain, endpoint.secret),
    ...casesOf('during a rotation, by the new secret', inGrace, rotated.secret),
    ...casesOf('during a rotation, by the old secret', inGrace, endpoint.secret),
    ...casesOf('with a signature by a key besides', withKey, rotated.secret),
  ];
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await worker.stop();
  await api.stop();
  await receiver.close();
});

const verifiers = presentRegistries.flatMap(({ registry, libraries }) => libraries.map((library) => ({ registry, library })));

it.each(verifiers)('$library of $registry, called as docs/receivers.md does, accepts real deliveries and refuses changed, old and foreign ones', async ({ registry, library }) => {
  const verdicts: unknown = await verifierOf.get(registry)?.(library, cases);
  expect(cases.map(({ what }, nth) => [what, Array.isArray(verdicts) ? verdicts[nth] : verdicts])).toEqual(cases.map(({ what, valid }) => [what, valid]));
});

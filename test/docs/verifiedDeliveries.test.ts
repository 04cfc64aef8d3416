import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningWorker } from '../../worker/start';
import { newWebhookSecret } from '../../domain/webhooks/signature';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { requirePython, writePrograms, type ProgramFolder } from '../support/documents';
import { eventually } from '../support/eventually';
import { startReceiver, type Received, type Receiver } from '../support/receiver';
import { startTestWorker } from '../support/worker';

/** What a receiver hands to its verifier; the body travels as one character a byte. */
interface Case {
  what: string;
  body: string;
  headers: Received['headers'];
  secret: string;
  now: number;
  valid: boolean;
}

const toleranceSeconds = 300;

// Either library asks the clock itself, and is given the case's.
const harness = {
  'docs.js': `
const { hasValidSignature } = require('./hasValidSignature');
const cases = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify(cases.map(({ body, headers, secret, now }) => hasValidSignature(Buffer.from(body, 'latin1'), headers['x-svc-signature'], secret, now))));
`,
  'docs.py': `
import json, sys
from verify_webhook import verify_webhook
cases = json.load(sys.stdin)
print(json.dumps([verify_webhook(c["body"].encode("latin-1"), c["headers"]["x-svc-signature"], c["secret"], c["now"]) for c in cases]))
`,
  'library.js': `
const { Webhook, WebhookVerificationError } = require(process.env.STANDARD_WEBHOOKS);
const cases = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify(cases.map(({ body, headers, secret, now }) => {
  Date.now = () => now * 1000;
  try {
    new Webhook(secret).verify(Buffer.from(body, 'latin1'), headers);
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
})));
`,
  'library.py': `
import datetime, json, sys
from standardwebhooks import webhooks

class Clock(datetime.datetime):
    moment = 0
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(cls.moment, tz)

webhooks.datetime = Clock

def verdict(c):
    Clock.moment = c["now"]
    try:
        webhooks.Webhook(c["secret"]).verify(c["body"].encode("latin-1"), c["headers"])
        return True
    except webhooks.WebhookVerificationError:
        return False

print(json.dumps([verdict(c) for c in json.load(sys.stdin)]))
`,
};

/** A new folder with the Python library of Standard Webhooks, or undefined where pip cannot get it. */
function installPythonLibrary(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'standardwebhooks-'));
  const { status } = spawnSync('python3', [
    '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '0', '--timeout', '5', '--no-deps', '--target', folder, 'standardwebhooks==1.1.0',
  ]);
  if (status === 0) return folder;
  rmSync(folder, { recursive: true, force: true });
  return undefined;
}

const pythonLibrary = installPythonLibrary();
const verifiers = [
  { verifier: 'the TypeScript of docs/webhooks.md', program: 'docs.js', environment: {} },
  { verifier: 'the Python of docs/webhooks.md', program: 'docs.py', environment: {} },
  { verifier: 'standardwebhooks of npm', program: 'library.js', environment: { STANDARD_WEBHOOKS: require.resolve('standardwebhooks') } },
  ...(pythonLibrary === undefined ? [] : [{ verifier: 'standardwebhooks of PyPI', program: 'library.py', environment: { PYTHONPATH: pythonLibrary } }]),
];

let receiver: Receiver;
let api: TestApi;
let worker: RunningWorker;
let institution: TestInstitution;
let programs: ProgramFolder;
/** A delivery each: signed by one secret, during a rotation's grace, and after a rotation without one. */
let plain: Received;
let inGrace: Received;
let afterGrace: Received;
const secrets: string[] = [];

beforeAll(async () => {
  requirePython();
  programs = writePrograms('docs/webhooks.md', ['hasValidSignature.ts', 'verify_webhook.py']);
  for (const [name, content] of Object.entries(harness)) programs.write(name, content);
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
  worker = await startTestWorker(api.settings);
  institution = await api.institution();

  const created = await api.call('POST', '/webhooks/endpoints', { key: institution.apiKey, body: { url: receiver.url, events: ['student.created'] } });
  secrets.push(created.data.secret);
  plain = await nextDelivery();
  const rotate = async (grace_hours: number): Promise<Received> => {
    const rotated = await api.call('POST', `/webhooks/endpoints/${created.data.id}/rotate-secret`, { key: institution.apiKey, body: { grace_hours } });
    secrets.push(rotated.data.secret);
    return nextDelivery();
  };
  inGrace = await rotate(24);
  afterGrace = await rotate(0);
});

afterAll(async () => {
  programs.remove();
  if (pythonLibrary !== undefined) rmSync(pythonLibrary, { recursive: true, force: true });
  await worker.stop();
  await api.stop();
  await receiver.close();
});

async function nextDelivery(): Promise<Received> {
  const before = receiver.received.length;
  await api.call('POST', '/students', { key: institution.apiKey, body: {} });
  return eventually('a delivery', () => receiver.received[before]);
}

const signedAt = ({ headers }: Received): number => Number(headers['webhook-timestamp']);

const asSent = (received: Received, secret: string): Case => ({
  what: 'as it was sent',
  body: Buffer.from(received.body).toString('latin1'),
  headers: received.headers,
  secret,
  now: signedAt(received),
  valid: true,
});

function changedByte(body: string): string {
  const bytes = Buffer.from(body, 'latin1');
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  return bytes.toString('latin1');
}

/** The same request as somebody would play it later who cannot sign. */
function withTimestamp(headers: Received['headers'], seconds: number): Received['headers'] {
  const signature = String(headers['x-svc-signature']).replace(/^t=\d+/, `t=${seconds}`);
  return { ...headers, 'webhook-timestamp': String(seconds), 'x-svc-signature': signature };
}

function casesOf(received: Received, secret: string): Case[] {
  const right = asSent(received, secret);
  const wrong = { ...right, valid: false };
  const { now, headers } = right;
  return [
    right,
    { ...right, what: 'at the end of its five minutes', now: now + toleranceSeconds },
    { ...wrong, what: 'an old timestamp', now: now + toleranceSeconds + 1 },
    { ...wrong, what: 'a timestamp from the future', now: now - toleranceSeconds - 1 },
    { ...wrong, what: 'an old delivery under a new timestamp', headers: withTimestamp(headers, now + 600), now: now + 600 },
    { ...wrong, what: 'a changed byte', body: changedByte(right.body) },
    { ...wrong, what: 'a byte more', body: `${right.body} ` },
    { ...wrong, what: 'a secret that is not the endpoint\'s', secret: newWebhookSecret() },
  ];
}

const secretOf = (nth: number): string => secrets[nth] ?? '';

it('has every verifier there is, or says that pip could not get one', () => {
  if (pythonLibrary === undefined) process.stderr.write('standardwebhooks of PyPI could not be installed: it verified nothing\n');
  expect(verifiers.length).toBeGreaterThanOrEqual(3);
  expect(new Set(secrets).size).toBe(3);
});

describe.each(verifiers)('$verifier, on deliveries of a real worker', ({ program, environment }) => {
  const expectVerdicts = async (cases: readonly Case[]): Promise<void> => {
    const verdicts: unknown = JSON.parse(await programs.run(program, { input: JSON.stringify(cases), environment }));
    expect(cases.map(({ what }, index) => [what, Array.isArray(verdicts) ? verdicts[index] : verdicts])).toEqual(cases.map(({ what, valid }) => [what, valid]));
  };

  it('accepts what was sent, and refuses a changed byte, a wrong secret and an old timestamp', async () => {
    await expectVerdicts(casesOf(plain, secretOf(0)));
  });

  it('accepts the old and the new secret during a rotation\'s grace', async () => {
    await expectVerdicts([...casesOf(inGrace, secretOf(1)), ...casesOf(inGrace, secretOf(0))]);
  });

  it('accepts the new secret alone after a rotation without grace', async () => {
    await expectVerdicts([
      asSent(afterGrace, secretOf(2)),
      { ...asSent(afterGrace, secretOf(1)), what: 'the secret before', valid: false },
      { ...asSent(afterGrace, secretOf(0)), what: 'the first secret', valid: false },
    ]);
  });
});

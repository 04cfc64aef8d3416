import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { vectors } from '../vectors/webhook-signatures.json';
import { vectors as keyVectors } from '../vectors/webhook-signatures-ed25519.json';
import { freePort } from '../../local/ports';
import { signWebhook } from '../../domain/webhooks/signature';
import { installClient, type ClientProject } from '../support/clientPackage';
import { readDocument, requirePython, writePrograms, type ProgramFolder } from '../support/documents';
import { eventually } from '../support/eventually';

interface Case {
  what: string;
  body: string;
  header: string;
  secret: string;
  now: number;
  valid: boolean;
}

const otherSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

function changed(body: string): string {
  const bytes = Buffer.from(body);
  bytes[bytes.length - 2] = (bytes.at(-2) ?? 0) ^ 1;
  return bytes.toString('latin1');
}

/** The request that docs/webhooks.md shows, and the secret that it names. */
function exampleRequest(): { body: string; headers: Record<string, string>; secret: string } {
  const document = readDocument('docs/webhooks.md');
  const [, head = '', body = ''] = /^POST \/institution HTTP\/1\.1\n(.*?)\n\n(\{.*?\})\n```/ms.exec(document) ?? [];
  const headers = Object.fromEntries(head.split('\n').map((line): [string, string] => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(': ') + 2)]));
  return { body, headers, secret: /signed with the secret `(whsec_[^`]+)`/.exec(document)?.[1] ?? '' };
}

const example = exampleRequest();
const exampleCase: Case = {
  what: 'the example of docs/webhooks.md', body: example.body, header: example.headers['x-svc-signature'] ?? '', secret: example.secret, now: Number(example.headers['webhook-timestamp']), valid: true,
};

const cases: Case[] = vectors.flatMap((vector) => {
  const { name, secret, timestamp: now, v1, x_svc_signature: header } = vector;
  const body = Buffer.from(vector.body).toString('latin1');
  const right = { body, header, secret, now, valid: true };
  const wrong = { ...right, valid: false };
  const cases = [
    { ...right, what: 'as it was signed' },
    { ...right, what: 'five minutes later', now: now + 300 },
    { ...wrong, what: 'older than five minutes', now: now + 301 },
    { ...wrong, what: 'from the future', now: now - 301 },
    { ...wrong, what: 'a changed byte', body: changed(vector.body) },
    { ...wrong, what: 'another secret', secret: otherSecret },
    { ...wrong, what: 'an empty secret, with which anybody could sign', secret: '', header: `t=${now},v1=${createHmac('sha256', '').update(`${now}.${vector.body}`).digest('hex')}` },
    { ...wrong, what: 'the secret without its prefix', secret: secret.slice('whsec_'.length) },
    { ...wrong, what: 'another timestamp', header: header.replace(/^t=\d+/, `t=${now + 1}`), now: now + 1 },
    { ...wrong, what: 'no timestamp', header: `v1=${v1}` },
    { ...wrong, what: 'no signature', header: `t=${now}` },
    { ...wrong, what: 'a signature cut short', header: `t=${now},v1=${v1.slice(0, -2)}` },
    { ...wrong, what: 'a longer signature', header: `t=${now},v1=${v1}00` },
    { ...wrong, what: 'a signature of another scheme', header: `t=${now},v0=${v1}` },
    { ...wrong, what: 'no hexadecimal', header: `t=${now},v1=${'z'.repeat(64)}` },
    { ...wrong, what: 'a timestamp that is no number', header: `t=now,v1=${v1}` },
    { ...wrong, what: 'an empty header', header: '' },
    ...('previous_secret' in vector ? [{ ...right, what: 'the previous secret within its grace', secret: vector.previous_secret }] : []),
  ];
  return cases.map((one) => ({ ...one, what: `${name}: ${one.what}` }));
}).concat(exampleCase);

const keyCases = keyVectors.flatMap((vector) => {
  const { name, public_key: key, webhook_id: id, timestamp: now } = vector;
  const signature = `v1,AAAA ${vector.signatures.join(' ')}`;
  const headersOf = (changes: object) => ({ 'webhook-id': id, 'webhook-timestamp': String(now), 'webhook-signature': signature, ...changes });
  const right = { body: Buffer.from(vector.body).toString('latin1'), headers: headersOf({}), key, now, valid: true };
  const wrong = { ...right, valid: false };
  const cases = [
    { ...right, what: 'as it was signed' },
    { ...right, what: 'the key without its prefix', key: key.slice('whpk_'.length) },
    { ...right, what: 'five minutes later', now: now + 300 },
    { ...wrong, what: 'older than five minutes', now: now + 301 },
    { ...wrong, what: 'from the future', now: now - 301 },
    { ...wrong, what: 'a changed byte', body: changed(vector.body) },
    { ...wrong, what: 'another key', key: `whpk_${Buffer.alloc(32, 9).toString('base64')}` },
    { ...wrong, what: 'another id', headers: headersOf({ 'webhook-id': 'evt_other' }) },
    { ...wrong, what: 'another timestamp', headers: headersOf({ 'webhook-timestamp': String(now + 1) }) },
    { ...wrong, what: 'a timestamp that is no number', headers: headersOf({ 'webhook-timestamp': 'now' }) },
    { ...wrong, what: 'a signature of another scheme', headers: headersOf({ 'webhook-signature': signature.replaceAll('v1a,', 'v1,') }) },
    { ...wrong, what: 'a signature cut short', headers: headersOf({ 'webhook-signature': `v1a,${Buffer.alloc(32).toString('base64')}` }) },
    { ...wrong, what: 'an empty header', headers: headersOf({ 'webhook-signature': '' }) },
    ...('previous_public_key' in vector ? [{ ...right, what: 'the previous key within its grace', key: vector.previous_public_key }] : []),
  ];
  return cases.map((one) => ({ ...one, what: `${name}: ${one.what}` }));
});

// Bodies travel as one character a byte.
const harness = {
  'verifyKey.js': `
const { verifyWebhookKey } = require('./verifyWebhookKey');
const cases = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify(cases.map(({ body, headers, key, now }) => verifyWebhookKey(Buffer.from(body, 'latin1'), headers, key, now))));
`,
  'verify.js': `
const { hasValidSignature } = require('./hasValidSignature');
const cases = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify(cases.map(({ body, header, secret, now }) => hasValidSignature(Buffer.from(body, 'latin1'), header, secret, now))));
`,
  'verify.py': `
import json, sys
from verify_webhook import verify_webhook
cases = json.load(sys.stdin)
print(json.dumps([verify_webhook(c["body"].encode("latin-1"), c["header"], c["secret"], c["now"]) for c in cases]))
`,
};

let programs: ProgramFolder;
let client: ClientProject;

beforeAll(async () => {
  requirePython();
  client = await installClient();
  programs = writePrograms('docs/webhooks.md', ['hasValidSignature.ts', 'verifyWebhookKey.ts', 'verify_webhook.py', 'receiver.ts']);
  for (const [name, content] of Object.entries(harness)) programs.write(name, content);
  client.linkInto(programs.folder);
});

afterAll(() => {
  programs.remove();
  client.remove();
});

describe.each([
  { language: 'TypeScript', verifier: 'verify.js' },
  { language: 'Python', verifier: 'verify.py' },
])('the $language of docs/webhooks.md', ({ verifier }) => {
  it('accepts what the vectors accept and refuses everything else', async () => {
    const verdicts: unknown = JSON.parse(await programs.run(verifier, { input: JSON.stringify(cases) }));
    expect(Object.fromEntries(cases.map(({ what }, index) => [what, Array.isArray(verdicts) ? verdicts[index] : verdicts]))).toEqual(
      Object.fromEntries(cases.map(({ what, valid }) => [what, valid])),
    );
  });
});

it('the example of docs/webhooks.md is signed with the secret that it names, for Standard Webhooks too, and is an event of its header', () => {
  const { body, headers, secret } = example;
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signature = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64')).update(signed).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signature}`);
  expect(JSON.parse(body)).toMatchObject({ id: headers['webhook-id'], type: headers['x-svc-event'] });
});

describe('the receiver of docs/webhooks.md', () => {
  it('receives an event, takes its repetition for one, and refuses a wrong signature', async () => {
    const port = await freePort();
    const running = programs.start('receiver.js', { WEBHOOK_SECRETS: otherSecret, PORT: String(port) });
    let printed = '';
    running.stdout.on('data', (chunk: Buffer) => { printed += chunk.toString(); });
    const body = JSON.stringify({ id: 'evt_1', type: 'student.created', data: { student_id: 'stu_1', note: 'Zoë 😀' } });
    const post = async (secret: string): Promise<number> => {
      const headers = signWebhook({ secrets: [secret], eventId: 'evt_1', timestampSeconds: Math.floor(Date.now() / 1_000), body });
      return (await fetch(`http://127.0.0.1:${port}/hooks`, { method: 'POST', headers, body })).status;
    };
    try {
      await eventually('a receiver that refuses a wrong signature', async () => (await post('whsec_AAAA').catch(() => 0)) === 401);
      expect([await post(otherSecret), await post(otherSecret)]).toEqual([204, 204]);
      await eventually('the event, once', () => printed === 'student.created evt_1 stu_1\n');
    } finally {
      const ended = once(running, 'exit');
      running.kill('SIGTERM');
      await ended;
    }
  });
});

it('verifyWebhookKey of docs/webhooks.md accepts by the public key what the vectors accept, and refuses everything else', async () => {
  const verdicts: unknown = JSON.parse(await programs.run('verifyKey.js', { input: JSON.stringify(keyCases) }));
  expect(Object.fromEntries(keyCases.map(({ what }, index) => [what, Array.isArray(verdicts) ? verdicts[index] : verdicts]))).toEqual(
    Object.fromEntries(keyCases.map(({ what, valid }) => [what, valid])),
  );
});

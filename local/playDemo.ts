import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Joi from 'joi';
import { readJson } from './jsonFile';
import { localDirOf } from './options';
import { demoClient, type DemoClient } from './play/client';
import { startDemoReceiver, type DemoReceiver } from './play/receiver';

/** Named in WEBHOOK_TRUSTED_HOSTS of the local stack. */
const receiverPort = 4010;
const studentsInAll = 200;
const failEvery = 20;
/** Two retries wait 5 s and 30 s, each up to a tenth longer. */
const deliveredWithinMs = 120_000;

interface Connection {
  base_url: string;
  api_key: string;
  temporal_ui: string;
}

interface Delivery {
  id: string;
  event_id: string;
  status: string;
  attempts: number;
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

function expectThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(`Not as told: ${what}`);
  say(`  ✓ ${what}`);
}

function connection(): Connection {
  const file = join(localDirOf(process.env), 'connection.json');
  const text = Joi.string().required();
  const found = readJson(file, Joi.object<Connection>({ base_url: text, api_key: text, temporal_ui: text }).unknown());
  if (found === undefined) throw new Error('The stack is not running: start it with `npm start` in another terminal');
  return found;
}

async function provision(client: DemoClient): Promise<void> {
  say(`Provisioning ${studentsInAll} students in one call`);
  const started = performance.now();
  const students = Array.from({ length: studentsInAll }, (_, index) => ({ full_name: `Student ${index + 1}`, student_id: `SIS-${1_000 + index}` }));
  const { created, results } = await client.call<{ created: number; results: { login_email: string }[] }>('POST', '/students/bulk', { students });
  expectThat(created === studentsInAll, `${created} students created in ${Math.round(performance.now() - started)} ms, ${results[0]?.login_email ?? ''} first`);
}

async function feedSince(client: DemoClient, since: string): Promise<string[]> {
  const ids: string[] = [];
  for (let from = since; ; ) {
    const step = await client.call<{ items: { id: string }[]; has_more: boolean; next_since: string | null }>(
      'GET',
      `/events?limit=200&since=${encodeURIComponent(from)}`,
    );
    ids.push(...step.items.map(({ id }) => id));
    if (!step.has_more || step.next_since === null) return ids;
    from = step.next_since;
  }
}

async function deliveredAll(client: DemoClient, endpointId: string, events: readonly string[], { seen }: DemoReceiver): Promise<Delivery[]> {
  const deadline = Date.now() + deliveredWithinMs;
  for (;;) {
    say(`  ${seen.accepted.size} of ${events.length} events accepted, ${seen.refusedAttempts} attempts refused on purpose`);
    if (seen.accepted.size >= events.length) {
      const deliveries = await client.all<Delivery>(`/webhooks/deliveries?endpoint_id=${endpointId}`);
      if (deliveries.every(({ status }) => status === 'delivered')) return deliveries;
    }
    if (Date.now() > deadline) throw new Error(`Not every event arrived within ${deliveredWithinMs / 1_000} s`);
    await sleep(3_000);
  }
}

async function play(client: DemoClient, receiver: DemoReceiver, endpointId: string): Promise<Delivery[]> {
  const since = new Date(Date.now() - 1).toISOString();
  await provision(client);
  const events = await feedSince(client, since);
  expectThat(events.length >= 2 * studentsInAll, `${events.length} events in the feed since`);
  say(`Waiting for their deliveries; every ${failEvery}th is refused twice, so the last arrive after about 35 s`);
  const deliveries = await deliveredAll(client, endpointId, events, receiver);
  const { seen } = receiver;
  expectThat(events.every((id) => seen.accepted.has(id)), 'every event of the feed arrived');
  expectThat(seen.badSignatures === 0, 'every signature verified');
  const retried = deliveries.filter(({ attempts }) => attempts === 3);
  expectThat(retried.length === Math.floor(events.length / failEvery), `${retried.length} deliveries were retried twice and then delivered`);
  return retried;
}

async function main(): Promise<void> {
  const { base_url, api_key, temporal_ui } = connection();
  const client = demoClient(base_url, api_key);
  let secret = '';
  const receiver = await startDemoReceiver(receiverPort, failEvery, () => secret);
  try {
    const endpoint = await client.call<{ id: string; secret: string }>('POST', '/webhooks/endpoints', {
      url: `http://127.0.0.1:${receiverPort}/hooks`,
      description: 'Demo',
      events: ['student.*', 'license.*'],
    });
    ({ secret } = endpoint);
    say(`Registered the webhook endpoint ${endpoint.id}`);
    try {
      const [example] = await play(client, receiver, endpoint.id);
      const query = encodeURIComponent(`EndpointId="${endpoint.id}"`);
      say('');
      say('Look at the retries in the Temporal Web UI:');
      say(`  all of this endpoint   ${temporal_ui}/namespaces/default/workflows?query=${query}`);
      if (example !== undefined) say(`  one of them            ${temporal_ui}/namespaces/default/workflows/${example.id}`);
    } finally {
      await client.call('DELETE', `/webhooks/endpoints/${endpoint.id}`);
    }
  } finally {
    await receiver.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

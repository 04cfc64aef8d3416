import { InstitutionClient, type Delivery, type Event } from '../clients/typescript/src';
import { waitUntilAllDelivered, feedSince } from './demo/deliveries';
import { waitForExamEmails, publishExam } from './demo/exam';
import { signInOnDevice } from './demo/device';
import { inviteGuardian } from './demo/guardian';
import { creditMerits } from './demo/merits';
import { createClass, provisionStudents } from './demo/people';
import { startDemoReceiver, type DemoReceiver } from './demo/receiver';
import { runningStack, workflowPage, type RunningStack } from './demo/stack';
import { expectThat, log } from './demo/log';

const studentCount = 200;
// Few enough that their failures do not open the circuit: that takes 20 in a row.
const failEvery = 40;

/** What there is to look at afterwards. */
interface DemoResult {
  examId: string;
  email: string;
  invitation: string;
  retried: Delivery | undefined;
}

/** Waits until everything has arrived by webhook; returns the deliveries that were retried. */
async function waitForWebhooks(client: InstitutionClient, receiver: DemoReceiver, endpointId: string, events: readonly Event[]): Promise<Delivery[]> {
  log(`Waiting for their deliveries; every ${failEvery}th is refused twice, so the last arrive after about 35 s`);
  const deliveries = await waitUntilAllDelivered(client, endpointId, events.length, receiver);
  const { stats } = receiver;
  expectThat(events.every(({ id }) => stats.accepted.has(id)), 'every event of the feed arrived');
  expectThat(stats.badSignatures === 0, 'every signature verified');
  const retried = deliveries.filter(({ attempts }) => attempts === 3);
  expectThat(retried.length === Math.floor(events.length / failEvery), `${retried.length} deliveries were retried twice and then delivered`);
  return retried;
}

async function runDemo(stack: RunningStack, client: InstitutionClient, receiver: DemoReceiver, endpointId: string): Promise<DemoResult> {
  const since = new Date(Date.now() - 1).toISOString();
  const students = await provisionStudents(client, studentCount);
  const [ada, grace, edsger] = students;
  if (ada === undefined || grace === undefined || edsger === undefined) throw new Error('There are too few students');
  const invitation = await inviteGuardian(client, stack.mail_dir, ada);
  await creditMerits(client, grace);
  await signInOnDevice(client, stack, edsger);
  const examId = await publishExam(client, await createClass(client, students), students.length);
  const events = await feedSince(client, since);
  expectThat(events.length >= 2 * studentCount, `${events.length} events in the feed since`);
  const [retried] = await waitForWebhooks(client, receiver, endpointId, events);
  for (const type of ['exam.published', 'exam.assigned', 'guardian.invited', 'merits.credited', 'license.device_registered']) {
    const matchingEvents = events.filter((event) => event.type === type);
    expectThat(matchingEvents.length === 1 && matchingEvents.every(({ id }) => receiver.stats.accepted.has(id)), `${type} arrived by webhook`);
  }
  // Last, so that a repeated email would have arrived by now.
  const email = await waitForExamEmails(stack.mail_dir, examId, students);
  return { examId, email, invitation, retried };
}

function printLinks(stack: RunningStack, endpointId: string, { examId, email, invitation, retried }: DemoResult): void {
  const query = encodeURIComponent(`EndpointId="${endpointId}"`);
  log('');
  log('The emails:');
  log(`  all of them            ${stack.mail_dir}`);
  log(`  one about the exam     ${email}`);
  log(`  the guardian's         ${invitation}`);
  log('Look at the Temporal Web UI:');
  log(`  the emails' workflow   ${workflowPage(stack, `${examId}:1`)}`);
  log(`  all retries            ${stack.temporal_ui}/namespaces/default/workflows?query=${query}`);
  if (retried !== undefined) log(`  one of them            ${workflowPage(stack, retried.id)}`);
}

async function main(): Promise<void> {
  const stack = runningStack();
  const client = new InstitutionClient({ baseUrl: stack.base_url, apiKey: stack.api_key });
  let secret = '';
  const { demo_receiver_port: receiverPort } = stack;
  const receiver = await startDemoReceiver(receiverPort, failEvery, () => secret);
  try {
    const endpoint = await client.call('POST', '/webhooks/endpoints', {
      body: {
        url: `http://127.0.0.1:${receiverPort}/hooks`,
        description: 'Demo',
        events: ['*'],
      },
    });
    ({ secret } = endpoint);
    log(`Registered the webhook endpoint ${endpoint.id}`);
    try {
      printLinks(stack, endpoint.id, await runDemo(stack, client, receiver, endpoint.id));
    } finally {
      await client.call('DELETE', '/webhooks/endpoints/{id}', { path: { id: endpoint.id } });
    }
  } finally {
    await receiver.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

import { InstitutionClient, type Delivery, type Event } from '../clients/typescript/src';
import { deliveredAll, feedSince } from './demo/deliveries';
import { lettersArrive, publishExam } from './demo/exam';
import { beatOnDevice } from './demo/device';
import { inviteGuardian } from './demo/guardian';
import { creditMerits } from './demo/merits';
import { formClass, provisionStudents } from './demo/people';
import { startDemoReceiver, type DemoReceiver } from './demo/receiver';
import { runningStack, workflowPage, type RunningStack } from './demo/stack';
import { expectThat, say } from './demo/log';

const studentsInAll = 200;
// So few that their repeated refusals open no circuit: that takes 20 in a row.
const failEvery = 40;

/** What there is to look at afterwards. */
interface Played {
  examId: string;
  letter: string;
  invitation: string;
  retried: Delivery | undefined;
}

/** Waits until everything has arrived by webhook; answers the deliveries that were retried. */
async function webhooksArrive(client: InstitutionClient, receiver: DemoReceiver, endpointId: string, events: readonly Event[]): Promise<Delivery[]> {
  say(`Waiting for their deliveries; every ${failEvery}th is refused twice, so the last arrive after about 35 s`);
  const deliveries = await deliveredAll(client, endpointId, events.length, receiver);
  const { seen } = receiver;
  expectThat(events.every(({ id }) => seen.accepted.has(id)), 'every event of the feed arrived');
  expectThat(seen.badSignatures === 0, 'every signature verified');
  const retried = deliveries.filter(({ attempts }) => attempts === 3);
  expectThat(retried.length === Math.floor(events.length / failEvery), `${retried.length} deliveries were retried twice and then delivered`);
  return retried;
}

async function play(stack: RunningStack, client: InstitutionClient, receiver: DemoReceiver, endpointId: string): Promise<Played> {
  const since = new Date(Date.now() - 1).toISOString();
  const students = await provisionStudents(client, studentsInAll);
  const [ada, grace, edsger] = students;
  if (ada === undefined || grace === undefined || edsger === undefined) throw new Error('There are too few students');
  const invitation = await inviteGuardian(client, stack.mail_dir, ada);
  await creditMerits(client, grace);
  await beatOnDevice(client, stack, edsger);
  const examId = await publishExam(client, await formClass(client, students), students.length);
  const events = await feedSince(client, since);
  expectThat(events.length >= 2 * studentsInAll, `${events.length} events in the feed since`);
  const [retried] = await webhooksArrive(client, receiver, endpointId, events);
  for (const type of ['exam.published', 'exam.assigned', 'guardian.invited', 'merits.credited', 'license.device_registered']) {
    const told = events.filter((event) => event.type === type);
    expectThat(told.length === 1 && told.every(({ id }) => receiver.seen.accepted.has(id)), `${type} arrived by webhook`);
  }
  // Last, so that a letter that came twice would be there by now.
  const letter = await lettersArrive(stack.mail_dir, examId, students);
  return { examId, letter, invitation, retried };
}

function sayWhereToLook(stack: RunningStack, endpointId: string, { examId, letter, invitation, retried }: Played): void {
  const query = encodeURIComponent(`EndpointId="${endpointId}"`);
  say('');
  say('Look at the letters:');
  say(`  all of them            ${stack.mail_dir}`);
  say(`  one about the exam     ${letter}`);
  say(`  the guardian's         ${invitation}`);
  say('Look at the Temporal Web UI:');
  say(`  the letters' workflow  ${workflowPage(stack, `${examId}:1`)}`);
  say(`  all retries            ${stack.temporal_ui}/namespaces/default/workflows?query=${query}`);
  if (retried !== undefined) say(`  one of them            ${workflowPage(stack, retried.id)}`);
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
    say(`Registered the webhook endpoint ${endpoint.id}`);
    try {
      sayWhereToLook(stack, endpoint.id, await play(stack, client, receiver, endpoint.id));
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

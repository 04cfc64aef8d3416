import { startOutboxRelay } from '../../worker/outbox/relay';
import type { RepeatingTask } from '../../lib/repeatingTask';
import { createLogger } from '../../config/logger';
import type { Transaction } from '../../domain/context';
import { newId } from '../../domain/ids';
import { transact } from '../../domain/transact';
import { withConnection } from '../../local/programs/postgres';
import { createWorkflowEngine, type TemporalConnection } from '../../outbound/temporal/engine';
import { systemCaller } from '../support/api';
import { section } from '../support/documents';
import { eventually } from '../support/eventually';
import { apiFixture } from '../support/apiFixture';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';

const { api, institution } = apiFixture({ institutionPer: 'file' });
let temporal: TemporalConnection;
let relay: RepeatingTask;

beforeAll(() => {
  temporal = openTestTemporal(api.settings);
  relay = startOutboxRelay(api.api.domain.database, createWorkflowEngine(temporal), createLogger('worker', 'silent'));
});

afterAll(async () => {
  await relay.stop();
  await closeTestTemporal();
});

/** Relays the outbox rows of a command to Temporal. */
async function relayed(append: (tx: Transaction) => void): Promise<void> {
  await transact({ ...api.api.domain, onCommitted: () => relay.wake() }, systemCaller(institution.id), async (tx) => append(tx));
  await eventually('nothing owed', async () => (await api.api.domain.database.sql('SELECT 1 FROM owed_workflows WHERE institution_id = $1', [institution.id])).length === 0);
}

/** What the runbook has done after a restore; a second has passed since the one before. */
async function restored(): Promise<string> {
  const [, step = ''] = /^```sql\n([\s\S]*?)^```$/m.exec(section('docs/operations/runbook.md', '## A backup of Postgres was restored')) ?? [];
  const { rows } = await withConnection(api.stack.ownerDatabaseUrl, (client) => client.query<{ begin_workflow_epoch: string }>(step));
  return rows[0]?.begin_workflow_epoch ?? '';
}

const invite = (linkId: string, invitation: number) => (tx: Transaction): void =>
  tx.startWorkflow('guardianInvitation', linkId, { linkId, institutionId: institution.id, invitation });
const numberOf = async (workflowId: string): Promise<unknown> => {
  const { events } = await temporal.client.workflow.getHandle(workflowId).fetchHistory();
  const [{ data } = {}] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  return data == null ? undefined : JSON.parse(Buffer.from(data).toString('utf8')).invitation;
};
const signalsOf = async (workflowId: string): Promise<number> =>
  ((await temporal.client.workflow.getHandle(workflowId).fetchHistory()).events ?? []).filter(({ workflowExecutionSignaledEventAttributes: signaled }) => signaled != null).length;
const found = async (id: string): Promise<unknown> => (await api.platform('GET', `/workflows/${encodeURIComponent(id)}`)).data?.workflow_id;

it('a workflow that a restored database starts again is started, though Temporal knows its id; signals reach it and the one before; look-ups find both', async () => {
  const [linkId, opened] = [`${newId('gdn')}:1`, `${newId('gdn')}:1`];
  await relayed(invite(linkId, 1));
  await relayed(invite(opened, 1));
  // Without a restore a second start under the same id is the first one, started twice.
  await relayed(invite(linkId, 2));
  expect(await numberOf(linkId)).toBe(1);
  expect(await found(linkId)).toBe(linkId);

  const epoch = await restored();
  await relayed(invite(linkId, 3));
  expect([await numberOf(linkId), await numberOf(`${linkId}@${epoch}`)]).toEqual([1, 3]);
  await relayed((tx) => {
    for (const id of [linkId, opened]) tx.signalWorkflow('look', id, {});
  });
  expect(await Promise.all([linkId, `${linkId}@${epoch}`, opened].map(signalsOf))).toEqual([1, 1, 1]);
  expect(await Promise.all([linkId, `${linkId}@${epoch}`, opened].map(found))).toEqual([`${linkId}@${epoch}`, `${linkId}@${epoch}`, opened]);
});

it('the same backup restored again begins another epoch', async () => {
  const linkId = newId('gdn');
  const [first] = await api.api.domain.database.sql<{ epoch: string }>('DELETE FROM workflow_epochs RETURNING epoch');
  await relayed(invite(linkId, 1));
  const again = await eventually('another second', async () => {
    const epoch = await restored();
    if (epoch !== first?.epoch) return epoch;
    await api.api.domain.database.sql('DELETE FROM workflow_epochs');
    return undefined;
  });
  await relayed(invite(linkId, 2));
  expect([await numberOf(linkId), await numberOf(`${linkId}@${again}`)]).toEqual([1, 2]);
});

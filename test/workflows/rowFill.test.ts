import { fillWorkflowId } from '../../workflows/contract';
import type { rowFill } from '../../workflows/rowFill';
import type { RunningWorker } from '../../worker/start';
import { apiFixture } from '../support/apiFixture';
import { eventually } from '../support/eventually';
import { recordHistory } from '../support/histories';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { closeTestTemporal, deleteWorkflow, openTestTemporal } from '../support/temporal';
import { startTestWorker } from '../support/worker';

const { api, institution, sql } = apiFixture({ institutionPer: 'file' });
const name = 'delivery_error_class';
let worker: RunningWorker;

afterAll(async () => {
  await worker.stop();
  await closeTestTemporal();
});

it('a worker starts the workflow of a fill that a migration has begun; it fills the rows, says how many, and is not started again', async () => {
  const endpointId = await seedEndpoint(api, institution, 'https://receiver.example/');
  const ids = await Promise.all(Array.from({ length: 3 }, () => seedDelivery(api, institution, endpointId, { status: 'dead', attempts: 1 })));
  await sql(
    `INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, error_class)
     SELECT id, 1, $2, $3, 1, now(), 12, 'tls' FROM unnest($1::text[]) id`,
    [ids, institution.id, endpointId],
  );
  const { client } = openTestTemporal(api.settings);
  await deleteWorkflow(openTestTemporal(api.settings), fillWorkflowId(name));
  await sql("UPDATE row_fills SET position = '', seen = 0, filled = 0, ended_at = NULL WHERE name = $1", [name]);

  const begunAt = new Date();
  worker = await startTestWorker(api.settings, { fillsEveryMs: 200 });
  const handle = client.workflow.getHandle<typeof rowFill>(fillWorkflowId(name));
  await eventually('the fill', async () => (await sql('SELECT 1 FROM row_fills WHERE name = $1 AND ended_at IS NOT NULL', [name])).length === 1);
  const { outcome, done, total, filled } = await handle.result();
  expect({ outcome, total }).toEqual({ outcome: 'done', total: done });
  expect(done).toBeGreaterThanOrEqual(3);
  expect(filled).toBeGreaterThanOrEqual(3);
  expect(await sql('SELECT DISTINCT error_class FROM deliveries WHERE id = ANY ($1)', [ids])).toEqual([{ error_class: 'tls' }]);
  const { runId, staticSummary } = await handle.describe();
  expect(await staticSummary()).toBe('Fill rows from before an upgrade: delivery_error_class');
  await recordHistory('rowFill', handle);

  // Begun once more, it runs once more: the looks in between have started nothing.
  await sql('UPDATE row_fills SET ended_at = NULL WHERE name = $1', [name]);
  const isAnother = async (): Promise<boolean> => { const run = await handle.describe(); return run.runId !== runId && run.status.name === 'COMPLETED'; };
  await eventually('a second run', isAnother);
  const runs = await eventually('both runs listed', async () => {
    const found = [];
    for await (const { runId: id, startTime } of client.workflow.list({ query: `WorkflowId="${fillWorkflowId(name)}"` })) if (startTime >= begunAt) found.push(id);
    return found.length >= 2 && found;
  });
  expect(runs).toHaveLength(2);
});

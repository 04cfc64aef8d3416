import { restartLostWorkflows, type WorkflowPresence } from '../../../domain/outbox/restartLostWorkflows';
import { apiFixture } from '../../support/apiFixture';

const { api, institution, sql } = apiFixture();

/** A pass that finds the same of every workflow, as Temporal in that state. */
const passThatFinds = (presence: WorkflowPresence | Error) =>
  restartLostWorkflows(api.api.domain, () => (presence instanceof Error ? Promise.reject(presence) : Promise.resolve(presence)));

const dueIds = async (): Promise<string[]> =>
  (await sql<{ workflow_id: string }>('SELECT workflow_id FROM open_workflows WHERE institution_id = $1 AND check_after <= now() ORDER BY 1', [institution.id])).map(({ workflow_id }) => workflow_id);
const openIds = async (): Promise<string[]> =>
  (await sql<{ workflow_id: string }>('SELECT workflow_id FROM open_workflows WHERE institution_id = $1 ORDER BY 1', [institution.id])).map(({ workflow_id }) => workflow_id);
const startsInOutbox = (): Promise<object[]> =>
  sql("SELECT name, workflow_id, argument FROM owed_workflows WHERE institution_id = $1 AND kind = 'start' ORDER BY workflow_id", [institution.id]);

/** That many open workflows of this institution, all due for a check; those of other tests are not. */
async function seedOpen(count: number): Promise<string[]> {
  await sql("UPDATE open_workflows SET check_after = 'infinity'");
  await sql(
    `INSERT INTO open_workflows (workflow_id, institution_id, name, argument, check_after)
     SELECT $1 || ':' || lpad(n::text, 4, '0'), $1, 'couponBatchApproval', jsonb_build_object('batchId', n), '-infinity' FROM generate_series(1, $2::int) n`,
    [institution.id, count],
  );
  return dueIds();
}

it('a workflow that is missing is started again once, with its argument; one that runs is looked at a quarter of an hour later', async () => {
  const [first = ''] = await seedOpen(1);
  expect(await passThatFinds('missing')).toEqual({ checked: 1, restarted: ['couponBatchApproval'], unknown: [] });
  expect(await startsInOutbox()).toEqual([{ name: 'couponBatchApproval', workflow_id: first, argument: { batchId: 1 } }]);
  // Its start is in the outbox: Temporal cannot know it yet.
  await sql("UPDATE open_workflows SET check_after = '-infinity' WHERE workflow_id = $1", [first]);
  expect(await passThatFinds('missing')).toEqual({ checked: 0, restarted: [], unknown: [] });
  expect(await startsInOutbox()).toHaveLength(1);
  await sql('DELETE FROM owed_workflows WHERE workflow_id = $1', [first]);
  expect(await passThatFinds('running')).toEqual({ checked: 1, restarted: [], unknown: [] });
  const [row] = await sql<{ minutes: number }>('SELECT extract(epoch FROM check_after - now())::float8 / 60 AS minutes FROM open_workflows WHERE workflow_id = $1', [first]);
  expect(row?.minutes).toBeCloseTo(15, 0);
  expect(await passThatFinds('missing')).toEqual({ checked: 0, restarted: [], unknown: [] });
});

it('a workflow that has ended is forgotten', async () => {
  await seedOpen(3);
  expect(await passThatFinds('ended')).toEqual({ checked: 3, restarted: [], unknown: [] });
  expect([await openIds(), await startsInOutbox()]).toEqual([[], []]);
});

it('while Temporal does not respond nothing is started, and what was to be checked stays due', async () => {
  const ids = await seedOpen(30);
  await expect(passThatFinds(new Error('unavailable'))).rejects.toThrow('unavailable');
  expect([await dueIds(), await startsInOutbox()]).toEqual([ids, []]);
});

it('a workflow of which Temporal says nothing keeps no other from being checked', async () => {
  const ids = await seedOpen(70);
  const failing = ids.slice(0, 25);
  const pass = () => restartLostWorkflows(api.api.domain, (id) => (failing.includes(id) ? Promise.reject(new Error('undecipherable')) : Promise.resolve('ended')));
  // A chunk of nothing else looks like a Temporal that does not respond.
  await expect(pass()).rejects.toThrow('undecipherable');
  expect(await pass()).toMatchObject({ unknown: expect.arrayContaining([new Error('undecipherable')]) });
  expect(await openIds()).toEqual(failing);
});

it('a pass checks 600 workflows at most, and the next one goes on', async () => {
  await seedOpen(610);
  expect((await passThatFinds('missing')).restarted).toHaveLength(600);
  expect((await passThatFinds('missing')).restarted).toHaveLength(10);
  expect((await passThatFinds('missing')).restarted).toHaveLength(0);
});

import { withConnection } from '../../local/programs/postgres';
import { consoleFixture } from '../support/consoleFixture';
import { changeDeliveries } from '../support/deliveries';
import { eventually } from '../support/eventually';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';

const { api, sql, page, endpoint } = consoleFixture();
const epochs = ['6a1f0c2e', '6a2ac09e'];

const asOwner = (text: string, values: unknown[] = []) => withConnection(api.stack.ownerDatabaseUrl, (client) => client.query(text, values));

afterAll(async () => {
  await asOwner('DELETE FROM workflow_epochs WHERE epoch = ANY ($1)', [epochs]);
  await closeTestTemporal();
});

/** Where a delivery's page leads for the workflow that retries it. */
async function linkOf(deliveryId: string): Promise<URL> {
  const [, found = ''] = /href="([^"]+)" rel="noreferrer" target="_blank" title="[^"]+"><code>/.exec(await page(`/deliveries/${deliveryId}`)) ?? [];
  return new URL(found.replaceAll('&amp;', '&').replaceAll('&quot;', '"'));
}

it('a workflow leads to its own page in Temporal, and once a backup was restored to a list of those that may be meant, which Temporal finds', async () => {
  const { settings } = api;
  const list = `${settings.temporalUiUrl}/namespaces/${settings.temporalNamespace}/workflows`;
  const id = await endpoint.seedDelivery({ status: 'retrying', attempts: 1 });
  await changeDeliveries(sql, "SET retried_by = 'workflow' WHERE id = $1", [id]);
  expect((await linkOf(id)).href).toBe(`${list}/${id}`);

  for (const [nth, epoch] of epochs.entries()) await asOwner("INSERT INTO workflow_epochs (epoch, began_at) VALUES ($1, now() + $2::int * interval '1 second')", [epoch, nth]);
  const link = await linkOf(id);
  const ids = [id, ...epochs.map((epoch) => `${id}@${epoch}`)];
  expect(`${link.origin}${link.pathname}`).toBe(list);
  const query = link.searchParams.get('query') ?? '';
  for (const one of ids) expect(query).toContain(`"${one}"`);

  const { client } = openTestTemporal(settings);
  const others = [`${id}:2`, `${id}@other`];
  const handles = await Promise.all([...ids, ...others].map((workflowId) => client.workflow.start('none', { taskQueue: 'no worker', workflowId })));
  const listed = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { workflowId } of client.workflow.list({ query })) found.push(workflowId);
    return found.sort();
  };
  const all = await eventually('all of them listed', async () => {
    const found = await listed();
    return found.length >= ids.length ? found : undefined;
  });
  expect(all).toEqual([...ids].sort());
  await Promise.all(handles.map((handle) => handle.terminate()));
});

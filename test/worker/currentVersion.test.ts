import type { Settings } from '../../config/settings';
import { findCurrentBuild } from '../../db/repositories/outbox/workerDeployments';
import { workerVersions } from '../../outbound/temporal/workerVersions';
import { keepCurrentVersion } from '../../worker/currentVersion';
import { promote, rollback, type DeployDeps } from '../../worker/deploy/commands';
import type { RunningWorker } from '../../worker/start';
import { apiFixture } from '../support/apiFixture';
import { eventually } from '../support/eventually';
import { closeTestTemporal, createNamespace, openTestTemporal } from '../support/temporal';
import { useVersionedBundle } from '../support/versionedBundle';
import { startTestWorker, waitUntilPolling } from '../support/worker';

const { api } = apiFixture({ institutionPer: 'none' });
const workers: RunningWorker[] = [];
let removeBundle: () => void;

beforeAll(async () => {
  removeBundle = await useVersionedBundle();
});
afterAll(async () => {
  await closeTestTemporal();
  await Promise.all(workers.map((worker) => worker.stop()));
  removeBundle();
});

/** The settings of workers of a version, in a new namespace, which knows nothing of it yet, as after a loss of the data. */
const inNewTemporal = async (buildId: string, deploymentName: string): Promise<Settings> => ({
  ...api.settings, temporalNamespace: await createNamespace(openTestTemporal(api.settings)), workerDeployment: { deploymentName, buildId },
});

async function startWorkers(settings: Settings, temporalLooksEveryMs = 3_600_000): Promise<void> {
  const worker = await startTestWorker(settings, { temporalLooksEveryMs });
  workers.push(worker);
  await waitUntilPolling(worker);
}

function depsOf(settings: Settings): DeployDeps {
  const { workerDeployment, taskQueue } = settings;
  if (workerDeployment === null) throw new Error('The workers of this test have a version');
  return { ...workerDeployment, taskQueue, withinMs: 60_000, versions: workerVersions(openTestTemporal(settings), workerDeployment.deploymentName) };
}
const currentOf = async (settings: Settings): Promise<string | null | undefined> => (await depsOf(settings).versions.routing())?.current;
const keep = (settings: Settings) => keepCurrentVersion(api.api.domain.database.sql, depsOf(settings));
const recorded = (name: string): Promise<string | null> => findCurrentBuild(api.api.domain.database.sql, name);

it('once Temporal has lost its data, workers make the version current again that was, without a command', async () => {
  const before = await inNewTemporal('1', 'healed');
  await startWorkers(before, 200);
  await eventually('a version that is known and not current', async () => (await currentOf(before)) === null);
  await promote(depsOf(before));
  await eventually('the record', async () => (await recorded('healed')) === '1');

  const after = await inNewTemporal('1', 'healed');
  await startWorkers(after, 200);
  await eventually('the version that was current', async () => (await currentOf(after)) === '1');
});

it('a version that was not current does not become so by itself, nor one that was rolled back', async () => {
  const first = await inNewTemporal('1', 'rolled-back');
  await startWorkers(first);
  await promote(depsOf(first));
  expect(await keep(first)).toBe('recorded');

  const newer = await inNewTemporal('2', 'rolled-back');
  await startWorkers(newer);
  await eventually('the registration', async () => (await depsOf(newer).versions.routing()) !== undefined);
  expect([await keep(newer), await currentOf(newer), await recorded('rolled-back')]).toEqual(['unknown', null, '1']);

  await startWorkers({ ...first, workerDeployment: null });
  await rollback(depsOf(first));
  expect([await keep(first), await currentOf(first), await recorded('rolled-back')]).toEqual(['recorded', null, null]);
  const lost = await inNewTemporal('1', 'rolled-back');
  await startWorkers(lost);
  await eventually('the registration', async () => (await depsOf(lost).versions.routing()) !== undefined);
  expect([await keep(lost), await currentOf(lost)]).toEqual(['unknown', null]);
});

import { Worker } from '@temporalio/worker';
import { recordedHistories } from '../support/histories';
import { installTestRuntime } from '../support/temporalRuntime';

beforeAll(installTestRuntime);

it.each(recordedHistories())('$name, as it once ran, is replayed by the workflows as they are', async ({ history }) => {
  await Worker.runReplayHistory({ workflowBundle: { codePath: process.env.WORKFLOW_BUNDLE_PATH ?? '' } }, history);
});

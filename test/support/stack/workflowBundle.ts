import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import type { Progress } from '../../../local/progress';
import { projectRoot } from '../../../local/projectRoot';

/** Bundles the workflows once for every worker of the run; its path is published as WORKFLOW_BUNDLE_PATH. */
export async function bundleWorkflows(folder: string, progress: Progress): Promise<void> {
  const workflowsPath = join(projectRoot(), 'workflows', 'index.ts');
  if (!existsSync(workflowsPath)) return;
  await progress.step('Bundling the workflows', async () => {
    const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
    const bundle = join(folder, 'workflow-bundle.js');
    writeFileSync(bundle, code);
    process.env.WORKFLOW_BUNDLE_PATH = bundle;
  });
}

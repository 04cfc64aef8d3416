import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Progress } from '../../../local/progress';
import { projectRoot } from '../../../local/projectRoot';
import { fingerprintOf } from './fingerprint';

/** Everything that workflow code may import. */
const bundled = ['workflows', 'domain', 'lib', 'config', 'package-lock.json'] as const;

/** Bundles the workflows for all workers of the run, once for each state of their sources; published as WORKFLOW_BUNDLE_PATH. */
export async function bundleWorkflows(folder: string, progress: Progress): Promise<void> {
  const bundle = join(folder, `workflow-bundle-${fingerprintOf(...bundled)}.js`);
  process.env.WORKFLOW_BUNDLE_PATH = bundle;
  if (existsSync(bundle)) return;
  await progress.step('Bundling the workflows', async () => {
    const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
    const workflows = join(projectRoot(), 'workflows');
    const { code } = await bundleWorkflowCode({ workflowsPath: join(workflows, 'index.ts'), workflowInterceptorModules: [join(workflows, 'traceContext.ts')], logger: new DefaultLogger('ERROR') });
    writeFileSync(bundle, code);
  });
}

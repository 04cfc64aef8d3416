import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { projectRoot } from '../../local/projectRoot';

/** For `beforeAll`: makes the bundle of the workflows of workers with a version; returns what removes it. */
export async function useVersionedBundle(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'versioned-workflows-'));
  const { code } = await bundleWorkflowCode({ workflowsPath: join(projectRoot(), 'workflows', 'versioned.ts'), logger: new DefaultLogger('ERROR') });
  writeFileSync(join(folder, 'versionedWorkflowBundle.js'), code);
  process.env.WORKFLOW_BUNDLE_PATH = join(folder, 'workflowBundle.js');
  return () => rmSync(folder, { recursive: true });
}

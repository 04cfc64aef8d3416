import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

async function bundle(workflowsPath: string, file: string): Promise<void> {
  const { code } = await bundleWorkflowCode({ workflowsPath, workflowInterceptorModules: [require.resolve('../workflows/traceContext')], logger: new DefaultLogger('WARN') });
  await writeFile(join(__dirname, '..', file), code);
}

/** Writes the workflows' bundles, for workers without and with a version, next to the compiled program, so that a worker starts without bundling. */
async function main(): Promise<void> {
  await bundle(require.resolve('../workflows'), 'workflowBundle.js');
  await bundle(require.resolve('../workflows/versioned'), 'versionedWorkflowBundle.js');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

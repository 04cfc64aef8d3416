import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

/** Writes the workflows' bundle next to the compiled program, so that a worker starts without bundling. */
async function main(): Promise<void> {
  const { code } = await bundleWorkflowCode({ workflowsPath: require.resolve('../workflows'), workflowInterceptorModules: [require.resolve('../workflows/traceContext')], logger: new DefaultLogger('WARN') });
  await writeFile(join(__dirname, '..', 'workflowBundle.js'), code);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

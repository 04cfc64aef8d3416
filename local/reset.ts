import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { errorMessage } from './errors';
import { resolveLocalDir, recordFilePath } from './options';
import { endLeftovers, runningOwner } from './processRecord';

/** What the stack keeps in LOCAL_DIR; anything else there is not ours to remove. */
const stackFilePattern = /^(postgres(\..*)?|temporal\.db.*|logs|mail|files|spool|test|.*\.json|.*\.tmp)$/;

function recordFiles(localDir: string): string[] {
  const tests = join(localDir, 'test');
  const runs = existsSync(tests) ? readdirSync(tests).map((name) => join(tests, name)) : [];
  return [localDir, ...runs].map(recordFilePath);
}

async function reset(): Promise<void> {
  const localDir = resolveLocalDir(process.env);
  const displayPath = relative(process.cwd(), localDir);
  if (!existsSync(localDir)) {
    process.stdout.write(`There is no ${displayPath}.\n`);
    return;
  }
  for (const record of recordFiles(localDir)) {
    const running = runningOwner(record);
    if (running !== undefined) throw new Error(`Process ${running.pid} still runs on ${displayPath}: stop it first`);
  }
  for (const record of recordFiles(localDir)) await endLeftovers(record);
  for (const name of readdirSync(localDir).filter((entry) => stackFilePattern.test(entry))) {
    rmSync(join(localDir, name), { recursive: true, force: true });
  }
  if (readdirSync(localDir).length === 0) rmdirSync(localDir);
  process.stdout.write(`Removed the data in ${displayPath}.\n`);
}

reset().catch((error: unknown) => {
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exitCode = 1;
});

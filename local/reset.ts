import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { messageOf } from './errors';
import { localDirOf, recordFileIn } from './options';
import { endLeftovers, runningOwner } from './processRecord';

/** What the stack keeps in LOCAL_DIR; anything else there is not ours to remove. */
const ours = /^(postgres(\..*)?|temporal\.db.*|logs|mail|files|spool|test|.*\.json|.*\.tmp)$/;

function records(localDir: string): string[] {
  const tests = join(localDir, 'test');
  const runs = existsSync(tests) ? readdirSync(tests).map((name) => join(tests, name)) : [];
  return [localDir, ...runs].map(recordFileIn);
}

async function reset(): Promise<void> {
  const localDir = localDirOf(process.env);
  const shown = relative(process.cwd(), localDir);
  if (!existsSync(localDir)) {
    process.stdout.write(`There is no ${shown}.\n`);
    return;
  }
  for (const record of records(localDir)) {
    const running = runningOwner(record);
    if (running !== undefined) throw new Error(`Process ${running.pid} still runs on ${shown}: stop it first`);
  }
  for (const record of records(localDir)) await endLeftovers(record);
  for (const name of readdirSync(localDir).filter((entry) => ours.test(entry))) {
    rmSync(join(localDir, name), { recursive: true, force: true });
  }
  if (readdirSync(localDir).length === 0) rmdirSync(localDir);
  process.stdout.write(`Removed the data in ${shown}.\n`);
}

reset().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});

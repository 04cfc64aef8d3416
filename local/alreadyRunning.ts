import { relative } from 'node:path';
import { recordFilePath } from './options';
import { runningOwner } from './processRecord';

/** Says, with its process, that a stack runs on this LOCAL_DIR; undefined where none does. */
export function alreadyRunningMessage(localDir: string): string | undefined {
  const running = runningOwner(recordFilePath(localDir));
  return running && `The stack runs already on ${relative(process.cwd(), localDir)}, as process ${running.pid}: stop that one first`;
}

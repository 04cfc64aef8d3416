import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../local/projectRoot';
import type { Progress } from '../../local/progress';

/** A check of the sources that runs no test: a script of package.json. */
interface Check {
  title: string;
  script: string;
  /** It runs during the tests, and takes what they leave of the processors. */
  isPatient?: true;
}

const lintCheck: Check = { title: 'Style (eslint)', script: 'lint', isPatient: true };
const checks: readonly Check[] = [
  { title: 'Types (tsc)', script: 'typecheck' },
  { title: 'Directions of imports (dependency-cruiser)', script: 'lint:imports' },
  { title: 'Unused code (knip)', script: 'lint:unused' },
  { title: 'The contract and its proof (docs/contract.md)', script: 'contract' },
];

function run({ script, isPatient }: Check): Promise<{ passed: boolean; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', '--silent', script], { cwd: join(projectRoot()), stdio: ['ignore', 'pipe', 'pipe'] });
    if (isPatient && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    const written: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => written.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ passed: code === 0, output: Buffer.concat(written).toString('utf8') }));
  });
}

/** The results of the checks; the one that continues during the tests is in `lintFailures`. */
export interface CheckResults {
  failed: number;
  /** Resolves to a line for each that failed of those that take longer than the others together; their output is far above the end. */
  lintFailures: Promise<readonly string[]>;
}

async function runCheck(check: Check, progress: Progress): Promise<number> {
  const { title, script } = check;
  const { passed, output } = await progress.step(title, () => run(check));
  if (!passed) progress.log(`${title} failed (npm run ${script}):\n${output}`);
  return passed ? 0 : 1;
}

/**
 * Runs the checks. Resolves when the short ones have ended; the long one runs in parallel and may continue after that. Logs the
 * output of those that failed.
 */
export async function runChecks(progress: Progress): Promise<CheckResults> {
  const lintFailures = runCheck(lintCheck, progress).then((count) => (count === 0 ? [] : [`Failed: ${lintCheck.title}; npm run ${lintCheck.script} shows it again.`]));
  let failed = 0;
  for (const short of checks) failed += await runCheck(short, progress);
  return { failed, lintFailures };
}

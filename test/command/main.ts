import { createProgress } from '../../local/progress';
import { runClusterTest } from '../cluster/main';
import { writeClosingLine } from '../support/jest/closingLine.js';
import { runChecks } from './checks';
import { runJest, type TestSet } from './jest';
import { keepStack } from './keepStack';
import { node24 } from './node24';
import { providePrograms } from './programs';
import { runTwice } from './secondRun';

const progress = createProgress((line) => process.stderr.write(`${line}\n`), 'every step');

/** What `npm run test:<name>` runs, in addition to `npm test` itself. */
const setsOf: Record<string, readonly TestSet[]> = {
  rules: ['rules'],
  faults: ['faults'],
  browser: ['browser'],
  all: ['rules', 'faults', 'browser'],
  /** Each test file in a realm and with modules of its own, as Jest does it, in an order of chance: shows what leaks between files. */
  plain: ['rules'],
  /** Every test, with API and worker behind a PgBouncer in transaction mode. */
  pgbouncer: ['rules', 'faults', 'browser'],
};

/** Prints the lines, each of a check that failed, and as the last one the number of all that failed. */
function reportFailedChecks(others: number, lines: readonly string[] = []): number {
  writeClosingLine({ passed: 0, failed: others + lines.length }, lines);
  return 1;
}

/** Checks the sources while missing programs are built, then runs every test on a stack of the run's own. */
async function runAll(sets: readonly TestSet[], secondRun: 'of failed files' | 'never'): Promise<number> {
  const [checked, provided] = await Promise.allSettled([runChecks(progress), providePrograms(progress)]);
  if (provided.status === 'rejected') throw provided.reason;
  if (checked.status === 'rejected') throw checked.reason;
  const { failed, lintFailures } = checked.value;
  if (failed > 0) return reportFailedChecks(failed, await lintFailures);
  if (secondRun === 'never') {
    const code = await runJest({ sets, args: [], environment: { TEST_STACK_OWN: '1' } });
    const lines = await lintFailures;
    return lines.length > 0 ? reportFailedChecks(0, lines) : code;
  }
  const counted = await runTwice(sets);
  const lines = await lintFailures;
  const failures = counted.failed + lines.length;
  writeClosingLine({ passed: counted.passed, failed: failures }, [...counted.unstable, ...lines]);
  return failures > 0 ? 1 : 0;
}

/** Options of Jest that run no test. */
const optionsWithoutTests = new Set(['--help', '-h', '--version', '-v', '--listTests', '--showConfig', '--clearCache', '--collectTests']);

/** Tests by paths or options of Jest, on a stack that stays for the next call; a path may lead to a test of any set. */
async function runSome(args: readonly string[]): Promise<number> {
  if (!args.some((arg) => optionsWithoutTests.has(arg))) await keepStack(progress);
  const hasPath = args.some((arg) => arg.includes('test/') || arg.endsWith('.ts'));
  return runJest({ sets: hasPath ? ['rules', 'faults', 'browser'] : ['rules'], args });
}

async function main([name = 'rules', ...args]: readonly string[]): Promise<number> {
  const sets = setsOf[name];
  if (name === 'cluster') return runClusterTest(args);
  if (sets === undefined && name !== 'node24') {
    throw new Error(`There is no set of tests called ${name}: there are ${Object.keys(setsOf).join(', ')}, cluster and node24`);
  }
  if (name === 'rules' && args.length > 0) return runSome(args);
  if (name === 'all' && args.length > 0) throw new Error(`npm run test:${name} takes no paths or options: npm test -- ${args.join(' ')} runs some tests`);
  if (sets === undefined) return node24(progress, args);
  if (name === 'rules' || name === 'all') return runAll(sets, name === 'all' ? 'of failed files' : 'never');
  if (name === 'plain') return runJest({ sets, args, environment: { TEST_STACK_OWN: '1', JEST_PLAIN_REGISTRY: '1' } });
  if (name === 'pgbouncer') return runJest({ sets, args, environment: { TEST_STACK_OWN: '1', TEST_PGBOUNCER: '1' } });
  return runJest({ sets, args, environment: args.length > 0 ? {} : { TEST_STACK_OWN: '1' } });
}

main(process.argv.slice(2)).then(
  (code) => { process.exitCode = code; },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    reportFailedChecks(1);
    process.exitCode = 1;
  },
);

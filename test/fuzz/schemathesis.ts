import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Joi from 'joi';

/** The version that the configuration is written for. */
const version = '4.32.5';

const howToInstall = `Schemathesis ${version} is not there. Install it outside of the project, and name it:

  python3 -m venv ~/schemathesis && ~/schemathesis/bin/pip install schemathesis==${version}
  SCHEMATHESIS=~/schemathesis/bin/st npm run fuzz
`;

/** A run of the fuzzer: where it finds what, and what of it may be chosen. */
export interface FuzzRun {
  program: string;
  configuration: string;
  folder: string;
  /** The base URL of the API; its document is at `openapi.json`. */
  baseUrl: string;
  /** What `schemathesis.toml` and `hooks.py` take from their environment. */
  environment: Readonly<Record<string, string>>;
  seed: number;
  /** Cases generated at most for each operation by each way of generating. */
  examples: number;
  /** Seconds for the whole run, or none. */
  withinSeconds: number | undefined;
  /** Further arguments of `st run`. */
  further: readonly string[];
}

/** What the fuzzer says of its run. */
export interface FuzzReport {
  complete: boolean;
  exitCode: number;
  operations: number;
  cases: number;
  /** What failed, and how often. */
  failures: { what: string; count: number }[];
}

interface JsonReport {
  complete: boolean;
  operations: { tested: number } | null;
  test_cases: { generated: number };
  failures: { title: string; count: number; operations: string[] }[];
  errors: { title: string; count: number }[];
}

const reportSchema = Joi.object<JsonReport>({
  complete: Joi.boolean().required(),
  operations: Joi.object({ tested: Joi.number().required() }).unknown().allow(null).required(),
  test_cases: Joi.object({ generated: Joi.number().required() }).unknown().required(),
  failures: Joi.array().items(Joi.object({ title: Joi.string().required(), count: Joi.number().required(), operations: Joi.array().items(Joi.string()).required() }).unknown()).required(),
  errors: Joi.array().items(Joi.object({ title: Joi.string().required(), count: Joi.number().required() })).required(),
}).unknown();

/** The path of `st`, from SCHEMATHESIS or the PATH. Throws how it is installed where there is none, or one of another version. */
export async function requireSchemathesis(environment: NodeJS.ProcessEnv): Promise<string> {
  const program = environment.SCHEMATHESIS ?? 'st';
  const said = await new Promise<string>((resolve) => {
    const child = spawn(program, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const written: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => written.push(chunk));
    child.once('error', () => resolve(''));
    child.once('close', () => resolve(Buffer.concat(written).toString('utf8')));
  });
  if (!said.includes(version)) throw new Error(howToInstall);
  return program;
}

/** Runs the fuzzer to its end, its own report on our standard output. */
export async function fuzz(run: FuzzRun): Promise<FuzzReport> {
  const report = join(run.folder, 'report.json');
  const args = [
    '--config-file', run.configuration,
    'run', `${run.baseUrl}/openapi.json`,
    '--url', run.baseUrl,
    '--seed', String(run.seed),
    '--max-examples', String(run.examples),
    ...(run.withinSeconds === undefined ? [] : ['--max-time', String(run.withinSeconds)]),
    '--report-json-path', report,
    ...run.further,
  ];
  const child = spawn(run.program, args, { cwd: run.folder, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...run.environment } });
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  const { value, error } = reportSchema.validate(JSON.parse(readFileSync(report, 'utf8')));
  if (error !== undefined) throw new Error(`The report of Schemathesis reads unlike that of ${version}: ${error.message}`);
  return {
    complete: value.complete,
    exitCode,
    operations: value.operations?.tested ?? 0,
    cases: value.test_cases.generated,
    failures: [
      ...value.failures.map(({ title, count, operations }) => ({ what: `${title}: ${operations.join(', ')}`, count })),
      ...value.errors.map(({ title, count }) => ({ what: title, count })),
    ],
  };
}

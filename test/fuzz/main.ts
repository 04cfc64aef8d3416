import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../../local/errors';
import { resolveLocalDir } from '../../local/options';
import { startTestApi } from '../support/api';
import { openPrograms } from '../support/programs';
import { startReceiver } from '../support/receiver';
import globalSetup from '../support/stack/globalSetup';
import globalTeardown from '../support/stack/globalTeardown';
import { writeConfiguration } from './configuration';
import { readFigures, statusesOf } from './figures';
import { fuzz, requireSchemathesis } from './schemathesis';
import { openTokens, seedPlatformResources } from './platformResources';
import { targets } from './targets';
import { seedResources } from './resources';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** A whole number from the environment, `otherwise` where it names none. */
function numberFrom<Otherwise>(variable: string, otherwise: Otherwise): number | Otherwise {
  const said = process.env[variable] ?? '';
  if (said === '') return otherwise;
  if (!/^\d{1,9}$/.test(said)) throw new Error(`${variable} must be a whole number`);
  return Number(said);
}

/** Brings up a service of its own, fuzzes it, and answers the exit code. */
async function main(): Promise<number> {
  const program = await requireSchemathesis(process.env);
  const seed = numberFrom('FUZZ_SEED', randomInt(1, 1_000_000_000));
  const examples = numberFrom('FUZZ_EXAMPLES', 120);
  const withinSeconds = numberFrom('FUZZ_SECONDS', undefined);
  const [first = '', ...others] = process.argv.slice(2);
  const named = first === 'platform' ? first : 'public';
  const target = targets[named];
  const folder = join(resolveLocalDir(process.env), 'fuzz');
  await globalSetup({ maxWorkers: 1 });
  const programs = openPrograms();
  const receiver = await startReceiver();
  const seedingApi = await startTestApi({ webhookTrustedHosts: [receiver.host], logLevel: 'warn' });
  try {
    const institution = await seedingApi.institution();
    const [api] = await Promise.all([programs.api(seedingApi.settings), programs.worker(seedingApi.settings)]);
    const things = await seedResources(seedingApi, institution, receiver.url);
    const seeded = named === 'platform' ? await seedPlatformResources(seedingApi, institution, things) : things;
    const baseUrl = target.baseUrl(api);
    say(`Fuzzing ${baseUrl} with seed ${seed}`);
    const report = await fuzz({
      program, folder, seed, examples, withinSeconds, baseUrl,
      configuration: writeConfiguration(folder, target, seeded, receiver.url),
      environment: {
        FUZZ_API_KEY: institution.apiKey,
        FUZZ_INSTITUTION: institution.id,
        ...(named === 'platform' ? { FUZZ_TOKENS: JSON.stringify(await openTokens(seedingApi, institution, seeded.kept)) } : {}),
      },
      further: named === 'platform' ? others : process.argv.slice(2),
    });
    const figures = await readFigures(api.internalUrl);
    writeFileSync(join(folder, 'api.log'), api.output());
    const finished = report.complete && (report.exitCode === 0 || report.failures.length > 0);
    const failures = [...report.failures, ...(finished ? [] : [{ what: `Schemathesis did not finish (exit code ${report.exitCode})`, count: 1 }])];
    for (const { what, count } of failures) say(`✗ ${what} (${count})`);
    const failed = failures.reduce((sum, { count }) => sum + count, 0);
    say(`Seed ${seed}; ${report.operations} operations, ${report.cases} cases; answers ${statusesOf(figures)}`);
    say(`${figures.requests} requests, ${failed} failures`);
    return failed === 0 ? 0 : 1;
  } finally {
    await programs.end();
    await seedingApi.stop();
    await receiver.close();
    await globalTeardown();
  }
}

main().then((code) => process.exit(code), (error: unknown) => {
  process.stderr.write(`✗ ${errorMessage(error)}\n`);
  process.exit(1);
});

import { exitOnSignals } from '../config/runProcess';
import { readSettings } from '../config/settings';
import { migrateFromEnvironment } from '../db/migrate';
import { partitionPeriods } from '../db/partitionPeriods';
import { prepareTemporal } from './prepareTemporal';
import { resealStatus } from './reseal/status';
import { startReseal } from './reseal/start';

const usage = 'Usage: migrate [reseal [--status] | temporal | partitions [<table> day|month]]\n  migrate                  migrates the schema\n  migrate reseal           seals every value under the newest key, in the background\n  migrate reseal --status  shows how far that is, and which keys are still used\n  migrate temporal         makes the search attributes and Schedules that Temporal lacks\n  migrate partitions       shows the tables that are partitioned by time, or sets for what period the next partitions of one are made\n';

/** Every call of the command, by its arguments. */
const commands: Record<string, () => Promise<string>> = {
  '': () => migrateFromEnvironment(process.env),
  reseal: () => startReseal(readSettings()),
  'reseal --status': () => resealStatus(readSettings()),
  temporal: () => prepareTemporal(readSettings()),
};

async function main(): Promise<void> {
  // What a migration has begun Postgres undoes, or it is repeatable.
  exitOnSignals();
  const [name, ...values] = process.argv.slice(2);
  const command = name === 'partitions' ? () => partitionPeriods(process.env, values) : commands[process.argv.slice(2).join(' ')];
  if (command === undefined) throw new Error(usage);
  process.stdout.write(await command());
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

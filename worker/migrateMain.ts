import { readSettings } from '../config/settings';
import { migrateFromEnvironment } from '../db/migrate';
import { resealStatus } from './reseal/status';
import { startReseal } from './reseal/start';

const usage = 'Usage: migrate [reseal [--status]]\n  migrate                  migrates the schema\n  migrate reseal           seals every value under the newest key, in the background\n  migrate reseal --status  shows how far that is, and which keys are still used\n';

/** Every call of the command, by its arguments. */
const commands: Record<string, () => Promise<string>> = {
  '': () => migrateFromEnvironment(process.env),
  reseal: () => startReseal(readSettings()),
  'reseal --status': () => resealStatus(readSettings()),
};

async function main(): Promise<void> {
  const command = commands[process.argv.slice(2).join(' ')];
  if (command === undefined) throw new Error(usage);
  process.stdout.write(await command());
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

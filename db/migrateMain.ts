import { migrate } from './migrate';

async function main(): Promise<void> {
  const { DATABASE_URL: service, MIGRATION_DATABASE_URL: owner } = process.env;
  if (service === undefined) throw new Error('DATABASE_URL is not set');
  await migrate(owner ?? service, service);
  process.stdout.write('The schema is up to date.\n');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

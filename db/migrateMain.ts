import { migrateFromEnvironment } from './migrate';

migrateFromEnvironment(process.env).then(
  (done) => process.stdout.write(done),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);

import { exitOnSignals } from '../config/runProcess';
import { migrateFromEnvironment } from './migrate';

// What a migration has begun Postgres undoes, or it is repeatable.
exitOnSignals();

migrateFromEnvironment(process.env).then(
  (done) => process.stdout.write(done),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);

import type { InstitutionScope } from '../database';
import { statement } from '../statement';

const countersAndClock = statement(
  'institution_open_ledgers',
  `WITH counters AS (
     INSERT INTO login_counters (institution_id, kind) VALUES ($1, 'student'), ($1, 'faculty')
   )
   INSERT INTO event_clocks (institution_id) VALUES ($1)`,
);

/** Gives a new institution its login counters and its event clock. */
export async function openLedgers(scope: InstitutionScope): Promise<void> {
  await scope.sql(countersAndClock, [scope.institutionId]);
}

const lock = statement('institution_lock', 'SELECT 1 FROM institutions WHERE id = $1 FOR NO KEY UPDATE');

/** Locks the institution's own row: who counts things of an institution against a limit does it under this lock. */
export async function lockInstitution(scope: InstitutionScope): Promise<void> {
  await scope.sql(lock, [scope.institutionId]);
}

import { statement, type Sql } from './statement';

const setLockTimeout = statement('patience', "SELECT set_config('lock_timeout', '10000', true)");

/** Lets this transaction wait up to 10 s for a lock whose holders work for long. */
export async function extendLockTimeout(scope: { readonly sql: Sql }): Promise<void> {
  await scope.sql(setLockTimeout);
}

const lockNotAvailable = '55P03';

/** Whether Postgres ended a statement because a lock was not acquired in time. */
export const isLockTimeout = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === lockNotAvailable;

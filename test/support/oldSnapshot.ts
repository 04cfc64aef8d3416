import { withConnection } from '../../local/programs/postgres';

/** Runs `work` while a transaction with a snapshot from before it is open, as that of a backup is. */
export const withOldSnapshot = <Result>(databaseUrl: string, work: () => Promise<Result>): Promise<Result> =>
  withConnection(databaseUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM institutions');
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    const result = await work();
    await client.query('COMMIT');
    return result;
  });

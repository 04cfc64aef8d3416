import type { Settings } from '../../config/settings';
import { openDatabase, type Database } from '../../db/database';
import { createSecretBox, type SecretBox } from '../../domain/secrets/secretBox';
import { openTemporal, temporalOptions, type TemporalConnection } from '../../outbound/temporal/engine';

/** What the reseal's commands use. */
export interface ResealConnections {
  database: Database;
  temporal: TemporalConnection;
  secrets: SecretBox;
  /** The id of the key for new values. */
  newestKeyId: string;
}

/** How long a call to Temporal may take, in ms. */
export const temporalDeadlineMs = 10_000;

/** Opens the connections of a process's settings, runs a command and closes them. */
export async function withResealConnections<Result>(settings: Settings, work: (connections: ResealConnections) => Promise<Result>): Promise<Result> {
  const secrets = createSecretBox(settings.keys);
  const [newestKeyId] = secrets.keyIds;
  if (newestKeyId === undefined) throw new Error('No key is configured');
  const database = await openDatabase(settings.databaseDirectUrl ?? settings.databaseUrl, 2, (error) => process.stderr.write(`${error.message}\n`));
  const temporal = openTemporal(temporalOptions(settings));
  try {
    return await work({ database, temporal, secrets, newestKeyId });
  } finally {
    await Promise.all([temporal.close(), database.close()]);
  }
}

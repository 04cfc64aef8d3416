import { Client } from '@temporalio/client';
import { NativeConnection, type Worker } from '@temporalio/worker';
import type { Logger } from '../config/logger';
import type { Settings } from '../config/settings';
import { readCredentials } from '../outbound/temporal/credentials';
import { temporalOptions } from '../outbound/temporal/engine';
import { dataConverter } from '../outbound/temporal/payloadCodec';
import { requireAccepted } from '../outbound/temporal/tryCredentials';
import { isLacking, prepareDeadlineMs, prepareNamespace } from '../outbound/temporal/prepareNamespace';

/** How often certificates and API key are compared with their files, in ms. */
const renewEveryMs = 1_000;

/** The connection of a process's Temporal workers. */
export interface WorkerConnection {
  /** The newest: the one to begin workers with. */
  current(): NativeConnection;
  /** Renews no more, and closes; the workers must have ended. */
  close(): Promise<void>;
}

/**
 * Connects to Temporal as the settings say. When the files of certificates or of the API key change, it connects once more and gives
 * that connection to the workers, unless Temporal refuses it and still accepts the one before. What was sent before is answered.
 */
export async function connectWorkers(settings: Settings, logger: Logger, workers: () => readonly Worker[]): Promise<WorkerConnection> {
  const { address, ...options } = temporalOptions(settings);
  const onFilesUnusable = (error: Error): void => logger.error({ err: error }, 'changed certificates or API key of Temporal cannot be used');
  const { tls, apiKey } = readCredentials({ ...options, onFilesUnusable });
  const connect = async () => {
    const [by, key] = [tls(), apiKey?.()];
    return { by, key, connection: await NativeConnection.connect({ address, tls: by, ...(key === undefined ? {} : { apiKey: key }) }) };
  };
  let newest = await connect();
  let retired: NativeConnection[] = [];

  const renew = async (): Promise<void> => {
    if (tls() !== newest.by || apiKey?.() !== newest.key) {
      const next = await connect();
      try {
        await requireAccepted(next.connection, newest.connection, settings.temporalNamespace);
      } catch (error) {
        await next.connection.close();
        throw error;
      }
      retired.push(newest.connection);
      newest = next;
      logger.info('connected to Temporal by changed certificates or API key');
    }
    for (const worker of workers()) if (worker.connection !== newest.connection && worker.getState() === 'RUNNING') worker.connection = newest.connection;
    const closed = await Promise.allSettled(retired.map((connection) => connection.close()));
    // A worker that was just beginning still has it: the next time.
    retired = retired.filter((_connection, index) => closed[index]?.status === 'rejected');
  };
  let reported: { by: unknown; key: unknown } | undefined;
  const onRefused = (error: unknown): void => {
    // The same files are tried at each interval, and reported once.
    const [by, key] = [tls(), apiKey?.()];
    if (reported?.by !== by || reported.key !== key) logger.error({ err: error }, 'Temporal does not accept the changed certificates or API key; the connection before stays');
    reported = { by, key };
  };
  let renewing: Promise<void> | undefined;
  const timer = setInterval(() => {
    renewing ??= renew().catch(onRefused).finally(() => {
      renewing = undefined;
    });
  }, renewEveryMs);
  return {
    current: () => newest.connection,
    close: async () => {
      clearInterval(timer);
      await renewing;
      await Promise.all([...retired, newest.connection].map((connection) => connection.close()));
    },
  };
}

/** What a look at the namespace found and did. */
interface PreparedNamespace {
  /** What is still lacking, to be passed the next time. */
  lacking: string;
  /** The names of what was made. */
  made: string[];
}

/**
 * Makes the search attributes and Schedules that the namespace lacks. Where Temporal does not let the worker, it logs which, once until
 * they are others, and the worker runs: everything else works.
 */
export async function prepareWorkersNamespace(connection: NativeConnection, settings: Settings, logger: Logger, known: string): Promise<PreparedNamespace> {
  const client = new Client({ connection, namespace: settings.temporalNamespace, dataConverter: dataConverter(settings.temporalCodecKeys) });
  const parts = await connection.withDeadline(Date.now() + prepareDeadlineMs, () => prepareNamespace(client, settings.taskQueue));
  const lacks = parts.filter(isLacking).map(({ kind, name, outcome }) => `${kind} ${name} (${outcome})`);
  const now = lacks.join(', ');
  if (now !== '' && now !== known) logger.warn({ lacks }, 'the namespace of Temporal lacks what this worker may not make: "npm run migrate -- temporal" makes it, or says how');
  return { lacking: now, made: parts.filter(({ outcome }) => outcome === 'made').map(({ name }) => name) };
}

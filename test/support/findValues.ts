import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { unzipSync } from 'fflate';
import type { Redis } from 'ioredis';
import pino from 'pino';
import type { Logger } from '../../config/logger';
import { sealedColumns, sealedTables, type SealedTable } from '../../db/repositories/secrets/sealedColumns';
import { readSealedRows } from '../../db/repositories/secrets/sealedRows';
import { canonicalEmail } from '../../domain/people/personalEmail';
import { openRedis } from '../../outbound/redis';
import type { TemporalConnection } from '../../outbound/temporal/engine';
import type { TestApi } from './api';
import { historyText } from './histories';

/** A logger whose every line, unredacted, is kept. */
export function keptLog(): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
    lines.push(chunk.toString());
    done();
  };
  return { logger: pino({ level: 'trace' }, new Writable({ write })), lines };
}

/** Everything in which values are searched for, in addition to what the API itself has. */
export interface SearchedStores {
  api: TestApi;
  temporal: TemporalConnection;
  log: readonly string[];
  /** The ports of the metrics. */
  metricsUrls: readonly string[];
  /** The folder of a bucket's objects; required if the files are in a bucket. */
  bucketFolder?: string | undefined;
  /** Logs of stores. */
  logFiles?: readonly string[];
}

/** Before every value: none begins with it. */
const noPrefix = ' ';

/** What the sealed values of a table say. */
async function openedTexts({ api: { domain: { database, secrets } } }: TestApi, table: SealedTable): Promise<string[]> {
  const rows = await readSealedRows(database.sql, table, { after: null, newestPrefix: noPrefix, limit: 1_000_000 });
  return rows.flatMap(({ institution_id: institutionId, row_id: rowId, sealed }) =>
    sealedColumns[table].map((column, index) => {
      const value = sealed[index];
      return value == null ? '' : openOrEmpty(() => secrets.open(value, { institutionId, table, column, rowId }));
    }));
}

/** Tests also write values that nobody can open. */
function openOrEmpty(open: () => string): string {
  try {
    return open();
  } catch {
    return '';
  }
}

/** Every row of every table of the database, by the name of the table. */
async function tableTexts(api: TestApi): Promise<[place: string, text: string][]> {
  const { sql } = api.api.domain.database;
  const tables = await sql<{ name: string }>("SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1");
  return Promise.all(tables.map(async ({ name }): Promise<[string, string]> => {
    if (name === 'migrations') return [name, ''];
    const rows = await sql<{ text: string }>(`SELECT row_to_json(t)::text AS text FROM ${name} t`);
    const sealed = await Promise.all(sealedTables.filter((table) => table === name).map((table) => openedTexts(api, table)));
    return [`table ${name}`, [...rows.map(({ text }) => text), ...sealed.flat()].join('\n')];
  }));
}

/** What the entries of an archive say; empty of anything else. */
const entryTexts = (bytes: Buffer): string[] =>
  bytes.subarray(0, 4).toString('latin1') === 'PK\x03\x04' ? Object.entries(unzipSync(bytes)).map(([name, entry]) => `${name}\n${Buffer.from(entry).toString('latin1')}`) : [];

/** Every file of the store and of unfinished uploads, and the entries of those that are archives. */
function fileTexts({ api: { settings: { fileStore, uploadSpoolFolder } }, bucketFolder }: SearchedStores): [string, string][] {
  const folder = fileStore.kind === 'folder' ? fileStore.folder : bucketFolder;
  if (folder === undefined) throw new Error('A test whose files are in a bucket names the folder of its objects');
  return [folder, uploadSpoolFolder].filter((one) => existsSync(one)).flatMap((one) =>
    readdirSync(one, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry): [string, string] => {
        const bytes = readFileSync(join(entry.parentPath, entry.name));
        return ['files', [entry.name, bytes.toString('latin1'), ...entryTexts(bytes)].join('\n')];
      }));
}

/** What a key has; a dump would be compressed. */
async function redisValue(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key);
  if (type === 'string') return redis.get(key);
  if (type === 'hash') return redis.hgetall(key);
  if (type === 'set') return redis.smembers(key);
  if (type === 'zset') return redis.zrange(key, 0, -1);
  if (type === 'list') return redis.lrange(key, 0, -1);
  // It may expire between two calls.
  if (type === 'none') return null;
  throw new Error(`A key of Redis has a type that is not searched: ${type}`);
}

async function redisTexts({ settings: { redisUrl, redisKeyPrefix } }: TestApi): Promise<[string, string][]> {
  const redis = openRedis({ redisUrl, redisKeyPrefix: '', redisSentinels: null }, () => undefined);
  try {
    await new Promise<void>((resolve) => redis.once('ready', () => resolve()));
    const keys = await redis.keys(`${redisKeyPrefix}*`);
    return await Promise.all(keys.map(async (key): Promise<[string, string]> => ['redis', `${key}\n${JSON.stringify(await redisValue(redis, key))}`]));
  } finally {
    redis.disconnect();
  }
}

/** What is shown of a workflow besides its history: memo, search attributes, summary, and failures of activities that are tried again. */
async function describedText({ client }: TemporalConnection, { workflowId, runId }: { workflowId: string; runId: string }): Promise<string> {
  const described = await client.workflow.getHandle(workflowId, runId).describe();
  const { memo, typedSearchAttributes, raw } = described;
  const attributes = typedSearchAttributes.getAll().map(({ value }) => value);
  const failures = (raw.pendingActivities ?? []).map(({ lastFailure }) => lastFailure);
  return JSON.stringify([memo ?? {}, attributes, failures, await described.staticSummary(), await described.staticDetails()]);
}

/** The ids and histories of every workflow of the test's task queue, and what is shown of them. */
async function historyTexts({ settings }: TestApi, temporal: TemporalConnection): Promise<[string, string][]> {
  const { client } = temporal;
  const texts: [string, string][] = [];
  for await (const workflow of client.workflow.list({ query: `TaskQueue = "${settings.taskQueue}"` })) {
    const { workflowId, runId, type } = workflow;
    texts.push([`history ${type}`, [await historyText(client.workflow.getHandle(workflowId, runId)), workflowId, await describedText(temporal, workflow)].join('\n')]);
  }
  return texts;
}

/** The forms in which a text may stand in a store: as it is, in a URL, and as bytes. */
const formsOf = (value: string): string[] => [...new Set([value, encodeURIComponent(value), Buffer.from(value).toString('hex'), Buffer.from(value).toString('base64')])];

/** The places that have one of the values, each as `place: value`. Searches tables, sealed values, files, Redis, histories, logs and metrics. */
export async function findValues(stores: SearchedStores, values: readonly string[]): Promise<string[]> {
  const { api, temporal, log, metricsUrls, logFiles = [] } = stores;
  const { secrets } = api.api.domain;
  const fingerprints = values.filter((value) => value.includes('@')).flatMap((value) =>
    (['personal_email', 'sign_in_request'] as const).flatMap((purpose) => secrets.fingerprints(purpose, canonicalEmail(value)).map((fingerprint) => fingerprint.toString('hex'))));
  const metrics = await Promise.all(metricsUrls.map(async (url): Promise<[string, string]> => ['metrics', await (await fetch(url)).text()]));
  const texts = [...(await tableTexts(api)), ...fileTexts(stores), ...(await redisTexts(api)), ...(await historyTexts(api, temporal)), ['log', log.join('\n')] as const, ...metrics,
    ...logFiles.map((path) => ['log of a store', readFileSync(path, 'latin1')] as const)];
  const found = texts.flatMap(([place, text]) => {
    const lower = text.toLowerCase();
    return [...values, ...fingerprints].filter((value) => formsOf(value).some((form) => lower.includes(form.toLowerCase()))).map((value) => `${place}: ${value}`);
  });
  return [...new Set(found)].sort();
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
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

function fileTexts({ settings: { fileStore, uploadSpoolFolder } }: TestApi): [string, string][] {
  if (fileStore.kind !== 'folder') throw new Error('Tests keep their files in a folder');
  return [fileStore.folder, uploadSpoolFolder].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry): [string, string] => ['files', `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), 'latin1')}`]));
}

async function redisTexts({ settings: { redisUrl, redisKeyPrefix } }: TestApi): Promise<[string, string][]> {
  const redis = openRedis(redisUrl, '', () => undefined);
  try {
    await new Promise<void>((resolve) => redis.once('ready', () => resolve()));
    const keys = await redis.keys(`${redisKeyPrefix}*`);
    const dumps = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
    return keys.map((key, index) => ['redis', `${key}\n${dumps[index]?.toString('latin1') ?? ''}`]);
  } finally {
    redis.disconnect();
  }
}

/** The ids, memos and histories, search attributes among them, of every workflow of the test's task queue. */
async function historyTexts({ settings }: TestApi, temporal: TemporalConnection): Promise<[string, string][]> {
  const { client } = temporal;
  const texts: [string, string][] = [];
  for await (const workflow of client.workflow.list({ query: `TaskQueue = "${settings.taskQueue}"` })) {
    const { workflowId, runId, memo } = workflow;
    texts.push([`history ${workflow.type}`, [await historyText(client.workflow.getHandle(workflowId, runId)), workflowId, JSON.stringify(memo ?? {})].join('\n')]);
  }
  return texts;
}

/** The places that have one of the values, each as `place: value`. Searches tables, sealed values, files, Redis, histories, logs and metrics. */
export async function findValues({ api, temporal, log, metricsUrls }: SearchedStores, values: readonly string[]): Promise<string[]> {
  const { secrets } = api.api.domain;
  const fingerprints = values.filter((value) => value.includes('@')).flatMap((value) =>
    (['personal_email', 'sign_in_request'] as const).flatMap((purpose) => secrets.fingerprints(purpose, canonicalEmail(value)).map((fingerprint) => fingerprint.toString('hex'))));
  const metrics = await Promise.all(metricsUrls.map(async (url): Promise<[string, string]> => ['metrics', await (await fetch(url)).text()]));
  const texts = [...(await tableTexts(api)), ...fileTexts(api), ...(await redisTexts(api)), ...(await historyTexts(api, temporal)), ['log', log.join('\n')] as const, ...metrics];
  const found = texts.flatMap(([place, text]) => {
    const lower = text.toLowerCase();
    return [...values, ...fingerprints].filter((value) => lower.includes(value.toLowerCase())).map((value) => `${place}: ${value}`);
  });
  return [...new Set(found)].sort();
}

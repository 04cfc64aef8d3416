import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { projectRoot } from '../../local/projectRoot';

const { History } = temporal.api.history.v1;
type History = temporal.api.history.v1.History;

const folder = join(projectRoot(), 'test', 'histories');

/** A history as JSON, with nothing in it of the machine it was made on. */
async function jsonOf(handle: Pick<WorkflowHandle, 'fetchHistory'>): Promise<string> {
  const history = History.toObject(History.fromObject(await handle.fetchHistory()), { longs: String, enums: String, bytes: String });
  const json = JSON.stringify(history, null, 1);
  return `${json.replaceAll(/\d+@[^"\s]+/g, 'worker').replaceAll(hostname(), 'worker')}\n`;
}

/**
 * With RECORD_HISTORIES set, keeps this history among those that every later version of the workflows must be able to
 * replay. Replace one only for a workflow that no deployment runs any more.
 */
export async function recordHistory(name: string, handle: Pick<WorkflowHandle, 'fetchHistory'>): Promise<void> {
  if (process.env.RECORD_HISTORIES === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), await jsonOf(handle));
}

/** The task queues of a workflow's activities, each once, in their order. */
export async function activityQueues(handle: Pick<WorkflowHandle, 'fetchHistory'>): Promise<string[]> {
  const { events } = await handle.fetchHistory();
  const queues = (events ?? []).map((event) => event.activityTaskScheduledEventAttributes?.taskQueue?.name);
  return [...new Set(queues.filter((name) => name != null))];
}

/** Every history that was kept, by name. */
export function recordedHistories(): { name: string; history: History }[] {
  return readdirSync(folder).map((file) => {
    const object: Record<string, unknown> = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    return { name: file.replace(/\.json$/, ''), history: History.fromObject(object) };
  });
}

/** All that a history says, its payloads decoded: to search it for what must not be there. */
export async function historyText(handle: Pick<WorkflowHandle, 'fetchHistory'>): Promise<string> {
  const json = await jsonOf(handle);
  const decoded = [...json.matchAll(/"([A-Za-z0-9+/]{4,}={0,2})"/g)].map(([, base64 = '']) => Buffer.from(base64, 'base64').toString('utf8'));
  return [json, ...decoded].join('\n');
}

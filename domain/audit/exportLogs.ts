import { readExportAfter, readExportHorizon, type ExportedRow, type ExportPosition } from '../../db/repositories/auditLog/export';
import type { Database } from '../../db/database';
import { walkSql } from '../../db/walk';

/** How many entries a chunk has, some 200 KB of text; each chunk is a short statement of its own. */
const chunkRows = 500;

const withoutNulls = (entry: object): object => Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null && value !== undefined));

const idForm = /^(?:[a-z]+_[0-9a-z-]+)?$/;

/** Returns the position before the first entry after a moment: times are of a millisecond. */
export const positionAfter = (moment: Date): ExportPosition => ({ at: new Date(moment.getTime() + 1), id: '' });

/** Returns the text of a position, from which an export goes on. */
const cursorOf = ({ at, id }: ExportPosition): string => Buffer.from(JSON.stringify([at.toISOString(), id])).toString('base64url');

/** Returns the position of a cursor; undefined if it is none. */
export function positionOfCursor(cursor: string): ExportPosition | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const parts: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
    const [at, id] = parts;
    if (parts.length !== 2 || typeof at !== 'string' || typeof id !== 'string' || !idForm.test(id)) return undefined;
    const time = new Date(at);
    return time.toISOString() === at ? { at: time, id } : undefined;
  } catch {
    return undefined;
  }
}

function lineOf({ log, id, at, actor_kind, actor_id, actor_name, institution_id, ...entry }: ExportedRow): string {
  const actor = withoutNulls({ kind: actor_kind, id: actor_id, name: actor_name });
  return JSON.stringify({ log, id, at: at.toISOString(), institution_id, actor, ...withoutNulls(entry), cursor: cursorOf({ at, id }) });
}

/**
 * Yields the audit log and the record of disclosures of all institutions as JSON lines, oldest first, after a position, at most
 * `limit` entries; the last line says how to go on: `cursor`, and `more` where entries are left. Entries that are being written
 * while it runs come in a later export: none is missed. Holds no connection between two chunks.
 */
export async function* exportLogs(database: Pick<Database, 'pool' | 'sql' | 'tenantRole'>, from: ExportPosition, limit: number): AsyncGenerator<string, void> {
  const before = await readExportHorizon(database.sql);
  const walk = walkSql(database);
  let position = from;
  for (let left = limit; ; ) {
    const size = Math.min(chunkRows, left);
    const rows = await readExportAfter(walk, position, before, size + 1);
    const chunk = rows.slice(0, size);
    const last = chunk.at(-1);
    if (last !== undefined) position = last;
    left -= chunk.length;
    const more = rows.length > size;
    const lines = chunk.map(lineOf);
    if (!more || left === 0) lines.push(JSON.stringify({ log: 'end', more, cursor: cursorOf(position) }));
    yield lines.map((line) => `${line}\n`).join('');
    if (!more || left === 0) return;
  }
}

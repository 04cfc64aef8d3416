import {
  closeLeaving,
  deleteInstitution,
  eraseLastRows,
  forgetLogs,
  hasLastRows,
  lastTables,
  listErasedInstitutions,
  lockLeaving,
} from '../../db/repositories/offboarding/institution';
import { institutionScope } from '../../db/database';
import { lockOffboarding, markErasing, writeCertificate, writeRemoved, type OffboardingRow } from '../../db/repositories/offboarding/offboardings';
import { erasedTables, hasRowsToErase } from '../../db/repositories/sandbox/erasure';
import type { WorkflowArguments } from '../outbox/workflows';
import type { Domain, Transaction } from '../context';
import { eraseChunk } from '../sandbox/eraseSandbox';
import { transact } from '../transact';
import { certificateText } from './certificate';
import { minimumErasureMs } from './periods';
import { storeCount as total, stores, type Store } from './stores';

/** An offboarding by its row. */
export type OffboardingReference = WorkflowArguments['institutionOffboarding'];

/** Maximum number of rows that one transaction erases. */
const rowsPerTransaction = 1_000;

/** What is next: the erasure has begun, is to be waited for, or will not come. */
export type OffboardingState = { state: 'erasing'; institutionIds: string[] } | { state: 'waiting'; waitMs: number } | { state: 'ended' };

/** Begins the erasure of an institution that was read-only for long enough: from then on its keys and sessions are invalid. No-op if it has begun. */
export function beginErasure(domain: Domain, { institutionId, number }: OffboardingReference, now: Date): Promise<OffboardingState> {
  return transact(domain, { institutionId, now }, async (tx): Promise<OffboardingState> => {
    await tx.sql("SET LOCAL lock_timeout = '20s'");
    const institutions = await lockLeaving(tx);
    const offboarding = await lockOffboarding(tx, number);
    if (offboarding === undefined || offboarding.status === 'cancelled' || offboarding.status === 'erased') return { state: 'ended' };
    if (offboarding.status === 'read_only') {
      const waitMs = offboarding.erase_after.getTime() - now.getTime();
      if (waitMs > 0) return { state: 'waiting', waitMs };
      if (offboarding.file_id === null) throw new Error('The institution has no archive: nothing is erased that was not exported');
      await closeLeaving(tx, now);
      await markErasing(tx, number, now);
    }
    return { state: 'erasing', institutionIds: institutions.map(({ id }) => id) };
  });
}

/** Adds to what an offboarding has removed from a store. */
async function countRemoved(tx: Transaction, { institutionId, number }: OffboardingReference, counts: Readonly<Record<string, number>>): Promise<void> {
  const ofInstitution = tx.scopeOf(institutionId);
  const offboarding = await lockOffboarding(ofInstitution, number);
  if (offboarding === undefined) throw new Error('The offboarding of an institution that is being erased has no row');
  const added = Object.entries(counts).map(([store, count]) => [store, { count: (offboarding.removed[store]?.count ?? 0) + count, at: tx.now.toISOString() }] as const);
  await writeRemoved(ofInstitution, number, { ...offboarding.removed, ...Object.fromEntries(added) });
}

/** What a chunk has erased, and where the next one begins; null if nothing is left. */
export interface OffboardingStep {
  next: string | null;
  erased: number;
  /** The stores that are empty, of all. */
  done: number;
  total: number;
}

const isTable = <Table extends string>(tables: readonly Table[], store: string): store is Table => tables.some((table) => table === store);

/** Erases one chunk of a store of an institution or its sandbox; `next` is the store that the next chunk of this institution begins with. */
async function eraseStore(domain: Domain, offboarding: OffboardingReference, ownerId: string, store: Store, now: Date): Promise<{ next: Store | null; erased: number }> {
  const following = stores[stores.indexOf(store) + 1] ?? null;
  if (isTable(erasedTables, store)) {
    const { next, erased } = await eraseChunk(domain, ownerId, store, now, (tx, table, count) => countRemoved(tx, offboarding, { [table]: count }));
    return { next: next ?? lastTables[0], erased };
  }
  return transact(domain, { institutionId: ownerId, now }, async (tx) => {
    const counts: Record<string, number> = isTable(lastTables, store) ? { [store]: await eraseLastRows(tx, store, rowsPerTransaction) } : await forget(tx);
    const found = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
    if (Object.keys(found).length > 0) await countRemoved(tx, offboarding, found);
    const more = Object.values(counts).some((count) => count === rowsPerTransaction);
    return { next: more ? store : following, erased: Object.values(counts).reduce((sum, count) => sum + count, 0) };
  });
}

async function forget(tx: Transaction): Promise<Record<string, number>> {
  const { audited, disclosed } = await forgetLogs(tx, rowsPerTransaction);
  return { audit_log: audited, disclosures: disclosed };
}

const isStore = (name: string | undefined): name is Store => stores.some((store) => store === name);

/**
 * Erases one chunk of the institution and its sandbox, beginning at a place ('' for the first): at most 1,000 rows or 100 files. Nothing
 * is erased of an institution that is not being erased. What is counted is counted with what is erased, so a repeated chunk counts nothing twice.
 */
export async function eraseOffboardedChunk(domain: Domain, offboarding: OffboardingReference, place: string, now: Date): Promise<OffboardingStep> {
  const owners = await listErasedInstitutions(institutionScope(domain.database, offboarding.institutionId));
  const [nth = '', name] = place === '' ? ['0', stores[0]] : place.split(':');
  const ownerId = owners[Number(nth)];
  if (ownerId === undefined || !isStore(name)) return { next: null, erased: 0, done: total, total };
  const { next, erased } = await eraseStore(domain, offboarding, ownerId, name, now);
  const isLast = Number(nth) === owners.length - 1;
  const done = isLast ? stores.indexOf(name) : 0;
  if (next !== null) return { next: `${nth}:${next}`, erased, done, total };
  return isLast ? { next: null, erased, done: total, total } : { next: `${Number(nth) + 1}:${stores[0]}`, erased, done, total };
}

/** What is left to do before an offboarding ends. */
export type EndState = { state: 'done' } | { state: 'more' } | { state: 'early'; waitMs: number };

/**
 * Ends the erasure: deletes the institution and its sandbox and writes the certificate. `more` if a call that was under way has left
 * rows; `early` while calls may still be under way. No-op if it has ended.
 */
export function endErasure(domain: Domain, { institutionId, number }: OffboardingReference, now: Date): Promise<EndState> {
  return transact(domain, { institutionId, now }, async (tx): Promise<EndState> => {
    await tx.sql("SET LOCAL lock_timeout = '20s'");
    await lockLeaving(tx);
    const offboarding = await lockOffboarding(tx, number);
    if (offboarding?.status !== 'erasing') return { state: 'done' };
    const waitMs = earliestEnd(offboarding) - now.getTime();
    if (waitMs > 0) return { state: 'early', waitMs };
    const ids = await listErasedInstitutions(tx);
    for (const id of ids) {
      const owner = tx.scopeOf(id);
      if ((await hasRowsToErase(owner)) || (await hasLastRows(owner))) return { state: 'more' };
    }
    for (const id of ids) await deleteInstitution(tx.scopeOf(id));
    const counted = { ...offboarding, removed: { ...offboarding.removed, institutions: { count: ids.length, at: now.toISOString() } } };
    await writeRemoved(tx, number, counted.removed);
    await writeCertificate(tx, number, certificateText(counted, now), now);
    return { state: 'done' };
  });
}

const earliestEnd = ({ erasing_since, requested_at }: OffboardingRow): number => (erasing_since ?? requested_at).getTime() + minimumErasureMs;

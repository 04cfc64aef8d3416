import { continueAsNew, proxyActivities, setCurrentDetails, setHandler, sleep } from '@temporalio/workflow';
import type { ResealActivities, SealedTable } from '../activities/secrets/reseal';
import type { KeyUse } from '../domain/secrets/reseal';
import { workflowProgress, type ResealArgument } from './contract';
import { formatCount } from './formatCount';
import { setOutcome } from './setOutcome';
import { shouldContinueAsNew } from './shouldContinueAsNew';

/** How many values were sealed again, by table. */
type Resealed = Partial<Record<SealedTable, number>>;

/** The progress of a reseal; passed on when it continues as a new run. */
export interface ResealProgress {
  /** The values under earlier keys at the start. */
  total: number;
  resealed: Resealed;
  /** Values that no key opens. */
  unreadable: number;
  /** Tables that are done. */
  done: SealedTable[];
  /** The position in the table after them; null at its beginning. */
  after: string[] | null;
}

/** The outcome of a reseal; `incomplete` if values are left under earlier keys. */
export interface ResealResult {
  outcome: 'done' | 'incomplete';
  keyId: string;
  resealed: number;
  /** The values under earlier keys at the start; more if some were written meanwhile. */
  total: number;
  unreadable: number;
  tables: Resealed;
  /** Earlier keys under which no value is sealed any more. */
  unusedKeys: string[];
}

/** The tables in the order in which they are resealed, and what is sealed in them. */
const tableNames: Record<SealedTable, string> = {
  users: 'personal emails',
  webhook_endpoints: 'secrets of webhook endpoints',
  exams: 'hidden-test keys',
  sandbox_emails: 'emails of sandboxes',
  erasures: 'erasures under way',
  idempotency_keys: 'stored responses',
  provisioning_rows: 'emails of bulk calls',
  mailbox_changes: 'emails to be confirmed',
  sign_in_codes: 'emails of sign-in codes',
  sign_in_emails: 'sign-in emails',
};
const tables = Object.keys(tableNames) as SealedTable[];

/** Pause between two chunks, to limit the load on the database. */
const chunkPause = '500 ms';

const { countKeyUse, resealRows } = proxyActivities<ResealActivities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '10 seconds',
  scheduleToCloseTimeout: '30 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/**
 * Seals every value of every institution under the newest key, table by table and chunk by chunk, and moves the fingerprints of
 * personal emails with them. `before` is the progress of the previous run.
 */
export async function reseal({ keyId }: ResealArgument, before?: ResealProgress): Promise<ResealResult> {
  const progress: ResealProgress = before ?? { total: 0, resealed: {}, unreadable: 0, done: [], after: null };
  setHandler(workflowProgress, () => ({ done: resealedBy(progress), total: totalOf(progress) }));
  if (before === undefined) progress.total = countEarlier(keyId, await countKeyUse(keyId));
  for (const table of tables.filter((one) => !progress.done.includes(one))) {
    if ((await resealTable(keyId, table, progress)) === 'unfinished') return continueAsNew<typeof reseal>({ keyId }, progress);
  }
  const use = await countKeyUse(keyId);
  const outcome = countEarlier(keyId, use) === 0 ? 'done' : 'incomplete';
  const unusedKeys = Object.keys(use).filter((id) => id !== keyId && use[id] === 0);
  setCurrentDetails(`${describeProgress(keyId, progress, outcome)}${describeUse(keyId, use)}`);
  setOutcome(outcome);
  return { outcome, keyId, resealed: resealedBy(progress), total: totalOf(progress), unreadable: progress.unreadable, tables: progress.resealed, unusedKeys };
}

const countEarlier = (keyId: string, use: KeyUse): number => Object.entries(use).reduce((sum, [id, count]) => (id === keyId ? sum : sum + count), 0);

const describeUse = (keyId: string, use: KeyUse): string =>
  Object.entries(use)
    .filter(([id]) => id !== keyId)
    .map(([id, count]) => (count === 0 ? ` No value is sealed under \`${id}\` any more.` : ` ${formatCount(count, 'value is', 'values are')} still sealed under \`${id}\`.`))
    .join('');

/** Reseals one table; `unfinished` if the run has become so long that the workflow must continue as a new one. */
async function resealTable(keyId: string, table: SealedTable, progress: ResealProgress): Promise<'finished' | 'unfinished'> {
  for (;;) {
    setCurrentDetails(describeProgress(keyId, progress, 'in progress'));
    const { resealed, unreadable, next } = await resealRows(keyId, table, progress.after);
    progress.resealed[table] = (progress.resealed[table] ?? 0) + resealed;
    progress.unreadable += unreadable;
    progress.after = next;
    if (next === null) break;
    await sleep(chunkPause);
    if (shouldContinueAsNew()) return 'unfinished';
  }
  progress.done.push(table);
  return 'finished';
}

const resealedBy = ({ resealed }: ResealProgress): number => Object.values(resealed).reduce((sum, count) => sum + count, 0);

/** Returns the number at the start; more if values under an earlier key were written meanwhile. */
const totalOf = (progress: ResealProgress): number => Math.max(progress.total, resealedBy(progress));

function describeProgress(keyId: string, progress: ResealProgress, state: string): string {
  const counts = tables.flatMap((table) => {
    const count = progress.resealed[table] ?? 0;
    return count === 0 ? [] : [`${count.toLocaleString('en-US')} ${tableNames[table]}`];
  });
  const parts = counts.length === 0 ? '' : ` (${counts.join(', ')})`;
  const unreadable = progress.unreadable === 0 ? '' : ` No key opens ${formatCount(progress.unreadable, 'value', 'values')}: they stay as they are.`;
  return `**${resealedBy(progress).toLocaleString('en-US')} of ${totalOf(progress).toLocaleString('en-US')}** values sealed under \`${keyId}\`${parts}; ${state}.${unreadable}`;
}

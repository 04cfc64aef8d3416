import type { Settings } from '../../config/settings';
import { slowSql } from '../../db/cursor';
import { countOpenEnrolmentCodes, countOpenInvitations, countSealedValues, type OpenCount, type SealedCount } from '../../db/repositories/secrets/sealedCounts';
import { keyUseOf, type KeyUse } from '../../domain/secrets/reseal';
import type { WorkflowView } from '../../domain/workflowView';
import { workflowViewer } from '../../outbound/temporal/workflowViewer';
import { resealWorkflowId } from '../../workflows/contract';
import { withResealConnections } from './connections';

/** Returns, as text: the state of the reseal, how many values of each column are sealed under each key, and which keys may go. */
export async function resealStatus(settings: Settings): Promise<string> {
  return withResealConnections(settings, async ({ database, temporal, secrets, newestKeyId }) => {
    const view = await workflowViewer(temporal, { url: settings.temporalUiUrl, namespace: settings.temporalNamespace })(resealWorkflowId);
    const counts = await countSealedValues(slowSql(database));
    const now = new Date();
    const startedAt = view?.startedAt ?? now;
    const invitations = await countOpenInvitations(database.sql, startedAt, now);
    const enrolmentCodes = await countOpenEnrolmentCodes(database.sql, startedAt, now);
    const earlier = Object.entries(keyUseOf(secrets, counts)).filter(([id]) => id !== newestKeyId);
    return [
      `Newest key: ${newestKeyId}`,
      describeWorkflow(view),
      '',
      ...describeCounts(counts),
      '',
      ...describeEarlierKeys(earlier, secrets.keyIds),
      ...(earlier.length === 0 ? [] : [...describeInvitations(invitations), ...describeEnrolmentCodes(enrolmentCodes)]),
      '',
    ].join('\n');
  });
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

function describeWorkflow(view: WorkflowView | undefined): string {
  if (view === undefined) return 'Reseal: not started ("npm run migrate -- reseal" starts it)';
  const progress = view.progress === null ? '' : `, ${view.progress.done} of ${view.progress.total} values`;
  const outcome = view.outcome === null ? '' : `, ${view.outcome}`;
  return `Reseal: ${view.status}${outcome}${progress}, started ${view.startedAt.toISOString()}, ${view.url}`;
}

function describeCounts(counts: readonly SealedCount[]): string[] {
  if (counts.length === 0) return ['No value is sealed.'];
  const rows = counts.map(({ table_name, column_name, key_id, count }) => [`${table_name}.${column_name}`, key_id, String(count)] as const);
  const widths = [0, 1].map((cell) => Math.max(...rows.map((row) => row[cell]?.length ?? 0)));
  return rows.map(([column, key, count]) => `${column.padEnd(widths[0] ?? 0)}  ${key.padEnd(widths[1] ?? 0)}  ${count}`);
}

function describeEarlierKeys(earlier: readonly (readonly [string, KeyUse[string]])[], configured: readonly string[]): string[] {
  return earlier.map(([id, count]) => {
    if (!configured.includes(id)) return `${id}: ${counted(count, 'value is', 'values are')} sealed under it, and it is not configured: add it again, or they cannot be read.`;
    if (count > 0) return `${id}: ${counted(count, 'value is', 'values are')} still sealed under it. Keep it.`;
    return `${id}: no value is sealed under it. It may go 1 hour after the newest key came first, when file URLs and sign-in codes that it signed have expired.`;
  });
}

const describeInvitations = ({ open, until }: OpenCount): string[] =>
  until === null ? [] : [`${counted(open, 'invitation was', 'invitations were')} sent before and can be accepted until ${until.toISOString()} at the latest: without the earlier keys ${open === 1 ? 'its link no longer works; send it' : 'their links no longer work; send them'} again, or wait.`];

const describeEnrolmentCodes = ({ open, until }: OpenCount): string[] =>
  until === null ? [] : [`${counted(open, 'enrolment code was', 'enrolment codes were')} made before and can be used until ${until.toISOString()} at the latest: without the earlier keys ${open === 1 ? 'it is refused; make another' : 'they are refused; make others'}, or wait.`];

import type { WorkflowView } from '../../domain/workflowView';
import type { ProvisioningResult } from '../../workflows/bulkProvisioning';
import type { BulkReplayResult } from '../../workflows/bulkReplay';
import type { LettersResult } from '../../workflows/letters';

/** Which counts of a result add up to what was done, and which to all there was. */
interface Sums<Result> {
  done: readonly (keyof Result & string)[];
  total: readonly (keyof Result & string)[];
}

const ofLetters: Sums<LettersResult<never>> = { done: ['sent', 'refused', 'skipped'], total: ['total'] };

const sums: Record<string, { done: readonly string[]; total: readonly string[] }> = {
  // A batch that is closed before its end has failed in its other rows.
  bulkProvisioning: { done: ['created', 'failed'], total: ['created', 'failed'] } satisfies Sums<ProvisioningResult>,
  bulkReplay: { done: ['replayed'], total: ['total'] } satisfies Sums<BulkReplayResult>,
  examNotification: ofLetters,
  weeklyReportLetters: ofLetters,
};

/** How far a workflow came, by its own result; null where that does not tell, as a replay's of a release before 0.5.0. */
export function progressOfResult(type: string, result: unknown): WorkflowView['progress'] {
  const sum = (names: readonly string[]): number => names.reduce((before, name) => before + countOf(result, name), 0);
  const { done, total } = { done: sum(sums[type]?.done ?? []), total: sum(sums[type]?.total ?? []) };
  return sums[type] === undefined || Number.isNaN(done + total) ? null : { done, total };
}

function countOf(result: unknown, name: string): number {
  const found: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, name) : undefined;
  return typeof found === 'number' ? found : NaN;
}

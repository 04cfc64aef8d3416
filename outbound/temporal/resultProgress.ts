import type { WorkflowView } from '../../domain/workflowView';

/** Which counts of a result add up to what was done, and which to all there was. */
interface CountFields {
  done: readonly string[];
  total: readonly string[];
}

const emailCounts: CountFields = { done: ['sent', 'refused', 'skipped'], total: ['total'] };

const countFieldsByType: Record<string, CountFields> = {
  // A batch that is closed before its end has failed in its other rows.
  bulkProvisioning: { done: ['created', 'failed'], total: ['created', 'failed'] },
  bulkReplay: { done: ['replayed'], total: ['total'] },
  examNotification: emailCounts,
  weeklyReportLetters: emailCounts,
};

/** How far a workflow came, by its own result; null where that does not tell, as a replay's of a release before 0.5.0. */
export function progressOfResult(type: string, result: unknown): WorkflowView['progress'] {
  const counts = countFieldsByType[type];
  if (counts === undefined) return null;
  const sum = (names: readonly string[]): number => names.reduce((before, name) => before + countOf(result, name), 0);
  const progress = { done: sum(counts.done), total: sum(counts.total) };
  return Number.isNaN(progress.done + progress.total) ? null : progress;
}

function countOf(result: unknown, name: string): number {
  const found: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, name) : undefined;
  return typeof found === 'number' ? found : NaN;
}

import type { WorkflowView } from '../../domain/workflowView';

/** The counts of a result that add up to the rows done, and those that add up to all rows. */
interface CountFields {
  done: readonly string[];
  total: readonly string[];
}

const emailCounts: CountFields = { done: ['sent', 'refused', 'skipped'], total: ['total'] };

const countFieldsByType: Record<string, CountFields> = {
  // In a batch that was closed before its end, the other rows have failed.
  bulkProvisioning: { done: ['created', 'failed'], total: ['created', 'failed'] },
  bulkReplay: { done: ['replayed'], total: ['total'] },
  endpointRecovery: { done: ['recovered'], total: ['total'] },
  reseal: { done: ['resealed'], total: ['total'] },
  examNotification: emailCounts,
  institutionOffboarding: { done: ['done'], total: ['total'] },
  rowFill: { done: ['done'], total: ['total'] },
  personErasure: { done: ['done'], total: ['total'] },
  weeklyReportLetters: emailCounts,
};

/**
 * Returns the final progress of a workflow from its result; null if the result does not contain it, such as a replay's
 * before version 0.5.0.
 */
export function progressOfResult(type: string, result: unknown): WorkflowView['progress'] {
  const counts = countFieldsByType[type];
  if (counts === undefined) return null;
  const sum = (names: readonly string[]): number => names.reduce((before, name) => before + countOf(result, name), 0);
  const progress = { done: sum(counts.done), total: sum(counts.total) };
  return Number.isNaN(progress.done + progress.total) ? null : progress;
}

/** Returns the numbers of a result by their names; null if it has none. */
export function countsOfResult(result: unknown): WorkflowView['result'] {
  if (typeof result !== 'object' || result === null) return null;
  const counts = Object.entries(result).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  return counts.length === 0 ? null : Object.fromEntries(counts);
}

function countOf(result: unknown, name: string): number {
  const found: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, name) : undefined;
  return typeof found === 'number' ? found : NaN;
}

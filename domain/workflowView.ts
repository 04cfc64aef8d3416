/** The statuses of a workflow, from Temporal. */
export const workflowStatuses = ['running', 'paused', 'completed', 'failed', 'cancelled', 'terminated', 'continued_as_new', 'timed_out', 'unknown'] as const;

export type WorkflowStatus = (typeof workflowStatuses)[number];

/** The latest run of a workflow, as shown to operators. */
export interface WorkflowView {
  workflowId: string;
  type: string;
  status: WorkflowStatus;
  startedAt: Date;
  closedAt: Date | null;
  /** Its purpose, set at its start. */
  summary: string | null;
  /** Its state in a sentence; null when it has ended, or no worker responds. */
  details: string | null;
  /** Its result once it has ended; null before, and if it has none. */
  outcome: string | null;
  /** Its progress; null if it does not count, ended without a result, or while no worker responds. */
  progress: { done: number; total: number } | null;
  /** What it counted, by name, once it has completed: the created and the failed of a bulk call; null before, and if it does not count. */
  result: Readonly<Record<string, number>> | null;
  /** Its page in Temporal's Web UI. */
  url: string;
}

/** The address of Temporal's Web UI for a namespace. */
export interface TemporalUi {
  url: string;
  namespace: string;
}

const workflowsPageUrl = ({ url, namespace }: TemporalUi): string => `${url.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows`;

/** Returns the page of a workflow in Temporal's Web UI. */
export const workflowUrl = (ui: TemporalUi, workflowId: string): string => `${workflowsPageUrl(ui)}/${encodeURIComponent(workflowId)}`;

/** Returns the page of the workflow with one of these ids; their list if there are several ids. */
export function workflowsUrl(ui: TemporalUi, workflowIds: readonly string[]): string {
  const [only, ...others] = workflowIds;
  if (only !== undefined && others.length === 0) return workflowUrl(ui, only);
  return `${workflowsPageUrl(ui)}?query=${encodeURIComponent(`WorkflowId IN (${workflowIds.map((id) => JSON.stringify(id)).join(', ')})`)}`;
}

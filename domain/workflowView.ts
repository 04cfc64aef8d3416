/** The states of a workflow, as Temporal knows them. */
export const workflowStatuses = ['running', 'paused', 'completed', 'failed', 'cancelled', 'terminated', 'continued_as_new', 'timed_out', 'unknown'] as const;

export type WorkflowStatus = (typeof workflowStatuses)[number];

/** The latest run of a workflow, as an operator looks at it. */
export interface WorkflowView {
  workflowId: string;
  type: string;
  status: WorkflowStatus;
  startedAt: Date;
  closedAt: Date | null;
  /** What it is for, said at its start. */
  summary: string | null;
  /** How things stand, in a sentence; null when it has ended, or no worker answers. */
  details: string | null;
  /** What it came to, once it has ended; null before, and where it does not say. */
  outcome: string | null;
  /** How far it is, or came; null of one that does not count, that ended without a result, or while no worker answers. */
  progress: { done: number; total: number } | null;
  /** Its page in Temporal's Web UI. */
  url: string;
}

/** Where Temporal's Web UI shows the workflows of a namespace. */
export interface TemporalUi {
  url: string;
  namespace: string;
}

const workflowsPageUrl = ({ url, namespace }: TemporalUi): string => `${url.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows`;

/** The page of a workflow in Temporal's Web UI. */
export const workflowUrl = (ui: TemporalUi, workflowId: string): string => `${workflowsPageUrl(ui)}/${encodeURIComponent(workflowId)}`;

/** The page of the one workflow that has one of these ids; their list where there are several ids. */
export function workflowsUrl(ui: TemporalUi, workflowIds: readonly string[]): string {
  const [only, ...others] = workflowIds;
  if (only !== undefined && others.length === 0) return workflowUrl(ui, only);
  return `${workflowsPageUrl(ui)}?query=${encodeURIComponent(`WorkflowId IN (${workflowIds.map((id) => JSON.stringify(id)).join(', ')})`)}`;
}

import { path, pause } from './call';
import type { ApiContext } from './context';
import { CliError, InterruptedError } from './errors';
import { getField, getNumber, getString } from './fields';
import { printRecord } from './record';
import type { Webhooks } from './webhooks';

/** What a command starts and then follows. */
export interface BulkWork {
  /** In messages: `replay`. */
  name: string;
  /** Of what it has done: `replayed`. */
  done: string;
  /** Why it may stop early, by its outcome. */
  stopReasons: Record<string, string>;
}

/** How far bulk work is. */
interface BulkState {
  /** That of its workflow, or of what is known of it. */
  status: string;
  outcome: unknown;
  /** So far; null if it has ended and its end does not give the number. */
  done: number | null;
  /** Whether there is nothing more to wait for. */
  isEnded: boolean;
}

/** How bulk work is followed. */
export interface Following {
  pollIntervalMs: number;
  /** Reads the state once; `previous` is what the last one was. */
  read(workflowId: string, matched: number, previous: BulkState): Promise<BulkState>;
  /** The command that shows how far it is. */
  shownBy(workflowId: string): string;
}

/** The final statuses of a workflow. */
const terminalStatuses = new Set(['completed', 'failed', 'cancelled', 'terminated', 'timed_out']);

/** Errors that may pass: the workflow has not started yet, or Temporal or the API is unavailable. */
const transientErrorCodes = new Set(['not_found', 'internal_error', 'unreachable', 'rate_limited']);

/** Follows the workflow, which only the platform API shows. */
export const followWorkflow = ({ api }: ApiContext): Following => ({
  pollIntervalMs: 500,
  shownBy: (id) => `institution workflows show ${id}`,
  read: async (id, _matched, previous) => {
    const workflow = await api.call('GET', path`/workflows/${id}`, { asPlatform: true });
    const status = getString(workflow, 'status');
    const isEnded = terminalStatuses.has(status);
    // While it runs, a missing number means that the worker has not reported one: the previous one still holds.
    return { status, outcome: getField(workflow, 'outcome'), done: getNumber(workflow, 'progress.done') ?? (isEnded ? null : previous.done), isEnded };
  },
});

/**
 * Follows the deliveries that it releases, as a key can: it has ended when they are as many as matched, or when their endpoint takes
 * none any more. If none is added for as long as a call may take, the following ends: others may have sent some of them again.
 */
export function followDeliveries({ api, timeoutMs }: ApiContext, webhooks: Webhooks, endpointId: string): Following {
  let grewAt = performance.now();
  return {
    // With two calls each time, a fifth of what a key may ask by default.
    pollIntervalMs: 1_000,
    shownBy: (id) => `institution deliveries list --sent-by ${id}`,
    read: async (id, matched, previous) => {
      const done = getNumber(await api.call('GET', webhooks.deliveries, { query: { sent_by: id, limit: 1 } }), 'total') ?? 0;
      if (done >= matched) return { status: 'completed', outcome: 'done', done, isEnded: true };
      if (done > (previous.done ?? 0)) {
        grewAt = performance.now();
        return { ...previous, done };
      }
      const endpoint = await api.call('GET', webhooks.endpointPath(endpointId));
      if (getString(endpoint, 'status') !== 'active') return { status: 'completed', outcome: 'endpoint_inactive', done, isEnded: true };
      return { ...previous, done, isEnded: performance.now() - grewAt >= timeoutMs };
    },
  };
}

/** Follows bulk work to its end. The work continues if the following is interrupted. */
async function waitForEnd(context: ApiContext, work: BulkWork, following: Following, id: string, matched: number): Promise<BulkState> {
  // They are attempted later, and held while the circuit is open.
  const bar = context.progress('released');
  let state: BulkState = { status: 'running', outcome: null, done: 0, isEnded: false };
  let lastResponseAt = performance.now();
  try {
    while (!state.isEnded) {
      const done = state.done ?? 0;
      bar.show(done, Math.max(matched, done));
      try {
        state = await following.read(id, matched, state);
        lastResponseAt = performance.now();
      } catch (error) {
        if (!(error instanceof CliError) || !transientErrorCodes.has(error.details.code) || performance.now() - lastResponseAt >= context.timeoutMs) throw error;
      }
      if (!state.isEnded) await pause(following.pollIntervalMs, context.signal);
    }
    return state;
  } catch (error) {
    const hint = `The ${work.name} continues: ${following.shownBy(id)}`;
    if (error instanceof InterruptedError) throw error.withMessage(`Interrupted. ${hint}`);
    bar.end();
    context.note(hint);
    throw error;
  } finally {
    bar.end();
  }
}

/** Prints what the API accepted; with `following` follows it to its end first. Throws if it did not end as `done`. */
export async function printBulkWork(context: ApiContext, work: BulkWork, accepted: unknown, following?: Following): Promise<void> {
  const [workflowId, matched] = [getField(accepted, 'workflow_id'), getNumber(accepted, 'matched') ?? 0];
  if (following === undefined || typeof workflowId !== 'string') {
    printRecord(context, accepted);
    return;
  }
  const { status, outcome, done } = await waitForEnd(context, work, following, workflowId, matched);
  printRecord(context, { workflow_id: workflowId, matched, [work.done]: done, status, outcome });
  if (outcome === 'done') return;
  const shownBy = following.shownBy(workflowId);
  if (!terminalStatuses.has(status)) throw new CliError(`Nothing was released for ${context.timeoutMs / 1_000} s; the ${work.name} may continue: ${shownBy}`, { kind: 'refused', code: 'unfinished' });
  const code = typeof outcome === 'string' ? outcome : status;
  throw new CliError(work.stopReasons[code] ?? `The ${work.name} did not complete: ${shownBy}`, { kind: 'refused', code });
}

import { path, pause } from './call';
import type { CliContext } from './context';
import { CliError, InterruptedError } from './errors';
import { getField, getNumber, getString } from './fields';
import { printRecord } from './record';

const pollIntervalMs = 500;

/** What a command starts on the platform and then follows. */
export interface BulkWork {
  /** In messages: `replay`. */
  name: string;
  /** Of what it has done: `replayed`. */
  done: string;
  /** Why it may stop early, by its outcome. */
  stopReasons: Record<string, string>;
}

/** The state of bulk work, from its workflow. */
interface BulkState {
  status: string;
  outcome: unknown;
  /** So far; null if it has ended and its end does not give the number. */
  done: number | null;
}

/** The final statuses of a workflow. */
const terminalStatuses = new Set(['completed', 'failed', 'cancelled', 'terminated', 'timed_out']);

/** Errors that may pass: the workflow has not started yet, or Temporal or the API is unavailable. */
const transientErrorCodes = new Set(['not_found', 'internal_error', 'unreachable', 'rate_limited']);

/** Reads the state once. */
async function fetchState({ api }: CliContext, id: string, previous: BulkState): Promise<BulkState> {
  const workflow = await api.call('GET', path`/workflows/${id}`, { asPlatform: true });
  const status = getString(workflow, 'status');
  return {
    status,
    outcome: getField(workflow, 'outcome'),
    // While it runs, a missing number means that the worker has not reported one: the previous one still holds.
    done: getNumber(workflow, 'progress.done') ?? (terminalStatuses.has(status) ? null : previous.done),
  };
}

/** Follows bulk work to its end. The work continues if the following is interrupted. */
async function waitForEnd(context: CliContext, work: BulkWork, id: string, matched: number): Promise<BulkState> {
  // They are attempted later, and held while the circuit is open.
  const bar = context.progress('released');
  let state: BulkState = { status: 'running', outcome: null, done: 0 };
  let lastResponseAt = performance.now();
  try {
    while (!terminalStatuses.has(state.status)) {
      const done = state.done ?? 0;
      bar.show(done, Math.max(matched, done));
      try {
        state = await fetchState(context, id, state);
        lastResponseAt = performance.now();
      } catch (error) {
        if (!(error instanceof CliError) || !transientErrorCodes.has(error.details.code) || performance.now() - lastResponseAt >= context.timeoutMs) throw error;
      }
      if (!terminalStatuses.has(state.status)) await pause(pollIntervalMs, context.signal);
    }
    return state;
  } catch (error) {
    const hint = `The ${work.name} continues: institution workflows show ${id}`;
    if (error instanceof InterruptedError) throw error.withMessage(`Interrupted. ${hint}`);
    bar.end();
    context.note(hint);
    throw error;
  } finally {
    bar.end();
  }
}

/** Prints what the platform accepted; with `wait` follows it to its end first. Throws if it did not end as `done`. */
export async function printBulkWork(context: CliContext, work: BulkWork, accepted: unknown, wait: boolean): Promise<void> {
  const [workflowId, matched] = [getField(accepted, 'workflow_id'), getNumber(accepted, 'matched') ?? 0];
  if (!wait || typeof workflowId !== 'string') {
    printRecord(context, accepted);
    return;
  }
  const { status, outcome, done } = await waitForEnd(context, work, workflowId, matched);
  printRecord(context, { workflow_id: workflowId, matched, [work.done]: done, status, outcome });
  if (outcome === 'done') return;
  const code = typeof outcome === 'string' ? outcome : status;
  throw new CliError(work.stopReasons[code] ?? `The ${work.name} did not complete: institution workflows show ${workflowId}`, { kind: 'refused', code });
}

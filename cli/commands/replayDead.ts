import type { Command } from 'commander';
import { findInstitutionId, type CliContext, type OpenCliContext } from '../context';
import { CliError, InterruptedError } from '../errors';
import { getField, getNumber, getString } from '../fields';
import { parseTimestamp, parseId } from '../options';
import { path, pause } from '../call';
import { printRecord } from '../record';

const pollIntervalMs = 500;

/** The state of a bulk replay, from its workflow. */
interface ReplayState {
  status: string;
  outcome: unknown;
  /** So far; null if the replay has ended and its end does not give the number. */
  replayed: number | null;
}

interface Options {
  since: string;
  /** False with --no-wait. */
  wait: boolean;
}

/** The final statuses of a workflow. */
const terminalStatuses = new Set(['completed', 'failed', 'cancelled', 'terminated', 'timed_out']);

/** Errors that may pass: the workflow has not started yet, or Temporal or the API is unavailable. */
const transientErrorCodes = new Set(['not_found', 'internal_error', 'unreachable', 'rate_limited']);

/** Reads the state once. */
async function fetchReplayState({ api }: CliContext, id: string, previous: ReplayState): Promise<ReplayState> {
  const workflow = await api.call('GET', path`/workflows/${id}`, { asPlatform: true });
  const status = getString(workflow, 'status');
  return {
    status,
    outcome: getField(workflow, 'outcome'),
    // While it runs, a missing number means that the worker has not reported one: the previous one still holds.
    replayed: getNumber(workflow, 'progress.done') ?? (terminalStatuses.has(status) ? null : previous.replayed),
  };
}

/** Follows a replay to its end. The replay continues if the following is interrupted. */
async function waitForReplay(context: CliContext, id: string, matched: number): Promise<ReplayState> {
  const bar = context.progress('replayed');
  let state: ReplayState = { status: 'running', outcome: null, replayed: 0 };
  let lastResponseAt = performance.now();
  try {
    while (!terminalStatuses.has(state.status)) {
      const replayed = state.replayed ?? 0;
      bar.show(replayed, Math.max(matched, replayed));
      try {
        state = await fetchReplayState(context, id, state);
        lastResponseAt = performance.now();
      } catch (error) {
        if (!(error instanceof CliError) || !transientErrorCodes.has(error.details.code) || performance.now() - lastResponseAt >= context.timeoutMs) throw error;
      }
      if (!terminalStatuses.has(state.status)) await pause(pollIntervalMs, context.signal);
    }
    return state;
  } catch (error) {
    const hint = `The replay continues: institution workflows show ${id}`;
    if (error instanceof InterruptedError) throw error.withMessage(`Interrupted. ${hint}`);
    bar.end();
    context.note(hint);
    throw error;
  } finally {
    bar.end();
  }
}

const stopReasons: Record<string, string> = { endpoint_inactive: 'The endpoint no longer takes deliveries: the remaining ones stay dead.' };

export function replayDead(command: Command, open: OpenCliContext): void {
  command
    .description('Send every dead delivery of an endpoint again, oldest first, and follow the replay to its end.')
    .argument('<endpoint>', 'its id, we_…', parseId)
    .requiredOption('--since <moment>', 'created after a time, 2026-11-20T09:30:00Z, or an age: 30m, 24h, 7d (required)', parseTimestamp)
    .option('--no-wait', 'do not follow it')
    .action(async (id: string, { since, wait }: Options) => {
      const context = open();
      const requestPath = path`/institutions/${await findInstitutionId(context, id)}/webhook-endpoints/${id}/replay-dead`;
      const accepted = await context.api.call('POST', requestPath, { body: { since } });
      const [workflowId, matched] = [getField(accepted, 'workflow_id'), getNumber(accepted, 'matched') ?? 0];
      if (!wait || typeof workflowId !== 'string') {
        printRecord(context, accepted);
        return;
      }
      const { status, outcome, replayed } = await waitForReplay(context, workflowId, matched);
      const result = { workflow_id: workflowId, matched, replayed, status, outcome };
      printRecord(context, result);
      if (outcome === 'done') return;
      const code = typeof outcome === 'string' ? outcome : status;
      throw new CliError(stopReasons[code] ?? `The replay did not complete: institution workflows show ${workflowId}`, { kind: 'refused', code });
    });
}

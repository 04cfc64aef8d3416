import type { Command } from 'commander';
import { ownerOf, type Desk, type OpenDesk } from '../context';
import { Failure, Interrupted } from '../errors';
import { fieldOf, numberOf, textOf } from '../fields';
import { aMoment, anId } from '../options';
import { path, pause } from '../platformApi';
import { card } from '../tables';

const betweenLooksMs = 500;

/** How a bulk replay stands, as its workflow says. */
interface Standing {
  status: string;
  outcome: unknown;
  /** So far; of one that has ended null where its end does not tell. */
  replayed: number | null;
}

interface Options {
  since: string;
  /** False with --no-wait. */
  wait: boolean;
}

/** The ends of a workflow; in any other state it may still come to one. */
const ends = new Set(['completed', 'failed', 'cancelled', 'terminated', 'timed_out']);

/** What a silent or missing workflow may mean for a while: it is not started yet, Temporal or the API is away. */
const passing = new Set(['not_found', 'internal_error', 'unreachable', 'rate_limited']);

/** Looks once; undefined where there is nothing to see yet. */
async function look({ api }: Desk, id: string, before: Standing): Promise<Standing> {
  const workflow = await api.call('GET', path`/workflows/${id}`, { asPlatform: true });
  const status = textOf(workflow, 'status');
  return {
    status,
    outcome: fieldOf(workflow, 'outcome'),
    // While it runs, a worker that says nothing has taken nothing back.
    replayed: numberOf(workflow, 'progress.done') ?? (ends.has(status) ? null : before.replayed),
  };
}

/** Follows a replay to its end; whatever ends the following, the replay goes on. */
async function follow(desk: Desk, id: string, matched: number): Promise<Standing> {
  const bar = desk.progress('replayed');
  let standing: Standing = { status: 'running', outcome: null, replayed: 0 };
  let heardAt = performance.now();
  try {
    while (!ends.has(standing.status)) {
      const replayed = standing.replayed ?? 0;
      bar.show(replayed, Math.max(matched, replayed));
      try {
        standing = await look(desk, id, standing);
        heardAt = performance.now();
      } catch (error) {
        if (!(error instanceof Failure) || !passing.has(error.details.code) || performance.now() - heardAt >= desk.timeoutMs) throw error;
      }
      if (!ends.has(standing.status)) await pause(betweenLooksMs, desk.signal);
    }
    return standing;
  } catch (error) {
    const goesOn = `The replay goes on without this: institution workflows show ${id}`;
    if (error instanceof Interrupted) throw error.saying(`Interrupted. ${goesOn}`);
    bar.end();
    desk.note(goesOn);
    throw error;
  } finally {
    bar.end();
  }
}

const stopped: Record<string, string> = { endpoint_inactive: 'The endpoint takes none any more: the rest stays dead.' };

export function replayDead(command: Command, open: OpenDesk): void {
  command
    .description('Send every dead delivery of an endpoint anew, oldest first, and follow it to the end.')
    .argument('<endpoint>', 'its id, we_…', anId)
    .requiredOption('--since <moment>', 'those created after it: 2026-11-20T09:30:00Z, or so long ago: 30m, 24h, 7d (required)', aMoment)
    .option('--no-wait', 'do not follow it')
    .action(async (id: string, { since, wait }: Options) => {
      const desk = open();
      const at = path`/institutions/${await ownerOf(desk, id)}/webhook-endpoints/${id}/replay-dead`;
      const asked = await desk.api.call('POST', at, { body: { since } });
      const [workflowId, matched] = [fieldOf(asked, 'workflow_id'), numberOf(asked, 'matched') ?? 0];
      if (!wait || typeof workflowId !== 'string') {
        desk.answer(asked, () => card(asked));
        return;
      }
      const { status, outcome, replayed } = await follow(desk, workflowId, matched);
      const came = { workflow_id: workflowId, matched, replayed, status, outcome };
      desk.answer(came, () => card(came));
      if (outcome === 'done') return;
      const code = typeof outcome === 'string' ? outcome : status;
      throw new Failure(stopped[code] ?? `The replay ended otherwise: institution workflows show ${workflowId}`, { kind: 'refused', code });
    });
}

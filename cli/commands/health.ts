import type { Command } from 'commander';
import type { CliContext, OpenCliContext } from '../context';
import { CliError } from '../errors';
import { getField, getNumber, getString } from '../fields';
import { printRecord } from '../record';

/** From this age on, in seconds, a pending delivery is late. */
const lateSeconds = 60;

/** Returns what the service says of its workers; null, with a note, where it says nothing. */
async function readWorkers(context: CliContext): Promise<unknown> {
  try {
    return await context.api.call('GET', '/workers', { asPlatform: true });
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    context.note(`Nothing is known of the workers: ${error.message}`);
    return null;
  }
}

/** Says what to look at first. */
function workersNote(workers: unknown): string | undefined {
  if (getField(workers, 'polling') === false) return 'No worker asks for work: retries, emails and workflows stop until one runs.';
  if ((getNumber(workers, 'oldest_pending_delivery_seconds') ?? 0) > lateSeconds) return 'Pending deliveries wait for the workers: look at /readyz and the log of the worker.';
  return undefined;
}

export function health(command: Command, open: OpenCliContext): void {
  command.description('Show whether the API process and its dependencies are ready, whether workers ask for work, and how old the oldest waiting delivery is; exit code 1 if the API is not ready.').action(async () => {
    const context = open();
    const { ready, body } = await context.api.readiness();
    const workers = ready ? await readWorkers(context) : null;
    printRecord(context, typeof body === 'object' ? { ...body, workers } : body);
    if (!ready) throw new CliError('A required dependency of the API is unavailable.', { kind: 'refused', code: getString(body, 'status') });
    const note = workersNote(workers);
    if (note !== undefined) context.note(note);
  });
}

import type { Command } from 'commander';
import type { OpenCliContext } from '../context';
import { CliError } from '../errors';
import { getString } from '../fields';
import { printRecord } from '../record';

export function health(command: Command, open: OpenCliContext): void {
  command.description('Show whether the API process and its dependencies are ready; exit code 1 if they are not.').action(async () => {
    const context = open();
    const { ready, body } = await context.api.readiness();
    printRecord(context, body);
    if (!ready) throw new CliError('A required dependency of the API is unavailable.', { kind: 'refused', code: getString(body, 'status') });
  });
}

import type { Command } from 'commander';
import type { OpenCliContext } from '../context';
import { CliError } from '../errors';
import { getString } from '../fields';
import { formatRecord } from '../tables';

export function health(command: Command, open: OpenCliContext): void {
  command.description('Ask whether the API process is ready, and what it depends on; exit code 1 where it is not.').action(async () => {
    const context = open();
    const { ready, body } = await context.api.readiness();
    context.print(body, () => formatRecord(body));
    if (!ready) throw new CliError('The API lacks something that it cannot do without.', { kind: 'refused', code: getString(body, 'status') });
  });
}

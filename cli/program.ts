import { Command } from 'commander';
import { admin } from './commands/admin';
import { coupons } from './commands/coupons';
import { curricula } from './commands/curricula';
import { deliveries } from './commands/deliveries';
import { endpoints } from './commands/endpoints';
import { health } from './commands/health';
import { allowance, institutions } from './commands/institutions';
import { keys } from './commands/keys';
import { replayDead } from './commands/replayDead';
import { workflows } from './commands/workflows';
import type { CliContext } from './context';
import { handleUnknownCommands } from './help';
import { parseId, wholeNumber, type GlobalOptions } from './options';

/** The same on every terminal, so that it can be shown in the documents. */
const helpWidth = 110;

type AddCommand = (command: Command, open: () => CliContext) => void;

/** Groups of commands, and commands that stand alone, by their names. */
const commands: Record<string, { description?: string; add: AddCommand }> = {
  institutions: { description: 'Institutions: create, approve, suspend.', add: institutions },
  admin: { description: 'The admin of an institution: suspend, reactivate, hand the role over.', add: admin },
  keys: { description: 'API keys of an institution.', add: keys },
  endpoints: { description: 'Webhook endpoints of an institution.', add: endpoints },
  deliveries: { description: 'Deliveries of webhooks.', add: deliveries },
  'replay-dead': { add: replayDead },
  workflows: { description: 'What waits in Temporal.', add: workflows },
  coupons: { description: 'Coupon batches, which the platform decides.', add: coupons },
  allowance: { description: 'What an institution has left to credit.', add: allowance },
  curricula: { description: 'Curricula of Alpha Learning.', add: curricula },
  health: { add: health },
};

const helpFooter = `
It speaks the platform API alone: at PLATFORM_URL with PLATFORM_TOKEN, or of the local stack that
.local/connection.json tells of. Exit codes: 0 done, 1 refused, 2 wrong usage, 3 the service cannot be
reached, 130 interrupted.`;

/** The whole command line; `open` makes a desk of the options once a command runs. */
export function createProgram(version: string, open: (options: GlobalOptions) => CliContext): Command {
  const program = new Command('institution')
    .description('Administer the Institution API.')
    .version(version)
    .option('--json', 'answer one JSON document, for machines')
    .option('--timeout <seconds>', 'how long the service may take to answer', wholeNumber(1, 600), 30)
    .option('--actor <id>', 'act as this admin (fac_…) or developer (dev_…) of an institution', parseId)
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => helpWidth,
      outputError: (message, write) => write(message.replace(/^error: /, 'usage: ')),
    })
    .exitOverride()
    .addHelpText('after', helpFooter);
  for (const [name, { description, add }] of Object.entries(commands)) {
    const command = program.command(name);
    if (description !== undefined) command.description(description).helpCommand(false);
    add(command, () => open(program.opts<GlobalOptions>()));
    if (command.commands.length > 0) handleUnknownCommands(command);
  }
  handleUnknownCommands(program);
  return program;
}

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

/** The same on every terminal, so that the documents can quote it. */
const helpWidth = 110;

type AddCommand = (command: Command, open: () => CliContext) => void;

/** Groups of commands, and single commands, by name. */
const commands: Record<string, { description?: string; add: AddCommand }> = {
  institutions: { description: 'Institutions: create, approve, suspend.', add: institutions },
  admin: { description: 'The admin of an institution: suspend, reactivate, hand the role over.', add: admin },
  keys: { description: 'API keys of an institution.', add: keys },
  endpoints: { description: 'Webhook endpoints of an institution.', add: endpoints },
  deliveries: { description: 'Deliveries of webhooks.', add: deliveries },
  'replay-dead': { add: replayDead },
  workflows: { description: 'Workflows in Temporal.', add: workflows },
  coupons: { description: 'Coupon batches: show, approve, reject.', add: coupons },
  allowance: { description: 'The allowance of an institution, for merit credits.', add: allowance },
  curricula: { description: 'Curricula of Alpha Learning.', add: curricula },
  health: { add: health },
};

const helpFooter = `
It uses the platform API only: at PLATFORM_URL with PLATFORM_TOKEN, or that of the local stack in
.local/connection.json. Exit codes: 0 success, 1 rejected, 2 wrong usage, 3 the service cannot be
reached, 130 interrupted.`;

/** Returns the whole command line; `open` creates the context when a command runs. */
export function createProgram(version: string, open: (options: GlobalOptions) => CliContext): Command {
  const program = new Command('institution')
    .description('Administer the Institution API.')
    .version(version)
    .option('--json', 'print one JSON document')
    .option('--timeout <seconds>', 'how long the service may take to respond', wholeNumber(1, 600), 30)
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

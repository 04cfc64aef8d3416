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
import type { Desk } from './context';
import { answerOtherNames } from './help';
import { anId, wholeNumber, type GlobalOptions } from './options';

/** The same on every terminal, so that it can be shown in the documents. */
const helpWidth = 110;

type Fill = (command: Command, open: () => Desk) => void;

/** Groups of commands, and commands that stand alone, by their names. */
const commands: Record<string, { description?: string; fill: Fill }> = {
  institutions: { description: 'Institutions: create, approve, suspend.', fill: institutions },
  admin: { description: 'The admin of an institution: suspend, reactivate, hand the role over.', fill: admin },
  keys: { description: 'API keys of an institution.', fill: keys },
  endpoints: { description: 'Webhook endpoints of an institution.', fill: endpoints },
  deliveries: { description: 'Deliveries of webhooks.', fill: deliveries },
  'replay-dead': { fill: replayDead },
  workflows: { description: 'What waits in Temporal.', fill: workflows },
  coupons: { description: 'Coupon batches, which the platform decides.', fill: coupons },
  allowance: { description: 'What an institution has left to credit.', fill: allowance },
  curricula: { description: 'Curricula of Alpha Learning.', fill: curricula },
  health: { fill: health },
};

const connecting = `
It speaks the platform API alone: at PLATFORM_URL with PLATFORM_TOKEN, or of the local stack that
.local/connection.json tells of. Exit codes: 0 done, 1 refused, 2 wrong usage, 3 the service cannot be
reached, 130 interrupted.`;

/** The whole command line; `open` makes a desk of the options once a command runs. */
export function createProgram(version: string, open: (options: GlobalOptions) => Desk): Command {
  const program = new Command('institution')
    .description('Administer the Institution API.')
    .version(version)
    .option('--json', 'answer one JSON document, for machines')
    .option('--timeout <seconds>', 'how long the service may take to answer', wholeNumber(1, 600), 30)
    .option('--actor <id>', 'act as this admin (fac_…) or developer (dev_…) of an institution', anId)
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => helpWidth,
      outputError: (message, write) => write(message.replace(/^error: /, 'usage: ')),
    })
    .exitOverride()
    .addHelpText('after', connecting);
  for (const [name, { description, fill }] of Object.entries(commands)) {
    const command = program.command(name);
    if (description !== undefined) command.description(description).helpCommand(false);
    fill(command, () => open(program.opts<GlobalOptions>()));
    if (command.commands.length > 0) answerOtherNames(command);
  }
  answerOtherNames(program);
  return program;
}

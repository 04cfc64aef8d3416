import { Argument, type Command } from 'commander';
import { path } from '../call';
import type { CliContext, OpenCliContext } from '../context';
import { getString } from '../fields';
import { usageError } from '../errors';
import { list } from '../list';
import { readOwn, resolvePerson } from '../person';
import { parseId, SuggestedOption, wholeNumber, withPagingOptions, type PageOptions } from '../options';
import { printRecord } from '../record';

/** What a role is called; the service says which it takes. */
const suggestedRoles = ['support', 'operator'];

const roleOption = (description: string): SuggestedOption => new SuggestedOption('--role <role>', description, suggestedRoles);

/** The argument of every command that is about a person of the staff. */
const personArgument = (): Argument => new Argument('<person>', 'their id, stf_…, or their email').argParser(parseId);

/** The same where one's own tokens are meant if nobody is named. */
const ownByDefault = (): Argument => new Argument('[person]', 'their id, stf_…, or their email; you yourself if absent').argParser(parseId);

/** Returns the id of a person whose tokens are meant: one's own where nobody is named. */
const resolveTokenOwner = async (context: CliContext, text: string | undefined): Promise<string> =>
  text === undefined ? getString(await readOwn(context), 'id') : resolvePerson(context, text);

interface Person {
  name?: string;
  email?: string;
  role?: string;
}

/** The staff of the platform, and their personal tokens. */
export function staff(group: Command, open: OpenCliContext): void {
  withPagingOptions(group.command('list'))
    .description('List the staff, revoked people too, newest first.')
    .action((options: PageOptions) => list(open(), { path: '/staff', columns: ['id', 'name', 'email', 'role', 'status', 'signs_in_with', 'created_at'] }, options));

  group
    .command('whoami')
    .description('Show the person of the staff whose personal token PLATFORM_TOKEN is.')
    .action(async () => {
      const context = open();
      printRecord(context, await readOwn(context));
    });

  group
    .command('show')
    .description('Show a person of the staff.')
    .addArgument(personArgument())
    .action(async (person: string) => {
      const context = open();
      printRecord(context, await context.api.call('GET', path`/staff/${await resolvePerson(context, person)}`));
    });

  group
    .command('add')
    .description('Add a person; the email of a revoked one lets them in again, without their earlier tokens.')
    .requiredOption('--name <name>', 'their name (required)')
    .requiredOption('--email <email>', 'their own mailbox at work (required)')
    .addOption(roleOption('support: reads, and sends deliveries again; operator: may do everything (required)').makeOptionMandatory())
    .action(async ({ name, email, role }: Person) => {
      const context = open();
      printRecord(context, await context.api.call('POST', '/staff', { body: { name, email, role } }));
    });

  group
    .command('update')
    .description('Update the name, email or role of a person; the role counts from their next request on.')
    .addArgument(personArgument())
    .option('--name <name>', 'their name')
    .option('--email <email>', 'their own mailbox at work')
    .addOption(roleOption('support or operator'))
    .action(async (person: string, { name, email, role }: Person) => {
      if ((name ?? email ?? role) === undefined) throw usageError('Give --name, --email or --role.');
      const context = open();
      const id = await resolvePerson(context, person);
      printRecord(context, await context.api.call('PATCH', path`/staff/${id}`, { body: { name, email, role } }));
    });

  group
    .command('revoke')
    .description('Revoke a person: their tokens and their sessions of the console end at once.')
    .addArgument(personArgument())
    .action(async (person: string) => {
      const context = open();
      const id = await resolvePerson(context, person);
      context.print(await context.api.call('DELETE', path`/staff/${id}`), () => `${id} is revoked.\n`);
    });

  tokens(group.command('tokens').description('Personal tokens of a person: list, create, revoke.').helpCommand(false), open);
}

function tokens(group: Command, open: OpenCliContext): void {
  withPagingOptions(group.command('list'))
    .description("List a person's tokens of every status, newest first.")
    .addArgument(ownByDefault())
    .action(async (person: string | undefined, options: PageOptions) => {
      const context = open();
      const id = await resolveTokenOwner(context, person);
      await list(context, { path: path`/staff/${id}/tokens`, columns: ['id', 'name', 'status', 'last_four', 'created_by', 'created_at', 'expires_at', 'last_used_at'] }, options);
    });

  group
    .command('create')
    .description('Create a personal token; the token itself is shown only once.')
    .addArgument(ownByDefault())
    .requiredOption('--name <name>', 'what it is for (required)')
    .option('--days <n>', 'how long it is valid (default 90)', wholeNumber(1, 365))
    .action(async (person: string | undefined, { name, days }: { name: string; days?: number }) => {
      const context = open();
      const id = await resolveTokenOwner(context, person);
      printRecord(context, await context.api.call('POST', path`/staff/${id}/tokens`, { body: { name, expires_in_days: days } }));
      context.note('The token is shown this once: keep it now.');
    });

  group
    .command('revoke')
    .description('Revoke a personal token: its next request is refused, and the sessions that it began end.')
    .addArgument(personArgument())
    .argument('<token>', 'its id, stk_…', parseId)
    .action(async (person: string, token: string) => {
      const context = open();
      const id = await resolvePerson(context, person);
      context.print(await context.api.call('DELETE', path`/staff/${id}/tokens/${token}`), () => `${token} is revoked.\n`);
    });
}

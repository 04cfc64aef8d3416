import type { Command } from 'commander';
import type { OpenCliContext } from '../context';
import { institutionArgument, resolveInstitution } from '../institution';
import { list } from '../list';
import { wholeNumber, withPagingOptions, type PageOptions } from '../options';
import { path } from '../call';
import { printRecord } from '../record';

interface NewInstitution {
  name: string;
  loginDomain: string;
  adminEmail: string;
  adminName: string;
  timeZone?: string;
  allowance?: number;
}

/** The largest allowance that the service takes, in cents. */
const maxCents = Number.MAX_SAFE_INTEGER;

export function institutions(group: Command, open: OpenCliContext): void {
  withPagingOptions(group.command('list'))
    .description('List all institutions, newest first.')
    .option('--name <text>', 'whose name contains this, in upper or lower case')
    .action(({ name, ...options }: PageOptions & { name?: string }) =>
      list(open(), { path: '/institutions', query: { name }, columns: ['id', 'name', 'status', 'login_domain', 'time_zone', 'allowance_cents', 'sandbox_of', 'created_at'] }, options),
    );

  group
    .command('show')
    .description('Show an institution.')
    .addArgument(institutionArgument())
    .action(async (institution: string) => {
      const context = open();
      const id = await resolveInstitution(context, institution);
      printRecord(context, await context.api.call('GET', path`/institutions/${id}`));
    });

  group
    .command('create')
    .description('Create a pending institution with its admin.')
    .requiredOption('--name <name>', 'its name (required)')
    .requiredOption('--login-domain <domain>', 'the domain of its login emails (required)')
    .requiredOption('--admin-email <email>', "the admin's own mailbox (required)")
    .requiredOption('--admin-name <name>', "the admin's name (required)")
    .option('--time-zone <zone>', 'time zone of its days (default UTC)')
    .option('--allowance <cents>', 'its allowance (default 0)', wholeNumber(0, maxCents))
    .action(async ({ name, loginDomain, adminEmail, adminName, timeZone, allowance }: NewInstitution) => {
      const context = open();
      const body = { name, login_domain: loginDomain, admin_email: adminEmail, admin_name: adminName, time_zone: timeZone, allowance_cents: allowance };
      printRecord(context, await context.api.call('POST', '/institutions', { body }));
    });

  for (const [verb, description] of Object.entries(changes)) {
    group
      .command(verb)
      .description(description)
      .addArgument(institutionArgument())
      .action(async (institution: string) => {
        const context = open();
        const id = await resolveInstitution(context, institution);
        printRecord(context, await context.api.call('POST', path`/institutions/${id}/${verb}`));
      });
  }
}

const changes = {
  approve: 'Approve an institution, or restore a suspended one.',
  suspend: 'Suspend an approved institution: its keys are rejected from the next request on.',
};

/** The allowance of an institution. */
export function allowance(group: Command, open: OpenCliContext): void {
  group
    .command('set')
    .description('Set the allowance that an institution has left for merit credits; repeating it changes nothing.')
    .addArgument(institutionArgument())
    .argument('<cents>', 'in whole cents', wholeNumber(0, maxCents))
    .action(async (institution: string, cents: number) => {
      const context = open();
      const id = await resolveInstitution(context, institution);
      printRecord(context, await context.api.call('PUT', path`/institutions/${id}/allowance`, { body: { allowance_cents: cents } }));
    });
}

import type { Command } from 'commander';
import type { OpenCliContext } from '../context';
import { eventPatterns } from '../eventTypes';
import { getItems, getString } from '../fields';
import { institutionArgument, resolveInstitution } from '../institution';
import { list } from '../list';
import { SuggestedOption, timeZoneNames, wholeNumber, withPagingOptions, withTimeRange, type PageOptions, type TimeRange } from '../options';
import { path } from '../call';
import { printRecord } from '../record';
import { resolveTimeRange } from '../timeRange';

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

  withTimeRange(withPagingOptions(group.command('events')), 'created')
    .description("List an institution's events with their deliveries, newest first; they are kept for 30 days.")
    .addArgument(institutionArgument())
    .addOption(new SuggestedOption('--type <pattern>', 'of this type, exam.graded, or of these, exam.*', eventPatterns))
    .option('--about <id>', 'whose content names this id, or the person with this login email')
    .action(async (institution: string, { type, about, since, until, ...page }: PageOptions & TimeRange & { type?: string; about?: string }) => {
      const context = open();
      const id = await resolveInstitution(context, institution);
      const query = { type, about, ...(await resolveTimeRange(context, id, { since, until })) };
      await list(context, { path: path`/institutions/${id}/events`, query, columns: ['created_at', 'type', 'id', 'deliveries'], toRow: toEventRow }, page);
    });

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
    .addOption(new SuggestedOption('--time-zone <zone>', 'time zone of its days (default UTC)', timeZoneNames))
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

/** Returns an event with the number of its deliveries by status. */
function toEventRow(event: unknown): unknown {
  const statuses = getItems(event, 'deliveries').map((delivery) => getString(delivery, 'status'));
  const counts = [...new Set(statuses)].map((status) => `${statuses.filter((one) => one === status).length} ${status}`);
  return typeof event === 'object' ? { ...event, deliveries: counts } : event;
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

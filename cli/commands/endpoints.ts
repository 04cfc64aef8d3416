import type { Command } from 'commander';
import { findInstitutionId, type CliContext, type OpenCliContext } from '../context';
import { institutionArgument, listOfInstitution } from '../institution';
import { parseId, withPagingOptions, type PageOptions } from '../options';
import { path } from '../call';
import { printRecord } from '../record';

const endpointPath = async (context: CliContext, id: string): Promise<string> => path`/institutions/${await findInstitutionId(context, id)}/webhook-endpoints/${id}`;

const changes = {
  pause: { description: 'Pause an endpoint: its deliveries are held, retries when they are due, and their deadlines stop.', status: 'paused' },
  resume: { description: 'Resume a paused endpoint, or reactivate a disabled one; held deliveries are sent, oldest first.', status: 'active' },
};

export function endpoints(group: Command, open: OpenCliContext): void {
  withPagingOptions(group.command('list'))
    .description("List an institution's webhook endpoints, newest first.")
    .addArgument(institutionArgument())
    .action((institution: string, options: PageOptions) =>
      listOfInstitution(
        open(),
        institution,
        (id) => ({ path: path`/institutions/${id}/webhook-endpoints`, columns: ['id', 'status', 'url', 'events', 'consecutive_failures', 'last_success_at', 'last_failure_at'] }),
        options,
      ),
    );

  group
    .command('show')
    .description('Show a webhook endpoint.')
    .argument('<endpoint>', 'its id, we_…', parseId)
    .action(async (id: string) => {
      const context = open();
      printRecord(context, await context.api.call('GET', await endpointPath(context, id)));
    });

  for (const [verb, { description, status }] of Object.entries(changes)) {
    group
      .command(verb)
      .description(description)
      .argument('<endpoint>', 'its id, we_…', parseId)
      .action(async (id: string) => {
        const context = open();
        printRecord(context, await context.api.call('PATCH', await endpointPath(context, id), { body: { status } }));
      });
  }
}

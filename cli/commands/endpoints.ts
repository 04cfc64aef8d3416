import type { Command } from 'commander';
import { ownerOf, type Desk, type OpenDesk } from '../context';
import { list } from '../list';
import { anId, withPages, type PageOptions } from '../options';
import { path } from '../platformApi';
import { card } from '../tables';

const pathTo = async (desk: Desk, id: string): Promise<string> => path`/institutions/${await ownerOf(desk, id)}/webhook-endpoints/${id}`;

const changes = {
  pause: { description: 'Pause an endpoint: its deliveries are held, those being retried when their turn comes, and their clock stops.', status: 'paused' },
  resume: { description: 'Resume a paused endpoint, or bring a disabled one back; what is held goes out, oldest first.', status: 'active' },
};

export function endpoints(group: Command, open: OpenDesk): void {
  withPages(group.command('list'))
    .description("List an institution's webhook endpoints, newest first.")
    .argument('<institution>', 'its id, ins_…', anId)
    .action((id: string, options: PageOptions) =>
      list(open(), { path: path`/institutions/${id}/webhook-endpoints`, columns: ['id', 'status', 'url', 'events', 'consecutive_failures', 'last_success_at', 'last_failure_at'] }, options),
    );

  group
    .command('show')
    .description('Show a webhook endpoint.')
    .argument('<endpoint>', 'its id, we_…', anId)
    .action(async (id: string) => {
      const desk = open();
      const endpoint = await desk.api.call('GET', await pathTo(desk, id));
      desk.answer(endpoint, () => card(endpoint));
    });

  for (const [verb, { description, status }] of Object.entries(changes)) {
    group
      .command(verb)
      .description(description)
      .argument('<endpoint>', 'its id, we_…', anId)
      .action(async (id: string) => {
        const desk = open();
        const endpoint = await desk.api.call('PATCH', await pathTo(desk, id), { body: { status } });
        desk.answer(endpoint, () => card(endpoint));
      });
  }
}

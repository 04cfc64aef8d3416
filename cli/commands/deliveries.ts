import type { Command } from 'commander';
import { ownerOf, type Desk, type OpenDesk } from '../context';
import { itemsOf } from '../fields';
import { list } from '../list';
import { aMoment, anId, withPages, type PageOptions } from '../options';
import { path } from '../platformApi';
import { card, table } from '../tables';

interface Filter extends PageOptions {
  status?: string;
  endpoint?: string;
  eventType?: string;
  since?: string;
}

const pathTo = async (desk: Desk, id: string): Promise<string> => path`/institutions/${await ownerOf(desk, id)}/deliveries/${id}`;

const attemptColumns = ['number', 'started_at', 'duration_ms', 'response_code', 'error_class', 'error', 'response_body'];

export function deliveries(group: Command, open: OpenDesk): void {
  withPages(group.command('list'))
    .description("List an institution's deliveries, newest first.")
    .argument('<institution>', 'its id, ins_…', anId)
    .option('--status <status>', 'pending, retrying, held, delivered, dead or cancelled')
    .option('--endpoint <endpoint>', 'to this endpoint, we_…')
    .option('--event-type <type>', 'of exactly this type, exam.graded')
    .option('--since <moment>', 'created after it: 2026-11-20T09:30:00Z, or so long ago: 30m, 24h, 7d', aMoment)
    .action((id: string, { status, endpoint, eventType, since, ...page }: Filter) =>
      list(
        open(),
        {
          path: path`/institutions/${id}/deliveries`,
          query: { status, endpoint_id: endpoint, event_type: eventType, since },
          columns: ['id', 'status', 'event_type', 'endpoint_id', 'attempts', 'response_code', 'next_attempt_at', 'created_at'],
        },
        page,
      ),
    );

  group
    .command('show')
    .description('Show a delivery with its attempts; what was sent stands in the JSON.')
    .argument('<delivery>', 'its id, whd_…', anId)
    .action(async (id: string) => {
      const desk = open();
      const delivery = await desk.api.call('GET', await pathTo(desk, id));
      desk.answer(delivery, () => `${card(delivery, ['payload'])}\n${table(attemptColumns, itemsOf(delivery, 'attempt_log'))}`);
    });

  group
    .command('replay')
    .description('Send a delivered, dead or cancelled delivery anew, with a new window of 12 hours.')
    .argument('<delivery>', 'its id, whd_…', anId)
    .option('--ref <ref>', 'replays it once, however often this is asked for under the same ref')
    .action(async (id: string, { ref }: { ref?: string }) => {
      const desk = open();
      const delivery = await desk.api.call('POST', `${await pathTo(desk, id)}/replay`, { body: { ref } });
      desk.answer(delivery, () => card(delivery, ['payload']));
    });

  group
    .command('retry-now')
    .description('Attempt an open delivery at once; its schedule and deadline stay.')
    .argument('<delivery>', 'its id, whd_…', anId)
    .action(async (id: string) => {
      const desk = open();
      const delivery = await desk.api.call('POST', `${await pathTo(desk, id)}/retry-now`);
      desk.note(`As it was; it is being attempted: institution deliveries show ${id}`);
      desk.answer(delivery, () => card(delivery, ['payload']));
    });
}

import type { Command } from 'commander';
import { path } from '../call';
import type { OpenCliContext } from '../context';
import { getItems, getString } from '../fields';
import { parseId } from '../options';
import { formatRecord, formatTable } from '../tables';

const columns = ['endpoint_id', 'outcome', 'at', 'delivery_id', 'url', 'reason'];

export function explain(command: Command, open: OpenCliContext): void {
  command
    .description('Show an event, and for each endpoint of its institution whether it was delivered, or why not.')
    .argument('<event>', 'its id, evt_…', parseId)
    .action(async (id: string) => {
      const context = open();
      const event = await context.api.call('GET', path`/events/${id}`);
      await context.timeZone.useInstitution(() => Promise.resolve(getString(event, 'time_zone')));
      context.print(event, (shown) => `${formatRecord(shown)}\n${formatTable(columns, getItems(shown, 'endpoints'))}`);
    });
}

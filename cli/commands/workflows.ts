import type { Command } from 'commander';
import type { OpenCliContext } from '../context';
import { parseId } from '../options';
import { path } from '../call';
import { printRecord } from '../record';

export function workflows(group: Command, open: OpenCliContext): void {
  group
    .command('show')
    .description("Show a workflow: its state, its details, and its link to Temporal's Web UI.")
    .argument('<workflow>', 'its id: whd_…, cpb_…, exm_…:<run> of an exam, as Temporal shows it, or we_… for the newest of an endpoint', parseId)
    .action(async (id: string) => {
      const context = open();
      printRecord(context, await context.api.call('GET', path`/workflows/${id}`));
    });
}

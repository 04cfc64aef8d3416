import type { Command } from 'commander';
import type { OpenDesk } from '../context';
import { anId } from '../options';
import { path } from '../platformApi';
import { card } from '../tables';

export function workflows(group: Command, open: OpenDesk): void {
  group
    .command('show')
    .description('Show a workflow: its state, how things stand, and where Temporal shows it.')
    .argument('<workflow>', 'its id: whd_…, cpb_…, exm_…:<run> of an exam, as Temporal shows it, or we_… for the newest of an endpoint', anId)
    .action(async (id: string) => {
      const desk = open();
      const workflow = await desk.api.call('GET', path`/workflows/${id}`);
      desk.answer(workflow, () => card(workflow));
    });
}

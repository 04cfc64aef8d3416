import type { Command } from 'commander';
import type { OpenCliContext } from '../context';
import { parseId } from '../options';
import { path } from '../call';
import { getField } from '../fields';
import { formatRecord } from '../tables';

/** Returns a workflow with its details as people read them: without the Markdown that the Web UI shows as bold text and code. */
function withPlainDetails(workflow: unknown): unknown {
  const details = getField(workflow, 'details');
  return typeof details === 'string' ? Object.assign({}, workflow, { details: details.replaceAll(/\*\*|`/g, '') }) : workflow;
}

export function workflows(group: Command, open: OpenCliContext): void {
  group
    .command('show')
    .description("Show a workflow: its state, its details, and its link to Temporal's Web UI.")
    .argument('<workflow>', 'its id: whd_…, cpb_…, bulk_…, exm_…:<number> of an exam, export_stu_…:<number>, as Temporal shows it; we_…, gdn_…, dev_…, erase_stu_… or export_stu_… for the newest of an endpoint, an invitation, an erasure or an export', parseId)
    .action(async (id: string) => {
      const context = open();
      context.print(await context.api.call('GET', path`/workflows/${id}`), (shown) => formatRecord(withPlainDetails(shown), getField(shown, 'details') === null && getField(shown, 'closed_at') !== null ? ['details'] : []));
    });
}

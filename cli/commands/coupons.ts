import type { Command } from 'commander';
import { findInstitutionId, type CliContext, type OpenCliContext } from '../context';
import { getField, getItems } from '../fields';
import { institutionArgument, listOfInstitution } from '../institution';
import { parseId, withPagingOptions, type PageOptions } from '../options';
import { path } from '../call';
import { printRecord } from '../record';
import { formatRecord, formatTable } from '../tables';

const batchPath = async (context: CliContext, id: string): Promise<string> => path`/institutions/${await findInstitutionId(context, id)}/coupon-batches/${id}`;

const decisions = {
  approve: 'Approve a coupon batch: its codes are created within seconds.',
  reject: 'Reject a coupon batch.',
};

export function coupons(group: Command, open: OpenCliContext): void {
  withPagingOptions(group.command('list'))
    .description("List an institution's coupon batches, newest first.")
    .addArgument(institutionArgument())
    .action((institution: string, options: PageOptions) =>
      listOfInstitution(
        open(),
        institution,
        (id) => ({
          path: path`/institutions/${id}/coupon-batches`,
          columns: ['id', 'name', 'status', 'total_coupons', 'value_cents', 'redeemed_count', 'expiry_date', 'created_at'],
        }),
        options,
      ),
    );

  group
    .command('show')
    .description('Show a coupon batch, with its codes once it is approved.')
    .argument('<batch>', 'its id, cpb_…', parseId)
    .action(async (id: string) => {
      const context = open();
      const batch = await context.api.call('GET', await batchPath(context, id));
      context.print(batch, (shown) => {
        const codes = getItems(shown, 'codes');
        return formatRecord(shown) + (codes.length === 0 ? '' : `\n${formatTable(['code', 'redeemed_by', 'redeemed_at'], codes)}`);
      });
    });

  for (const [verb, description] of Object.entries(decisions)) {
    group
      .command(verb)
      .description(description)
      .argument('<batch>', 'its id, cpb_…', parseId)
      .option('--reason <text>', 'shown with the batch')
      .action(async (id: string, { reason }: { reason?: string }) => {
        const context = open();
        const batch = await context.api.call('POST', `${await batchPath(context, id)}/${verb}`, { body: { reason } });
        printRecord(context, batch);
        if (getField(batch, 'status') === 'pending') context.note(`Its codes are being made: institution coupons show ${id}`);
      });
  }
}

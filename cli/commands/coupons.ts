import type { Command } from 'commander';
import { ownerOf, type Desk, type OpenDesk } from '../context';
import { fieldOf, itemsOf } from '../fields';
import { list } from '../list';
import { anId, withPages, type PageOptions } from '../options';
import { path } from '../platformApi';
import { card, table } from '../tables';

const pathTo = async (desk: Desk, id: string): Promise<string> => path`/institutions/${await ownerOf(desk, id)}/coupon-batches/${id}`;

const decisions = {
  approve: 'Approve a coupon batch: its codes are made within seconds.',
  reject: 'Reject a coupon batch.',
};

export function coupons(group: Command, open: OpenDesk): void {
  withPages(group.command('list'))
    .description("List an institution's coupon batches, newest first.")
    .argument('<institution>', 'its id, ins_…', anId)
    .action((id: string, options: PageOptions) =>
      list(
        open(),
        {
          path: path`/institutions/${id}/coupon-batches`,
          columns: ['id', 'name', 'status', 'total_coupons', 'value_cents', 'redeemed_count', 'expiry_date', 'created_at'],
        },
        options,
      ),
    );

  group
    .command('show')
    .description('Show a coupon batch with its codes, once it is approved.')
    .argument('<batch>', 'its id, cpb_…', anId)
    .action(async (id: string) => {
      const desk = open();
      const batch = await desk.api.call('GET', await pathTo(desk, id));
      const codes = itemsOf(batch, 'codes');
      desk.answer(batch, () => card(batch) + (codes.length === 0 ? '' : `\n${table(['code', 'redeemed_by', 'redeemed_at'], codes)}`));
    });

  for (const [verb, description] of Object.entries(decisions)) {
    group
      .command(verb)
      .description(description)
      .argument('<batch>', 'its id, cpb_…', anId)
      .option('--reason <text>', 'shown with the batch')
      .action(async (id: string, { reason }: { reason?: string }) => {
        const desk = open();
        const batch = await desk.api.call('POST', `${await pathTo(desk, id)}/${verb}`, { body: { reason } });
        desk.answer(batch, () => card(batch));
        if (fieldOf(batch, 'status') === 'pending') desk.note(`Its codes are being made: institution coupons show ${id}`);
      });
  }
}

import { listBatches, type BatchRow } from '../../db/repositories/coupons/batches';
import { batchStatusAt } from '../../domain/coupons/transitions';
import { html } from '../html';
import { badge } from '../components';
import { timeElement, timesOf, type Times } from '../format';
import { href, pathTo } from '../consoleRequest';
import { institutionListPage } from './institutionList';

const cents = (amount: number): string => `${amount.toLocaleString('en')} ${amount === 1 ? 'cent' : 'cents'}`;

/** Returns how many coupons a batch has, what each is worth, and all of them. */
export const amountText = ({ total_coupons, value_cents }: BatchRow): string => `${total_coupons.toLocaleString('en')} of ${cents(value_cents)} each, ${cents(total_coupons * value_cents)} in all`;

const columns = (times: Times) => [
  { title: 'Program', cell: ({ id, name }: BatchRow) => html`<a href="${href(pathTo.search, { q: id })}">${name}</a><span class="second"><code>${id}</code></span>` },
  { title: 'Coupons', cell: amountText },
  { title: 'Status', cell: (batch: BatchRow) => badge(batchStatusAt(batch, times.now)) },
  { title: 'Requested', cell: ({ created_at }: BatchRow) => timeElement(created_at, times) },
  { title: 'Decided', cell: ({ decided_at }: BatchRow) => timeElement(decided_at, times) },
];

/** Shows the coupon batches of an institution, newest first; never a code. */
export const couponBatchesPage = institutionListPage<BatchRow>({
  title: 'Coupon batches',
  about: 'The page of a batch says who decided about it, and why.',
  nothing: 'There are no coupon batches.',
  idPrefix: 'cpb_',
  path: pathTo.couponBatches,
  read: listBatches,
  columns,
  cursorOf: ({ created_at: at, id }) => ({ at, id }),
  rowTimes: timesOf,
});

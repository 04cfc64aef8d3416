import type { Command } from 'commander';
import { indexesByReason } from '../../lib/indexesByReason';
import type { OpenCliContext } from '../context';
import { usageError } from '../errors';
import { getField, getItems, getString } from '../fields';
import { formatRecord, formatTable } from '../tables';

/** Each is a call of its own. */
const maxTexts = 50;

const columns = ['kind', 'id', 'description', 'state', 'institution_name', 'institution_id', 'parent_id', 'created_at'];

/** Returns what people see of what was found: the state of a call is its operation, which its description begins with. */
const toRow = (found: unknown): unknown => (getField(found, 'kind') === 'audited call' ? Object.assign({}, found, { state: null }) : found);

const seatColumns = ['status', 'app', 'platform', 'signed_in_at', 'last_seen_at', 'ended_at', 'id'];

/** Returns what decides whether a person can sign in, and their seats; '' for what is no person. */
function formatAccount(found: unknown): string {
  const account = getField(found, 'account');
  if (typeof account !== 'object' || account === null) return '';
  const seats = getItems(account, 'seats');
  return `\n${formatRecord(account)}${seats.length === 0 ? '' : `\n${formatTable(seatColumns, seats)}`}`;
}

/** Returns who suspended or revoked a license, and when; '' for anything else. */
function formatChange(found: unknown): string {
  const changed = getField(found, 'changed');
  return typeof changed === 'string' ? `\n${formatRecord({ [getString(found, 'state')]: changed })}` : '';
}

/** Returns where a seat is, when it was used, and why it ended; '' for anything else. */
function formatSeat(found: unknown): string {
  const seat = getField(found, 'seat');
  return typeof seat === 'object' && seat !== null ? `\n${formatRecord(seat)}` : '';
}

/** Returns what became of a bulk call, which items failed, and whether it may be repeated; '' for anything else. */
function formatBulkCall(found: unknown): string {
  const bulk = getField(found, 'bulk');
  if (typeof bulk !== 'object' || bulk === null) return '';
  const rows = getItems(bulk, 'failed_rows').map((row) => ({ reason: getString(row, 'reason'), index: Number(getField(row, 'index')) }));
  const failed = indexesByReason(rows).map(({ reason, indexes }) => ({ reason, item: indexes.map((index) => index + 1), index: indexes }));
  const counts = Object.assign({}, bulk, { has_idempotency_key: getField(bulk, 'has_idempotency_key') ?? 'not stored' });
  if (failed.length === 0) return `\n${formatRecord(counts, ['created_rows', 'repeat'])}`;
  const created = getItems(bulk, 'created_rows').map((row) => ({ item: Number(getField(row, 'index')) + 1, id: getField(row, 'id') }));
  return `\n${formatRecord(counts, ['created_rows'])}\n${formatTable(['reason', 'item', 'index'], failed)}${created.length === 0 ? '' : `\nCreated:\n${formatTable(['item', 'id'], created)}`}`;
}

/** Returns what is known of what was found, beyond its row in the table; '' where that is all. */
const formatDetails = (found: unknown): string => formatAccount(found) + formatChange(found) + formatBulkCall(found) + formatSeat(found);

function formatFound(result: unknown): string {
  const items = getItems(result, 'items');
  if (items.length === 0) {
    const [, why] = /^nothing: (.+)$/.exec(getString(result, 'looked_for')) ?? [];
    return why === undefined ? `Nothing found: ${getString(result, 'looked_for')}.\n` : `Nothing was looked for: ${why}.\n`;
  }
  return `${formatTable(columns, items.map(toRow))}${items.map(formatDetails).join('')}`;
}

/** Returns what was found of several texts in one table, then the details of each under its id, and which texts found nothing. */
function formatSeveral(result: unknown): string {
  const [items, missed] = [getItems(result, 'items'), getItems(result, 'not_found')];
  const details = items.map((found) => ({ id: getString(found, 'id'), text: formatDetails(found) })).filter(({ text }) => text !== '');
  return `${formatTable(columns, items.map(toRow))}${details.map(({ id, text }) => `\n${id}:${text}`).join('')}${missed.length === 0 ? '' : `\nNothing found: ${missed.join(', ')}.\n`}`;
}

export function search(command: Command, open: OpenCliContext): void {
  command
    .description('Find what a customer quotes: an id of any kind, a request id, a login email or a login domain.')
    .argument('<text...>', `exactly as it is, ${maxTexts} at most; names find nothing: institutions list --name finds institutions`)
    .action(async (texts: string[]) => {
      if (texts.length > maxTexts) throw usageError(`${texts.length} texts are too many: ${maxTexts} at most are searched at a time.`);
      const context = open();
      const all: unknown[] = [];
      for (const q of texts) all.push(await context.api.call('GET', '/search', { query: { q } }));
      const missed = texts.filter((_, nth) => getItems(all[nth], 'items').length === 0);
      const [found] = all;
      if (all.length === 1) context.print(found, formatFound);
      else context.print({ items: all.flatMap((one) => getItems(one, 'items')), not_found: missed }, formatSeveral);
      for (const note of new Set(all.map((one) => getField(one, 'note')))) if (typeof note === 'string') context.note(note);
      if (missed.some((text) => !/[_@]/.test(text))) context.note('Institutions by name: institution institutions list --name <part of it>; endpoints by description or URL: the search of the console');
    });
}

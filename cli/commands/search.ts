import type { Command } from 'commander';
import type { OpenCliContext } from '../context';
import { getField, getItems, getString } from '../fields';
import { formatTable } from '../tables';

const columns = ['kind', 'id', 'description', 'state', 'institution_name', 'institution_id', 'parent_id', 'created_at'];

/** Returns what people see of what was found: the state of a call is its operation, which its description begins with. */
const toRow = (found: unknown): unknown => (getField(found, 'kind') === 'audited call' ? Object.assign({}, found, { state: null }) : found);

export function search(command: Command, open: OpenCliContext): void {
  command
    .description('Find what a customer quotes: an id of any kind, a request id, a login email or a login domain.')
    .argument('<text>', 'exactly as it is; names find nothing: institutions list --name finds institutions')
    .action(async (text: string) => {
      const context = open();
      const found = await context.api.call('GET', '/search', { query: { q: text } });
      context.print(found, (shown) => (getItems(shown, 'items').length === 0 ? `Nothing found: ${getString(shown, 'looked_for')}.\n` : formatTable(columns, getItems(shown, 'items').map(toRow))));
      const note = getField(found, 'note');
      if (typeof note === 'string') context.note(note);
      if (getItems(found, 'items').length === 0 && !/[_@]/.test(text)) context.note('Institutions by name: institution institutions list --name <part of it>');
    });
}

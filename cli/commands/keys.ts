import type { Command } from 'commander';
import type { OpenDesk } from '../context';
import { list } from '../list';
import { anId, collected, wholeNumber, withPages, type PageOptions } from '../options';
import { path } from '../platformApi';
import { card } from '../tables';

interface NewKey {
  name: string;
  scope: string[];
  rateLimit?: number;
  expiresAt?: string;
}

export function keys(group: Command, open: OpenDesk): void {
  withPages(group.command('list'))
    .description("List an institution's keys, newest first, whatever their status.")
    .argument('<institution>', 'its id, ins_…', anId)
    .action((id: string, options: PageOptions) =>
      list(open(), { path: path`/institutions/${id}/keys`, columns: ['key_id', 'name', 'status', 'scopes', 'rate_limit_per_min', 'last_four', 'last_used_at', 'expires_at'] }, options),
    );

  group
    .command('create')
    .description('Create a key; the key itself is shown this once.')
    .argument('<institution>', 'its id, ins_…', anId)
    .requiredOption('--name <name>', 'what it is for (required)')
    .requiredOption('--scope <scope>', 'a scope; again for each further one (required)', collected)
    .option('--rate-limit <n>', 'requests a minute; 600 unless given', wholeNumber(10, 6_000))
    .option('--expires-at <moment>', 'with a zone, 2027-01-31T00:00:00Z; never unless given')
    .action(async (id: string, { name, scope, rateLimit, expiresAt }: NewKey) => {
      const desk = open();
      const body = { name, scopes: scope, rate_limit_per_min: rateLimit, expires_at: expiresAt };
      const key = await desk.api.call('POST', path`/institutions/${id}/keys`, { body });
      desk.answer(key, () => card(key));
      desk.note('The key is shown this once: keep it now.');
    });

  group
    .command('revoke')
    .description('Revoke a key: its next request is refused.')
    .argument('<key>', 'its id, key_…', anId)
    .action(async (id: string) => {
      const desk = open();
      const revoked = await desk.api.call('DELETE', path`/keys/${id}`);
      desk.answer(revoked, () => `${id} is revoked.\n`);
    });
}

import type { Command } from 'commander';
import type { OpenCliContext } from '../context';
import { institutionArgument, listOfInstitution, resolveInstitution } from '../institution';
import { collectList, parseId, SuggestedOption, wholeNumber, withPagingOptions, type PageOptions } from '../options';
import { path } from '../call';
import { printRecord } from '../record';
import { resolveScopes, suggestedScopes } from '../scopes';

interface NewKey {
  name: string;
  scope: string[];
  rateLimit?: number;
  expiresAt?: string;
  test?: true;
}

export function keys(group: Command, open: OpenCliContext): void {
  withPagingOptions(group.command('list'))
    .description("List an institution's keys of every status, newest first.")
    .addArgument(institutionArgument())
    .action((institution: string, options: PageOptions) =>
      listOfInstitution(
        open(),
        institution,
        (id) => ({
          path: path`/institutions/${id}/keys`,
          columns: ['key_id', 'name', 'environment', 'status', 'scopes', 'rate_limit_per_min', 'last_four', 'created_by', 'last_used_at', 'expires_at', 'revoked_at'],
          below: ['scopes', 'created_by', 'expires_at', 'revoked_at', 'last_used_at', 'rate_limit_per_min', 'environment'],
        }),
        options,
      ),
    );

  group
    .command('create')
    .description('Create a key; the key itself is shown only once.')
    .addArgument(institutionArgument())
    .requiredOption('--name <name>', 'what it is for (required)')
    .addOption(new SuggestedOption('--scope <scope>', 'a scope, or all of them: all; repeat it, or give several with commas (required)', suggestedScopes).argParser(collectList).makeOptionMandatory())
    .option('--rate-limit <n>', 'requests per minute, 10 to 6000 (default 600)', wholeNumber(10, 6_000))
    .option('--expires-at <moment>', 'a time with its zone, 2027-01-31T00:00:00Z (default never)')
    .option('--test', 'a key of the sandbox, which the first one makes')
    .action(async (institution: string, { name, scope, rateLimit, expiresAt, test }: NewKey) => {
      const context = open();
      const id = await resolveInstitution(context, institution);
      const body = { name, scopes: resolveScopes(scope), rate_limit_per_min: rateLimit, expires_at: expiresAt, environment: test === true ? 'test' : 'live' };
      printRecord(context, await context.api.call('POST', path`/institutions/${id}/keys`, { body }));
      context.note('The key is shown this once: keep it now.');
    });

  group
    .command('revoke')
    .description('Revoke a key: its next request is rejected.')
    .argument('<key>', 'its id, key_…', parseId)
    .action(async (id: string) => {
      const context = open();
      const revoked = await context.api.call('DELETE', path`/keys/${id}`);
      context.print(revoked, () => `${id} is revoked.\n`);
    });
}

import type { Command } from 'commander';
import { path } from '../call';
import { useTimeZoneOf, type OpenCliContext } from '../context';
import { usageError } from '../errors';
import { getField, getItems, getString } from '../fields';
import { list } from '../list';
import { parseId, withPagingOptions, withTimeRange, type PageOptions, type TimeRange } from '../options';
import { resolvePerson } from '../person';

interface Filter extends PageOptions, TimeRange {
  by?: string;
  lists?: true;
}

/** Returns the parameters of a call, without a value where it is a text, which is not recorded. */
const parametersOf = (query: unknown): string[] => (typeof query === 'object' && query !== null ? Object.entries(query).map(([name, value]) => (value === null ? name : `${name}=${value}`)) : []);

const toRow = (read: unknown): unknown => Object.assign({}, read, { query: parametersOf(getField(read, 'query')) });

export function disclosures(command: Command, open: OpenCliContext): void {
  withTimeRange(withPagingOptions(command), 'read')
    .description('List who has read the data of a person of an institution, newest first; the look-up by this command is itself a read.')
    .argument('<person>', 'of an institution: their id, stu_…, fac_…, usr_… or dev_…, or their login email', parseId)
    .option('--by <id>', 'by this key, admin, developer, guardian or person of the staff, whose email will do; or by platform', parseId)
    .option('--lists', 'instead the lists and exports of the institution, each of which may have had the person in it')
    .action(async (person: string, { by, lists, since, until, ...page }: Filter) => {
      const context = open();
      const [found] = getItems(await context.api.call('GET', '/search', { query: { q: person } }), 'items');
      if (typeof getField(found, 'institution_id') !== 'string') throw usageError('No person of an institution has this id or login email.');
      const institutionId = getString(found, 'institution_id');
      await useTimeZoneOf(context, institutionId);
      const range = { since: context.timeZone.toTimestampIfGiven(since), until: context.timeZone.toTimestampIfGiven(until) };
      await list(
        context,
        {
          path: path`/institutions/${institutionId}/people/${getString(found, 'id')}/disclosures`,
          query: { about: lists === true ? 'many' : undefined, actor_id: by === undefined ? undefined : await resolvePerson(context, by), ...range },
          columns: ['at', 'actor.kind', 'actor.id', 'actor.name', 'what', 'operation', 'query', 'request_id'],
          below: ['request_id', 'query'],
          toRow,
        },
        page,
      );
    });
}

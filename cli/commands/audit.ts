import type { Command } from 'commander';
import { path } from '../call';
import type { OpenCliContext } from '../context';
import { CliError } from '../errors';
import { getField, getItems } from '../fields';
import { institutionArgument, resolveInstitution } from '../institution';
import { list } from '../list';
import { resolvePerson } from '../person';
import { parseId, withPagingOptions, withTimeRange, type PageOptions, type TimeRange } from '../options';

interface Filter extends PageOptions, TimeRange {
  by?: string;
  target?: string;
  operation?: string;
  request?: string;
}

/** Returns the ids of a target, without their names; of what had been made before by the same ref with that. */
const targetIds = (target: unknown): unknown[] =>
  typeof target !== 'object' || target === null ? [] : [...new Set(Object.entries(target).filter(([, id]) => id !== null).map(([name, id]: [string, unknown]) => (name === 'repeated' ? `${String(id)} (repeated)` : id)))];

/** What a status has become, by the path of a call of the console, or of what the service does: the log has the names of fields, not their values. */
const statusByPath: Readonly<Record<string, string>> = { '/console/endpoints/{id}/pause': 'status (paused)', '/console/endpoints/{id}/resume': 'status (active)', 'webhook-endpoint': 'status (disabled)' };

const changedFields = (entry: unknown): unknown[] => getItems(entry, 'changed').map((field) => (field === 'status' ? (statusByPath[String(getField(entry, 'path'))] ?? field) : field));

/** Returns an entry with the ids of its target as one list, and with the status that a call of the console has set. */
const toRow = (entry: unknown): unknown => (typeof entry === 'object' ? { ...entry, target: targetIds(getField(entry, 'target')), changed: changedFields(entry) } : entry);

/** Says what is meant, perhaps, where the caller may not read the writes that belong to no institution. */
async function withInstitutionHint(institution: string | undefined, listed: Promise<void>): Promise<void> {
  try {
    await listed;
  } catch (error) {
    if (institution !== undefined || !(error instanceof CliError) || error.details.code !== 'forbidden') throw error;
    throw new CliError(`${error.message} This is about the writes that belong to no institution: name one first for its own, as in: institution audit "North School" --since 24h`, error.details, { cause: error });
  }
}

export function audit(command: Command, open: OpenCliContext): void {
  withTimeRange(withPagingOptions(command), 'made')
    .description("List the writes in an institution's audit log, newest first: who changed what, and when. Without an institution those that belong to none, such as those about the staff.")
    .addArgument(institutionArgument({ optional: true }))
    .option('--by <id>', 'by this key, admin, developer or person of the staff, whose email will do; or by platform', parseId)
    .option('--target <id>', 'that named or created this id; of an institution also about the person with this login email, without one a person of the staff by email', parseId)
    .option('--operation <name>', 'of this operation, by its operationId: suspendStudent')
    .option('--request <id>', 'of this request, req_…', parseId)
    .action(async (institution: string | undefined, { by, target, operation, request, since, until, ...page }: Filter) => {
      const context = open();
      const logPath = institution === undefined ? '/audit-log' : path`/institutions/${await resolveInstitution(context, institution)}/audit-log`;
      // The service knows the login emails of an institution; what belongs to none is about the staff.
      const targetId = institution === undefined && target !== undefined ? await resolvePerson(context, target) : target;
      const range = { since: context.timeZone.toTimestampIfGiven(since), until: context.timeZone.toTimestampIfGiven(until) };
      const listed = list(
        context,
        {
          path: logPath,
          query: { actor_id: by === undefined ? undefined : await resolvePerson(context, by), target_id: targetId, operation, request_id: request, ...range },
          columns: ['at', 'actor.kind', 'actor.id', 'actor.name', 'operation', 'target', 'changed', 'request_id'],
          toRow,
        },
        page,
      );
      await withInstitutionHint(institution, listed);
      if (institution === undefined && by !== undefined && /^stf_|@/.test(by)) context.note(`Only writes that belong to no institution are listed. Those at a school: institution audit <school> --by ${by}`);
    });
}

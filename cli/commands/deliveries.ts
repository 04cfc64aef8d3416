import type { Command } from 'commander';
import { findInstitutionId, type CliContext, type OpenCliContext } from '../context';
import { eventTypeNames } from '../eventTypes';
import { readHealth } from '../notes';
import { getField, getItems, getNumber, getString } from '../fields';
import { institutionArgument, resolveInstitution } from '../institution';
import { list } from '../list';
import { parseId, SuggestedOption, withPagingOptions, withTimeRange, type PageOptions, type TimeRange } from '../options';
import { path } from '../call';
import { printRecord } from '../record';
import { formatRecord, formatTable } from '../tables';

interface Filter extends PageOptions, TimeRange {
  status?: string;
  endpoint?: string;
  eventType?: string;
  responseCode?: string;
  errorClass?: string;
}

const deliveryPath = async (context: CliContext, id: string): Promise<string> => path`/institutions/${await findInstitutionId(context, id)}/deliveries/${id}`;

const deliveryStatuses = ['open', 'pending', 'retrying', 'held', 'delivered', 'dead', 'cancelled'];
const errorClasses = ['dns', 'connect', 'tls', 'timeout', 'http', 'blocked'];
const attemptColumns = ['number', 'started_at', 'duration_ms', 'response_code', 'error_class', 'error', 'response_body'];

/** Returns the health of the endpoint of a held delivery; undefined for any other delivery, and where it cannot be read. */
async function readHolder(context: CliContext, delivery: unknown): Promise<unknown> {
  if (getString(delivery, 'status') !== 'held') return undefined;
  const [institution, endpoint] = [await findInstitutionId(context, getString(delivery, 'id')), getString(delivery, 'endpoint_id')];
  return readHealth(context, path`/institutions/${institution}/webhook-endpoints/${endpoint}`);
}

const isPaused = (endpoint: unknown): boolean => getField(endpoint, 'status') === 'paused';

/** Returns why a delivery is held, and what ends it; undefined where its endpoint does not hold it. */
function holdNote(endpoint: unknown, { timeZone }: CliContext): string | undefined {
  if (isPaused(endpoint)) return 'Its endpoint is paused, which stops its deadline: it is sent when the endpoint is resumed, and given up once it has been held for 30 days.';
  if (getField(endpoint, 'circuit') !== 'open') return undefined;
  const probeAt = getField(endpoint, 'next_probe_at');
  const next = typeof probeAt === 'string' ? `; the next probe is due ${timeZone.show(probeAt)}` : '';
  return `The circuit of its endpoint is open, which does not stop its deadline: it is sent after a probe has succeeded${next}: institution endpoints show ${getString(endpoint, 'id')}`;
}

/** Returns the attempts as a table, or a sentence where there are none. */
function attemptTable(delivery: unknown): string {
  const attempts = getItems(delivery, 'attempt_log');
  if (attempts.length > 0) return formatTable(attemptColumns, attempts);
  return getNumber(delivery, 'attempts') === 0 ? 'No attempt has been made.\n' : 'Its attempts are no longer stored.\n';
}

export function deliveries(group: Command, open: OpenCliContext): void {
  withTimeRange(withPagingOptions(group.command('list')), 'created')
    .description("List an institution's deliveries, newest first.")
    .addArgument(institutionArgument())
    .addOption(new SuggestedOption('--status <status>', 'pending, retrying, held, delivered, dead or cancelled; open: the first three', deliveryStatuses))
    .option('--endpoint <endpoint>', 'to this endpoint, we_…')
    .addOption(new SuggestedOption('--event-type <type>', 'of exactly this type, exam.graded', eventTypeNames))
    .option('--response-code <code>', 'whose last attempt was answered so: 503, or a class, 5xx')
    .addOption(new SuggestedOption('--error-class <class>', 'whose last attempt failed so: dns, connect, tls, timeout, http or blocked', errorClasses))
    .action(async (institution: string, { status, endpoint, eventType, responseCode, errorClass, since, until, ...page }: Filter) => {
      const context = open();
      const id = await resolveInstitution(context, institution);
      const range = { since: context.timeZone.toTimestampIfGiven(since), until: context.timeZone.toTimestampIfGiven(until) };
      const request = {
        path: path`/institutions/${id}/deliveries`,
        query: { status, endpoint_id: endpoint, event_type: eventType, response_code: responseCode, error_class: errorClass, ...range },
        columns: ['id', 'status', 'event_type', 'endpoint_id', 'attempts', 'response_code', 'error_class', 'next_attempt_at', 'created_at'],
      } as const;
      await list(context, request, page);
    });

  group
    .command('show')
    .description('Show a delivery with its attempts; the JSON has its payload too.')
    .argument('<delivery>', 'its id, whd_…', parseId)
    .action(async (id: string) => {
      const context = open();
      const delivery = await context.api.call('GET', await deliveryPath(context, id));
      const holder = await readHolder(context, delivery);
      const omitted = ['payload', 'attempt_log', ...(isPaused(holder) ? ['deadline_at'] : [])];
      context.print(delivery, (shown) => `${formatRecord(shown, omitted)}\n${attemptTable(shown)}`);
      const why = holdNote(holder, context);
      if (why !== undefined) context.note(why);
      if (['dead', 'cancelled'].includes(getString(delivery, 'status'))) context.note(`Why it ended: institution explain ${getString(delivery, 'event_id')}`);
    });

  group
    .command('replay')
    .description('Send a delivered, dead or cancelled delivery again, with a new window of 12 hours.')
    .argument('<delivery>', 'its id, whd_…', parseId)
    .option('--ref <ref>', 'an idempotency reference: the same ref replays it once')
    .action(async (id: string, { ref }: { ref?: string }) => {
      const context = open();
      printRecord(context, await context.api.call('POST', `${await deliveryPath(context, id)}/replay`, { body: { ref } }), ['payload']);
    });

  group
    .command('retry-now')
    .description('Attempt an open delivery immediately; its schedule and deadline do not change.')
    .argument('<delivery>', 'its id, whd_…', parseId)
    .action(async (id: string) => {
      const context = open();
      const delivery = await context.api.call('POST', `${await deliveryPath(context, id)}/retry-now`);
      const stopped = isPaused(await readHolder(context, delivery));
      const although = stopped ? ', although its endpoint is paused' : '';
      context.note(`As it was; it is being attempted${although}: institution deliveries show ${id}`);
      printRecord(context, delivery, stopped ? ['payload', 'deadline_at'] : ['payload']);
    });
}

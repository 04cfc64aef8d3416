import type { Command } from 'commander';
import { formatDelay } from '../../lib/span';
import type { EitherContext, OpenEitherContext } from '../context';
import { eventTypeNames } from '../eventTypes';
import { getField, getItems, getNumber, getString } from '../fields';
import { institutionArgument } from '../institution';
import { list } from '../list';
import { answerIfAny } from '../notes';
import { parseIdOf, SuggestedOption, withPagingOptions, withTimeRange, type PageOptions, type TimeRange } from '../options';
import { path } from '../call';
import { printRecord } from '../record';
import { readSending, stopNote, stopOf, type Stop } from '../sending';
import { formatRecord, formatTable } from '../tables';
import { requireOperator, resolveRange, webhooksOf, webhooksWith, type Webhooks } from '../webhooks';

interface Filter extends PageOptions, TimeRange {
  status?: string;
  endpoint?: string;
  event?: string;
  eventType?: string;
  responseCode?: string;
  errorClass?: string;
  sentBy?: string;
  late?: boolean;
}

const deliveryPath = async (context: EitherContext, id: string): Promise<string> => (await webhooksWith(context, id)).deliveryPath(id);

const deliveryStatuses = ['open', 'pending', 'retrying', 'held', 'delivered', 'dead', 'cancelled'];
const errorClasses = ['dns', 'connect', 'tls', 'timeout', 'http', 'blocked'];
const attemptColumns = ['number', 'started_at', 'duration_ms', 'response_code', 'error_class', 'error', 'response_body'];

/** The refs of recoveries and of replays of dead deliveries. */
const isWorkflowRef = /^(?:rcv|rpl)_[a-z0-9]{26}$/;

const openStatuses = ['pending', 'retrying', 'held'];

/** Returns what stops the attempts of an open delivery; undefined if nothing does, or it has ended. */
async function readStop(context: EitherContext, webhooks: Webhooks, delivery: unknown): Promise<Stop | undefined> {
  if (!openStatuses.includes(getString(delivery, 'status'))) return undefined;
  return stopOf(await readSending(webhooks, getString(delivery, 'endpoint_id')), context);
}

/** Says of a replayed delivery that was not attempted since that the log is of before. */
function replayNote(delivery: unknown): string | undefined {
  const hasResult = getField(delivery, 'response_code') !== null || getField(delivery, 'error_class') !== null;
  if (getNumber(delivery, 'attempts') === 0 || hasResult || getField(delivery, 'delivered_at') !== null) return undefined;
  return 'It was replayed and not attempted since: its attempts are of before, and response_code and error_class have none until then.';
}

/** From this delay on, in ms, a delivery is called late. */
const lateMs = 60_000;

/** Returns how long after its creation a delivery succeeded, in ms; 0 of any other. */
function delayOf(delivery: unknown): number {
  const [createdAt, deliveredAt] = [getField(delivery, 'created_at'), getField(delivery, 'delivered_at')];
  return typeof createdAt === 'string' && typeof deliveredAt === 'string' ? Date.parse(deliveredAt) - Date.parse(createdAt) : 0;
}

const listColumns = ['id', 'status', 'event_type', 'endpoint_id', 'attempts', 'response_code', 'error_class', 'next_attempt_at', 'created_at', 'delivered_at'] as const;

/** The list of late deliveries: how late each was. Of other lists a replayed delivery would look late. */
const lateList = {
  columns: ['id', 'event_type', 'endpoint_id', 'attempts', 'response_code', 'created_at', 'delivered_at', 'delivered_after'],
  toRow: (delivery: unknown): unknown => Object.assign({}, delivery, { delivered_after: formatDelay(delayOf(delivery)) }),
} as const;

/** Says where operators find the reason that a delivery ended, or was late; undefined of any other. */
function reasonNote(delivery: unknown): string | undefined {
  const where = (): string => `institution explain ${getString(delivery, 'event_id')}`;
  if (['dead', 'cancelled'].includes(getString(delivery, 'status'))) return `Why it ended: ${where()}`;
  const lateBy = delayOf(delivery);
  return lateBy < lateMs ? undefined : `It was delivered ${formatDelay(lateBy)} after it was created; why: ${where()}`;
}

/** Returns the calls of an operation about a delivery, newest first, with who made each, as the audit log of its institution has them; a key does not read it. */
async function readCallers(context: EitherContext, { institutionId }: Webhooks, id: string, operation: 'replayDelivery' | 'cancelDelivery'): Promise<string[]> {
  if (institutionId === undefined) return [];
  const log = await answerIfAny(context.api.call('GET', path`/institutions/${institutionId}/audit-log`, { query: { target_id: id, operation, limit: 200 } }));
  return getItems(log, 'items').map((entry) => {
    const name = getField(entry, 'actor.name');
    return `${typeof name === 'string' ? `${name} (${getString(entry, 'actor.id')})` : getString(entry, 'actor.id')} at ${context.timeZone.show(getString(entry, 'at'))}`;
  });
}

/** Returns who cancelled a delivery, as the beginning of a note; '' of any other, and where it is not known. */
async function cancelledText(context: EitherContext, webhooks: Webhooks, delivery: unknown): Promise<string> {
  if (getString(delivery, 'status') !== 'cancelled') return '';
  const [last] = await readCallers(context, webhooks, getString(delivery, 'id'), 'cancelDelivery');
  return last === undefined ? '' : `It was cancelled by ${last}. `;
}

/** Returns what sent a delivery again in which cycle, and who replayed it; '' if nothing is stored. */
async function sentByText(context: EitherContext, webhooks: Webhooks, delivery: unknown): Promise<string> {
  const refs = getItems(delivery, 'sent_by');
  if (refs.length === 0 && !getItems(delivery, 'attempt_log').some((attempt) => getNumber(attempt, 'cycle') !== 1)) return '';
  const sent = refs.map((entry) => ({ sent_by: `cycle ${getNumber(entry, 'cycle') ?? 1}: ${isWorkflowRef.test(getString(entry, 'ref')) ? getString(entry, 'ref') : `ref “${getString(entry, 'ref')}”`} at ${context.timeZone.show(getString(entry, 'at'))}` }));
  const replayed = (await readCallers(context, webhooks, getString(delivery, 'id'), 'replayDelivery')).map((replayed_by) => ({ replayed_by }));
  return [...sent, ...replayed].map((line) => formatRecord(line)).join('');
}

/** Returns the attempts as a table, or a sentence where there are none. */
function attemptTable(delivery: unknown): string {
  const attempts = getItems(delivery, 'attempt_log');
  const isReplayed = attempts.some((attempt) => getNumber(attempt, 'cycle') !== 1);
  if (attempts.length > 0) return formatTable(isReplayed ? ['cycle', ...attemptColumns] : attemptColumns, attempts);
  return getNumber(delivery, 'attempts') === 0 ? 'No attempt has been made.\n' : 'Its attempts are no longer stored.\n';
}

export function deliveries(group: Command, open: OpenEitherContext): void {
  withTimeRange(withPagingOptions(group.command('list')), 'created')
    .description("List an institution's deliveries, newest first; a key has those of its own.")
    .addArgument(institutionArgument({ optional: true }))
    .addOption(new SuggestedOption('--status <status>', 'pending, retrying, held, delivered, dead or cancelled; open: the first three', deliveryStatuses))
    .option('--endpoint <endpoint>', 'to this endpoint, we_…', parseIdOf('we_'))
    .option('--event <event>', 'of this event, evt_…', parseIdOf('evt_'))
    .addOption(new SuggestedOption('--event-type <type>', 'of exactly this type, exam.graded', eventTypeNames))
    .option('--response-code <code>', 'whose last attempt since a replay was answered so: 503, or a class, 5xx')
    .addOption(new SuggestedOption('--error-class <class>', 'whose last attempt since a replay failed so: dns, connect, tls, timeout, http or blocked', errorClasses))
    .option('--sent-by <ref>', 'sent by this replay of dead deliveries or recovery, rpl_… or rcv_…, or under this ref')
    .option('--late', 'delivered a minute or more after they were created, with how long after; operators alone')
    .action(async (institution: string | undefined, { status, endpoint, event, eventType, responseCode, errorClass, sentBy, late, since, until, ...page }: Filter) => {
      const context = open();
      if (late === true) requireOperator(context, '--late', 'the list has created_at and delivered_at of each');
      const webhooks = await webhooksOf(context, institution);
      const range = await resolveRange(webhooks, { since, until });
      const request = {
        path: webhooks.deliveries,
        query: { status, endpoint_id: endpoint, event_id: event, event_type: eventType, response_code: responseCode, error_class: errorClass, sent_by: sentBy, late: late === true ? 'true' : undefined, ...range },
        ...(late === true ? lateList : { columns: listColumns }),
      } as const;
      await list(context, request, page);
    });

  group
    .command('show')
    .description('Show a delivery with its attempts; the JSON has its payload too.')
    .argument('<delivery>', 'its id, whd_…', parseIdOf('whd_'))
    .action(async (id: string) => {
      const context = open();
      const webhooks = await webhooksWith(context, id);
      const delivery = await context.api.call('GET', webhooks.deliveryPath(id));
      const stop = await readStop(context, webhooks, delivery);
      const sentBy = await sentByText(context, webhooks, delivery);
      const omitted = ['payload', 'attempt_log', 'sent_by', ...(stop?.deadlineStop !== undefined ? ['deadline_at', 'next_attempt_at'] : [])];
      context.print(delivery, (shown) => `${formatRecord(shown, omitted)}${sentBy}\n${attemptTable(shown)}`);
      if (stop !== undefined) context.note(stopNote(getString(delivery, 'status'), stop));
      const replayed = replayNote(delivery);
      if (replayed !== undefined) context.note(replayed);
      const reason = context.key === undefined ? reasonNote(delivery) : undefined;
      if (reason !== undefined) context.note(`${await cancelledText(context, webhooks, delivery)}${reason}`);
    });

  group
    .command('replay')
    .description('Send a delivered, dead or cancelled delivery again, with a new window of 12 hours.')
    .argument('<delivery>', 'its id, whd_…', parseIdOf('whd_'))
    .option('--ref <ref>', 'an idempotency reference: the same ref replays it once')
    .action(async (id: string, { ref }: { ref?: string }) => {
      const context = open();
      printRecord(context, await context.api.call('POST', `${await deliveryPath(context, id)}/replay`, { body: { ref } }), ['payload']);
    });

  group
    .command('retry-now')
    .description('Attempt an open delivery immediately; its schedule and deadline do not change. While its endpoint takes none, it is held from then on. Operators alone.')
    .argument('<delivery>', 'its id, whd_…', parseIdOf('whd_'))
    .action(async (id: string) => {
      const context = open();
      requireOperator(context, 'deliveries retry-now', 'institution endpoints test we_… has the oldest held delivery tried at once where the endpoint takes it');
      const webhooks = await webhooksWith(context, id);
      const delivery = await context.api.call('POST', `${webhooks.deliveryPath(id)}/retry-now`);
      const stop = await readStop(context, webhooks, delivery);
      const although = stop === undefined ? '' : `, although ${stop.because}`;
      const before = getString(delivery, 'status') === 'held' ? 'It is held, with the others of its endpoint, and' : 'As it was; it';
      context.note(`${before} is being attempted${although}: institution deliveries show ${id}`);
      printRecord(context, delivery, stop?.deadlineStop !== undefined ? ['payload', 'deadline_at'] : ['payload']);
    });
}

import type { Command } from 'commander';
import { followDeliveries, followWorkflow, printBulkWork, type BulkWork } from '../bulkWork';
import type { EitherContext, OpenEitherContext } from '../context';
import { answerIfAny, deadByDisablingNote } from '../notes';
import { missedEventNotes, printMissedEvents, readMissedEvents, type RecoveryRange } from '../missedEvents';
import type { EventPattern } from '../eventPattern';
import { collectPatterns, eventPatterns } from '../eventTypes';
import { getField, getNumber } from '../fields';
import { collectList, parseIdOf, parseMoment, parseUntil, SuggestedOption } from '../options';
import { isInstitutionStopped, probeText, readSending } from '../sending';
import type { Moment } from '../timeZone';
import { webhooksWith, type Webhooks } from '../webhooks';

interface Options {
  since: Moment;
  until?: Moment;
  eventTypes?: EventPattern[];
  /** False with --no-wait. */
  wait: boolean;
  dryRun?: boolean;
}

const replay: BulkWork = { name: 'replay', done: 'replayed', stopReasons: { endpoint_inactive: 'The endpoint no longer takes deliveries: the remaining ones stay dead.' } };
const recovery: BulkWork = { name: 'recovery', done: 'recovered', stopReasons: { endpoint_inactive: 'The endpoint no longer takes deliveries: the remaining events get none.' } };

/** Adds the time range, the event types and --no-wait. */
const withRange = (command: Command): Command =>
  command
    .requiredOption('--since <moment>', 'created after a time: 2026-11-20T09:30, "yesterday 14:00", a day, or an age: 30m, 24h, 7d (required)', parseMoment)
    .option('--until <moment>', 'created up to a time, a day or an age (default now)', parseUntil)
    .addOption(new SuggestedOption('--event-types <pattern>', 'of these types only: exam.graded, exam.*; repeat it, or give several with commas', eventPatterns).argParser(collectPatterns))
    .option('--dry-run', 'only count, also for an endpoint that is paused or disabled')
    .option('--no-wait', 'do not follow it');

export function replayDead(command: Command, open: OpenEitherContext): void {
  withRange(command)
    .description('Send every dead delivery of an endpoint again, oldest first, and follow the replay to its end.')
    .argument('<endpoint>', 'its id, we_…', parseIdOf('we_'))
    .option('--response-codes <code>', 'whose last attempt since a replay was answered so: 503, or a class, 5xx; repeat it, or give several with commas', collectList)
    .action(async (id: string, { responseCodes, ...options }: Options & { responseCodes?: string[] }) => {
      const context = open();
      await start(context, replay, id, 'replay-dead', options, { response_codes: responseCodes }, responseCodes !== undefined && options.eventTypes === undefined ? noteUnanswered : undefined);
    });
}

export function recover(command: Command, open: OpenEitherContext): void {
  withRange(command)
    .description('Send an endpoint the events of a time for which it has no delivery, oldest first, and follow it to its end.')
    .argument('<endpoint>', 'its id, we_…', parseIdOf('we_'))
    .action(async (id: string, options: Options) => start(open(), recovery, id, 'recover', options, {}, noteDead));
}

/** An endpoint, the time and the types of the bulk work on it, and how many matched. */
interface Started extends RecoveryRange {
  matched: number | undefined;
}

/** Starts bulk work on an endpoint, and prints what came of it, and what `noteRest` says of what is no part of it. */
async function start(context: EitherContext, work: BulkWork, id: string, operation: 'replay-dead' | 'recover', { since, until, eventTypes, wait, dryRun }: Options, filter: object, noteRest?: (context: EitherContext, started: Started) => Promise<void>): Promise<void> {
  const webhooks = await webhooksWith(context, id);
  await webhooks.noteClock({ since, until });
  const range = { since: await webhooks.toTimestamp(since), until: until === undefined ? undefined : await webhooks.toTimestamp(until) };
  const accepted = await context.api.call('POST', `${webhooks.endpointPath(id)}/${operation}`, { body: { ...range, event_types: eventTypes, dry_run: dryRun, ...filter } });
  const started: Started = { id, webhooks, ...range, eventTypes, matched: getNumber(accepted, 'matched') };
  const missed = operation === 'recover' ? await readMissedEvents(context, started) : undefined;
  if (dryRun === true && missed !== undefined) printMissedEvents(context, accepted, missed);
  else await printBulkWork(context, work, accepted, wait ? (context.key === undefined ? followWorkflow(context) : followDeliveries(context, webhooks, id)) : undefined);
  for (const note of missedEventNotes(context, missed, started, dryRun === true)) context.note(note);
  await noteRest?.(context, started);
  if (getField(accepted, 'workflow_id') !== null) await noteStop(context, webhooks, id, wait);
}

/** Counts the dead deliveries of a time. The bulk work has succeeded, so a failure to count them is no failure. */
async function countDead(context: EitherContext, { id, webhooks, since, until }: Started): Promise<number> {
  const query = { status: 'dead', endpoint_id: id, since, until, limit: 1 };
  const found = await answerIfAny(context.api.call('GET', webhooks.deliveries, { query, asPlatform: true }));
  return getNumber(found, 'total') ?? 0;
}

/** Says of a replay that matched nothing how many dead deliveries of the time have another response, or none since their replay. */
async function noteUnanswered(context: EitherContext, started: Started): Promise<void> {
  const dead = started.matched === 0 ? await countDead(context, started) : 0;
  if (dead === 0) return;
  context.note(`${dead === 1 ? '1 dead delivery of this time has' : `${dead} dead deliveries of this time have`} another response, or none since a replay: without --response-codes all are sent.`);
}

/** Says how many dead deliveries of the time of a recovery are no part of it, if there are any. */
async function noteDead(context: EitherContext, started: Started): Promise<void> {
  const { id, webhooks, since, until } = started;
  const { timeZone } = context;
  const ended = deadByDisablingNote(context, await webhooks.readHealth(id), Date.parse(since));
  if (ended !== undefined) context.note(ended);
  const dead = await countDead(context, started);
  if (dead === 0) return;
  const those = dead === 1 ? '1 dead delivery of this time is' : `${dead} dead deliveries of this time are`;
  context.note(`${those} no part of it: institution replay-dead ${id} --since ${timeZone.show(since)}${until === undefined ? '' : ` --until ${timeZone.show(until)}`}`);
}

/** Says what holds what is released, if something does; of a circuit only once it is known, behind what was followed. */
async function noteStop(context: EitherContext, webhooks: Webhooks, id: string, isReleased: boolean): Promise<void> {
  const sending = await readSending(webhooks, id);
  const isOpen = getField(sending.health, 'circuit') === 'open';
  if (isInstitutionStopped(sending)) {
    context.note(`Its institution is not approved: released deliveries are held until it is approved${isOpen ? ', and after that by the open circuit until one has succeeded' : ''}.`);
    return;
  }
  if (!isReleased || !isOpen) return;
  const probeAt = getField(sending.health, 'next_probe_at');
  const next = typeof probeAt === 'string' ? `; ${probeText(context, probeAt)}` : '';
  context.note(`The circuit is open: released deliveries are held until a probe succeeds${next}: institution endpoints show ${id}`);
}

import type { Command } from 'commander';
import type { CliContext, EitherContext, OpenEitherContext } from '../context';
import { endpointNotes } from '../endpointNotes';
import { CliError, usageError } from '../errors';
import { eventTypeNames } from '../eventTypes';
import { getField, getItems, getNumber } from '../fields';
import { institutionArgument, listOfInstitution } from '../institution';
import { list, type ListRequest } from '../list';
import { deadByDisablingNote, readInstitution } from '../notes';
import { parseIdOf, SuggestedOption, wholeNumber, withPagingOptions, type PageOptions } from '../options';
import { path } from '../call';
import { printRecord } from '../record';
import { isInstitutionStopped } from '../sending';
import { formatRecord, formatTable } from '../tables';
import { clockTime } from '../timeRange';
import { webhooksOf, webhooksWith } from '../webhooks';

const endpointPath = async (context: EitherContext, id: string): Promise<string> => (await webhooksWith(context, id)).endpointPath(id);

const columns = [
  'id', 'status', 'url', 'description', 'circuit', 'failing_since', 'next_probe_at', 'backlog.pending', 'backlog.retrying', 'backlog.held', 'backlog.dead', 'last_success_at', 'last_failure_at',
] as const;

/** What a key reads of its endpoints. */
const columnsOfKey = ['id', 'status', 'url', 'description', 'events', 'circuit', 'consecutive_failures', 'next_probe_at', 'last_success_at', 'last_failure_at'] as const;

const failingColumns = ['institution_name', 'id', 'status', 'url', 'description', 'circuit', 'last_error', 'failing_since', 'consecutive_failures', 'held', 'first_held_deadline_at', 'dead', 'last_success_at', 'institution_id'] as const;

/** The columns of a list of all institutions by status: since when, and why. */
const stoppedColumns = {
  disabled: ['institution_name', 'id', 'status', 'url', 'description', 'disabled_at', 'disabled_reason', 'dead', 'last_success_at', 'institution_id'],
  paused: ['institution_name', 'id', 'status', 'url', 'description', 'paused_at', 'circuit', 'last_error', 'held', 'dead', 'last_success_at', 'institution_id'],
} as const;

/** The filters of the list that `--status` names in addition to the statuses. */
const conditions: Record<string, Record<string, string>> = { open: { circuit: 'open' }, failing: { failing: 'true' } };

/** The same of an endpoint as a key reads it: the public API has no filter. */
const isOfStatus = (endpoint: unknown, status: string): boolean =>
  status === 'failing' ? (getNumber(endpoint, 'consecutive_failures') ?? 0) > 0 : getField(endpoint, status === 'open' ? 'circuit' : 'status') === status;

const statuses = ['active', 'paused', 'disabled', ...Object.keys(conditions)];

const changes = {
  pause: {
    description: 'Pause an endpoint: its deliveries are held, retries when they are due, and their deadlines stop.',
    status: 'paused',
    hint: 'Its deliveries are held until it is resumed: institution endpoints resume',
  },
  resume: {
    description: 'Resume a paused endpoint, or reactivate a disabled one; held deliveries are released, oldest first.',
    status: 'active',
    hint: 'Whether a circuit holds its deliveries: institution endpoints show',
  },
};

const rangeColumns = ['from', 'attempts', 'failures', 'latency_p50_ms', 'latency_p95_ms'];
const periods = ['24h', '30d'];

/** Below this the service's histogram tells nothing apart. */
const leastLatencyMs = 50;

/** Returns statistics with a latency that is not known exactly as people read it. */
function withLeastLatency(statistics: unknown): unknown {
  if (typeof statistics !== 'object' || statistics === null) return statistics;
  return Object.fromEntries(Object.entries(statistics).map(([name, value]: [string, unknown]) => [name, /^latency_p\d+_ms$/.test(name) && typeof value === 'number' && value <= leastLatencyMs ? `≤ ${leastLatencyMs}` : value]));
}

/** Whether an endpoint is paused, and its circuit names a probe, which is not sent. */
const isPausedWithProbe = (health: unknown): boolean => getField(health, 'status') === 'paused' && getField(health, 'circuit') === 'open';

/** Returns a row without the probe that a pause stops. */
const withoutStoppedProbe = (health: unknown): unknown => (isPausedWithProbe(health) ? Object.assign({}, health, { next_probe_at: null }) : health);

/** Says of the endpoints of an institution that no probe is sent, where one is named and the institution is not approved. */
async function suspensionNote(context: CliContext, institutionId: string, items: readonly unknown[]): Promise<string | undefined> {
  if (!items.some((health) => getField(health, 'circuit') === 'open')) return undefined;
  if (!isInstitutionStopped({ institution: await readInstitution(context, institutionId) })) return undefined;
  return 'The institution is not approved: deliveries are held until it is approved, and there are no probes.';
}

/** Lists the failing endpoints of all institutions, those among them whose circuit is open, or the disabled or paused ones. */
async function listFailing(context: CliContext, status: string | undefined, page: PageOptions): Promise<void> {
  if (status === 'disabled' || status === 'paused') {
    await list(context, { path: '/failing-endpoints', query: { state: status }, columns: stoppedColumns[status] }, page);
    return;
  }
  if (status !== 'failing' && status !== 'open') throw usageError('Name an institution; without one only --status failing, open, disabled and paused list endpoints, those of all institutions.');
  const query = status === 'open' ? { circuit: 'open' } : {};
  await list(context, { path: '/failing-endpoints', query, columns: failingColumns, toRow: withoutStoppedProbe, noteOf: () => Promise.resolve('Disabled endpoints are not here: institution endpoints list --status disabled') }, page);
}

/** The endpoints of the institution of a key. */
function requestOfKey(status: string | undefined, { page, limit }: PageOptions): ListRequest {
  if (status !== undefined && !statuses.includes(status)) throw usageError(`--status must be one of ${statuses.join(', ')}.`);
  if (status !== undefined && (page ?? limit) !== undefined) throw usageError('With a key --status looks through all endpoints: leave --page and --limit out.');
  return { path: '/webhooks/endpoints', columns: columnsOfKey, ...(status === undefined ? {} : { keep: (endpoint: unknown) => isOfStatus(endpoint, status) }) };
}

/** Says what to do about the time in which an endpoint was disabled, as far as its state before says when that was. */
function disabledNotes(context: EitherContext, id: string, before: unknown): string[] {
  if (getField(before, 'status') !== 'disabled') return [];
  const disabledAt = getField(before, 'disabled_at');
  if (disabledAt === null) return [];
  if (typeof disabledAt !== 'string') return [`It was disabled; the event says since when: institution events list --type endpoint.disabled --since 30d. From then on: institution recover ${id} --since …, and of what was given up: institution replay-dead ${id} --since …`];
  const ended = deadByDisablingNote(context, before);
  const since = context.timeZone.show(disabledAt);
  return [`It was disabled since ${since}; what it missed: institution recover ${id} --since ${since}`, ...(ended === undefined ? [] : [ended])];
}

export function endpoints(group: Command, open: OpenEitherContext): void {
  withPagingOptions(group.command('list'))
    .description("List an institution's webhook endpoints with their circuits and backlogs, newest first. Without an institution those of a key's own, or with --status failing, open, disabled or paused those of all institutions.")
    .addArgument(institutionArgument({ optional: true }))
    .addOption(new SuggestedOption('--status <status>', 'active, paused or disabled; open: its circuit is; failing: attempts failed since the last success', statuses))
    .action(async (institution: string | undefined, { status, ...page }: PageOptions & { status?: string }) => {
      const context = open();
      if (context.key !== undefined) {
        const request = requestOfKey(status, page);
        await webhooksOf(context, institution);
        return list(context, request, page);
      }
      if (institution === undefined) return listFailing(context, status, page);
      return listOfInstitution(
        context,
        institution,
        (id) => ({
          path: path`/institutions/${id}/endpoint-health`,
          query: status === undefined ? {} : (conditions[status] ?? { status }),
          columns,
          toRow: withoutStoppedProbe,
          noteOf: (items) => suspensionNote(context, id, items),
        }),
        page,
      );
    });

  group
    .command('show')
    .description('Show a webhook endpoint with its circuit and backlog; a key reads no backlog.')
    .argument('<endpoint>', 'its id, we_…', parseIdOf('we_'))
    .action(async (id: string) => {
      const context = open();
      const webhooks = await webhooksWith(context, id);
      const endpoint = webhooks.endpointPath(id);
      const health = await context.api.call('GET', context.key === undefined ? `${endpoint}/health` : endpoint);
      printRecord(context, health);
      const institution = await webhooks.readInstitution();
      for (const note of endpointNotes(context, health, institution, clockTime(institution))) context.note(note);
    });

  group
    .command('statistics')
    .description('Count the attempts at a webhook endpoint, their failures and latency.')
    .argument('<endpoint>', 'its id, we_…', parseIdOf('we_'))
    .addOption(new SuggestedOption('--period <period>', '24h, by the hour; 30d, by 24 hours (default 24h)', periods))
    .action(async (id: string, { period }: { period?: string }) => {
      const context = open();
      const statistics = await context.api.call('GET', `${await endpointPath(context, id)}/statistics`, { query: { period } });
      context.print(statistics, (shown) => `${formatRecord(withLeastLatency(shown))}\n${formatTable(rangeColumns, getItems(shown, 'ranges').map(withLeastLatency))}`);
    });

  for (const [verb, { description, status, hint }] of Object.entries(changes)) {
    group
      .command(verb)
      .description(description)
      .argument('<endpoint>', 'its id, we_…', parseIdOf('we_'))
      .action(async (id: string) => {
        const context = open();
        const webhooks = await webhooksWith(context, id);
        // Once it is active its health no longer has the time.
        const before = status === 'active' ? await webhooks.readHealth(id) : undefined;
        printRecord(context, await context.api.call('PATCH', webhooks.endpointPath(id), { body: { status } }));
        context.note(`${hint} ${id}`);
        for (const note of disabledNotes(context, id, before)) context.note(note);
      });
  }

  group
    .command('test')
    .description('Send a ping, or the sample of another event type, to a webhook endpoint, and show what it answers; exit code 1 if it does not take it.')
    .argument('<endpoint>', 'its id, we_…', parseIdOf('we_'))
    .addOption(new SuggestedOption('--event-type <type>', 'its sample: exam.graded (default ping)', eventTypeNames))
    .action(async (id: string, { eventType }: { eventType?: string }) => {
      const context = open();
      const result = await context.api.call('POST', `${await endpointPath(context, id)}/test`, { body: { event_type: eventType } });
      printRecord(context, result);
      if (getField(result, 'delivered') !== true) throw new CliError('The endpoint did not take it.', { kind: 'refused', code: 'not_delivered' });
    });

  group
    .command('rotate-secret')
    .description('Rotate the signing secret of a webhook endpoint; the new one is shown only once.')
    .argument('<endpoint>', 'its id, we_…', parseIdOf('we_'))
    .option('--grace-hours <n>', 'for how long deliveries carry the signatures of both, 0 to 168 (default 24)', wholeNumber(0, 168))
    .action(async (id: string, { graceHours }: { graceHours?: number }) => {
      const context = open();
      const rotated = await context.api.call('POST', `${await endpointPath(context, id)}/rotate-secret`, { body: { grace_hours: graceHours } });
      printRecord(context, rotated);
      const graceEnd = getField(rotated, 'previous_secret_expires_at');
      context.note(`The secret is shown this once: keep it now.${typeof graceEnd === 'string' ? ` Until ${context.timeZone.show(graceEnd)} deliveries carry the signature of the one before, too.` : ''}`);
    });
}

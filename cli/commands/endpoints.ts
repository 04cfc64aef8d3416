import type { Command } from 'commander';
import { capitalized } from '../../lib/capitalized';
import { joinWords } from '../../lib/joinWords';
import { findInstitutionId, type CliContext, type OpenCliContext } from '../context';
import { usageError } from '../errors';
import { getField, getItems, getNumber } from '../fields';
import { institutionArgument, listOfInstitution } from '../institution';
import { list } from '../list';
import { deadByDisablingNote, readHealth } from '../notes';
import { parseIdOf, SuggestedOption, withPagingOptions, type PageOptions } from '../options';
import { path } from '../call';
import { printRecord } from '../record';
import { isInstitutionStopped, readInstitution } from '../sending';
import { formatRecord, formatTable } from '../tables';
import { clockTime } from '../timeRange';

const endpointPath = async (context: CliContext, id: string): Promise<string> => path`/institutions/${await findInstitutionId(context, id)}/webhook-endpoints/${id}`;

const columns = [
  'id', 'status', 'url', 'description', 'circuit', 'failing_since', 'next_probe_at', 'backlog.pending', 'backlog.retrying', 'backlog.held', 'backlog.dead', 'last_success_at', 'last_failure_at',
] as const;

const failingColumns = ['institution_name', 'id', 'status', 'url', 'description', 'circuit', 'last_error', 'failing_since', 'consecutive_failures', 'held', 'first_held_deadline_at', 'last_success_at', 'institution_id'] as const;

/** The columns of a list of all institutions by status: since when, and why. */
const stoppedColumns = {
  disabled: ['institution_name', 'id', 'status', 'url', 'description', 'disabled_at', 'disabled_reason', 'last_success_at', 'institution_id'],
  paused: ['institution_name', 'id', 'status', 'url', 'description', 'paused_at', 'circuit', 'last_error', 'held', 'last_success_at', 'institution_id'],
} as const;

/** The filters of the list that `--status` names in addition to the statuses. */
const conditions: Record<string, Record<string, string>> = { open: { circuit: 'open' }, failing: { failing: 'true' } };

/** The statuses of deliveries that a circuit holds, or is about to. */
const waiting = ['pending', 'retrying', 'held'];

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

/** Returns when an endpoint is disabled, and the attempts that count for it: made, needed, and within how many hours. */
const disabling = (health: unknown): [unknown, ...(number | undefined)[]] => [getField(health, 'disable_at'), ...['made', 'needed', 'within_hours'].map((name) => getNumber(health, `attempts_to_disable.${name}`))];

/** Returns how many of the attempts that count were made: they are counted up to those that are needed. */
const madeText = (made = 0, needed = 0): string => (made >= needed ? `${needed} or more` : String(made));

/** Says of an endpoint whose time to be disabled has come what it still waits for; undefined of any other. */
function overdueNote({ timeZone }: CliContext, health: unknown, now: Date): string | undefined {
  const [disableAt, made, needed, hours] = disabling(health);
  if (typeof disableAt !== 'string' || Date.parse(disableAt) > now.getTime() || needed === undefined) return undefined;
  return `It may be disabled since ${timeZone.show(disableAt)}: unless an attempt succeeds before, it is once ${needed} attempts were made within ${hours ?? 0} hours (${madeText(made, needed)} so far).`;
}

/** Whether an open circuit holds all that waits, and gives the last of it up before a moment: then no attempt after that one counts for disabling the endpoint. */
function probesEndBefore(health: unknown, before: number, now: Date): boolean {
  const last = Date.parse(String(getField(health, 'backlog.last_held_deadline_at')));
  const waitingOtherwise = (getNumber(health, 'backlog.pending') ?? 0) + (getNumber(health, 'backlog.retrying') ?? 0);
  return getField(health, 'circuit') === 'open' && waitingOtherwise === 0 && last > now.getTime() && last <= before;
}

/** Says of an endpoint whose circuit is open when what it holds is given up, and on which condition it is disabled. */
function circuitNotes({ timeZone }: CliContext, health: unknown, now: Date): string[] {
  const [first, last, held] = [getField(health, 'backlog.first_held_deadline_at'), getField(health, 'backlog.last_held_deadline_at'), getNumber(health, 'backlog.held') ?? 0];
  const [disableAt, made, needed, hours] = disabling(health);
  const isAhead = typeof disableAt === 'string' && Date.parse(disableAt) > now.getTime();
  const staysActive = isAhead && hours !== undefined && typeof last === 'string' && probesEndBefore(health, Date.parse(disableAt) - hours * 3_600_000, now);
  return [
    ...(getField(health, 'circuit') !== 'open' || typeof first !== 'string' || typeof last !== 'string'
      ? []
      : [`An open circuit does not stop their 12 hours: ${held === 1 ? `the held one is given up at ${timeZone.show(first)}` : `the first of the held ones is given up at ${timeZone.show(first)}, the last one at ${timeZone.show(last)}`}. A pause stops them.`]),
    ...(!isAhead || needed === undefined || staysActive ? [] : [`It is disabled at ${timeZone.show(disableAt)} or later, unless an attempt succeeds before, with at least ${needed} attempts in the ${hours ?? 0} hours before (${madeText(made, needed)} in the last ${hours ?? 0} hours).`]),
    ...(staysActive && needed !== undefined
      ? [`If nothing new happens, probes end at ${timeZone.show(last)} with the last held delivery, and it stays active: from ${timeZone.show(disableAt)} on it is disabled once ${needed} attempts of later events have failed within ${hours} hours. Nor is its owner warned by email before that many have failed.`]
      : []),
  ];
}

/** Says of an endpoint whose deliveries are held for another reason than its circuit what ends that, and that the circuit is open, too; undefined of any other. */
function holdNote(health: unknown, institution: unknown): string | undefined {
  if (getField(health, 'status') === 'disabled') return undefined;
  const isOpen = getField(health, 'circuit') === 'open';
  const stops = [
    ...(isInstitutionStopped({ institution }) ? [{ because: 'its institution is not approved', until: 'the institution is approved' }] : []),
    ...(getField(health, 'status') === 'paused' ? [{ because: 'it is paused', until: 'it is resumed' }] : []),
  ];
  if (stops.length === 0) return undefined;
  const circuit = isOpen ? ', and there is no probe. Its circuit is open, too: then one is tried at a time until one has succeeded' : '';
  return `${capitalized(joinWords(stops.map(({ because }) => because)))}: its deliveries are held until ${joinWords(stops.map(({ until }) => until))}${circuit}.`;
}

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

export function endpoints(group: Command, open: OpenCliContext): void {
  withPagingOptions(group.command('list'))
    .description("List an institution's webhook endpoints with their circuits and backlogs, newest first. Without an institution, --status failing, open, disabled or paused lists those of all institutions.")
    .addArgument(institutionArgument({ optional: true }))
    .addOption(new SuggestedOption('--status <status>', 'active, paused or disabled; open: its circuit is; failing: attempts failed since the last success', statuses))
    .action((institution: string | undefined, { status, ...page }: PageOptions & { status?: string }) => {
      const context = open();
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
    .description('Show a webhook endpoint with its circuit and backlog.')
    .argument('<endpoint>', 'its id, we_…', parseIdOf('we_'))
    .action(async (id: string) => {
      const context = open();
      const institutionId = await findInstitutionId(context, id);
      const health = await context.api.call('GET', path`/institutions/${institutionId}/webhook-endpoints/${id}/health`);
      printRecord(context, health);
      const institution = await readInstitution(context, institutionId);
      const now = clockTime(institution);
      const overdue = overdueNote(context, health, now);
      if (overdue !== undefined) context.note(overdue);
      const held = holdNote(health, institution);
      if (held !== undefined) {
        context.note(held);
        return;
      }
      for (const note of circuitNotes(context, health, now)) context.note(note);
      if (getField(health, 'circuit') === 'open' && waiting.every((status) => getNumber(getField(health, 'backlog'), status) === 0)) {
        context.note('Nothing waits, so there is no probe: the next delivery is sent as one, not before next_probe_at');
      }
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
        const endpoint = await endpointPath(context, id);
        // Once it is active its health no longer has the time.
        const before = status === 'active' ? await readHealth(context, endpoint) : undefined;
        const disabledAt = getField(before, 'disabled_at');
        printRecord(context, await context.api.call('PATCH', endpoint, { body: { status } }));
        context.note(`${hint} ${id}`);
        if (typeof disabledAt !== 'string') return;
        context.note(`It was disabled since ${context.timeZone.show(disabledAt)}; what it missed: institution recover ${id} --since ${disabledAt}`);
        const ended = deadByDisablingNote(before);
        if (ended !== undefined) context.note(ended);
      });
  }
}

import { capitalized } from '../lib/capitalized';
import { joinWords } from '../lib/joinWords';
import type { Terminal } from './context';
import { getField, getNumber, getString } from './fields';
import { isInstitutionStopped, probeText } from './sending';

/** The statuses of deliveries that a circuit holds, or is about to. */
const waiting = ['pending', 'retrying', 'held'];

/** Returns when an endpoint is disabled, and the attempts that count for it: made, needed, and within how many hours. */
const disabling = (health: unknown): [unknown, ...(number | undefined)[]] => [getField(health, 'disable_at'), ...['made', 'needed', 'within_hours'].map((name) => getNumber(health, `attempts_to_disable.${name}`))];

/** Returns how many of the attempts that count were made: they are counted up to those that are needed. */
const madeText = (made = 0, needed = 0): string => (made >= needed ? `${needed} or more` : String(made));

/** Says of an endpoint whose time to be disabled has come what it still waits for; undefined of any other. */
function overdueNote({ timeZone }: Terminal, health: unknown, now: Date): string | undefined {
  const [disableAt, made, needed, hours] = disabling(health);
  if (typeof disableAt !== 'string' || Date.parse(disableAt) > now.getTime() || needed === undefined) return undefined;
  return `It may be disabled since ${timeZone.show(disableAt)}: unless an attempt succeeds before, it is once ${needed} attempts were made within ${hours ?? 0} hours (${madeText(made, needed)} so far).`;
}

/** Whether an open circuit holds all that waits, and gives the last of it up before a moment, or nothing waits: then no attempt after that counts for disabling the endpoint. */
function probesEndBefore(health: unknown, before: number, now: Date): boolean {
  const waitingOtherwise = (getNumber(health, 'backlog.pending') ?? 0) + (getNumber(health, 'backlog.retrying') ?? 0);
  if (getField(health, 'circuit') !== 'open' || getField(health, 'backlog.held') === undefined || waitingOtherwise > 0) return false;
  if (getNumber(health, 'backlog.held') === 0) return now.getTime() <= before;
  const last = Date.parse(String(getField(health, 'backlog.last_held_deadline_at')));
  return last > now.getTime() && last <= before;
}

/** Says of an endpoint whose circuit is open when what it holds is given up, and on which condition it is disabled. */
function circuitNotes({ timeZone }: Terminal, health: unknown, now: Date): string[] {
  const [first, last, held] = [getField(health, 'backlog.first_held_deadline_at'), getField(health, 'backlog.last_held_deadline_at'), getNumber(health, 'backlog.held') ?? 0];
  const [disableAt, made, needed, hours] = disabling(health);
  const isAhead = typeof disableAt === 'string' && Date.parse(disableAt) > now.getTime();
  const staysActive = isAhead && hours !== undefined && probesEndBefore(health, Date.parse(disableAt) - hours * 3_600_000, now);
  return [
    ...(getField(health, 'circuit') !== 'open' || typeof first !== 'string' || typeof last !== 'string'
      ? []
      : [`An open circuit does not stop their 12 hours: ${held === 1 ? `the held one is given up at ${timeZone.show(first)}` : `the first of the held ones is given up at ${timeZone.show(first)}, the last one at ${timeZone.show(last)}`}. A pause stops them.`]),
    ...(!isAhead || needed === undefined || staysActive ? [] : [`It is disabled at ${timeZone.show(disableAt)} or later, unless an attempt succeeds before, with at least ${needed} attempts in the ${hours ?? 0} hours before (${madeText(made, needed)} in the last ${hours ?? 0} hours).`]),
    ...(staysActive && needed !== undefined
      ? [`If nothing new happens, ${held === 0 || typeof last !== 'string' ? 'nothing is probed' : `probes end at ${timeZone.show(last)} with the last held delivery`}, and it stays active: from ${timeZone.show(disableAt)} on it is disabled once ${needed} attempts of later events have failed within ${hours} hours. Nor is its owner warned by email before that many have failed.`]
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
  return `${capitalized(joinWords(stops.map(({ because }) => because)))}: its deliveries are held until ${joinWords(stops.map(({ until }) => until))}${circuit}. Their 12 hours are paused until then: the deadlines that are shown move.`;
}

/** Says of an open circuit that nothing waits behind it; of an endpoint as a key reads it, whose backlog is not known, what does. */
function probeNotes(context: Terminal, health: unknown): string[] {
  if (getField(health, 'circuit') !== 'open') return [];
  const [backlog, probeAt] = [getField(health, 'backlog'), getField(health, 'next_probe_at')];
  if (backlog === undefined) {
    const next = typeof probeAt === 'string' ? `; ${probeText(context, probeAt)}` : '';
    const id = getString(health, 'id');
    return [`The circuit is open: deliveries are held until one has succeeded${next}. institution endpoints test ${id} tries it now, institution deliveries list --endpoint ${id} --status open has what waits.`];
  }
  return waiting.every((status) => getNumber(backlog, status) === 0) ? ['Nothing waits, so there is no probe: the next delivery is sent as one, not before next_probe_at'] : [];
}

/** Says what people should know of the state of an endpoint, at a time of its institution. */
export function endpointNotes(context: Terminal, health: unknown, institution: unknown, now: Date): string[] {
  const overdue = overdueNote(context, health, now);
  const held = holdNote(health, institution);
  return [
    ...(overdue === undefined ? [] : [overdue]),
    ...(held === undefined ? [...circuitNotes(context, health, now), ...probeNotes(context, health)] : [held]),
  ];
}

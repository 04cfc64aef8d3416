import { capitalized } from '../lib/capitalized';
import { joinWords } from '../lib/joinWords';
import type { Terminal } from './context';
import { getField, getString } from './fields';
import type { Webhooks } from './webhooks';

/** The endpoint and the institution of a delivery; undefined what cannot be read. */
export interface Sending {
  health: unknown;
  institution: unknown;
}

/** Reads what decides whether the deliveries of an endpoint are attempted, for a note. */
export async function readSending(webhooks: Webhooks, endpointId: string): Promise<Sending> {
  return { health: await webhooks.readHealth(endpointId), institution: await webhooks.readInstitution() };
}

/** Whether the institution is known not to be approved. */
export function isInstitutionStopped({ institution }: Pick<Sending, 'institution'>): boolean {
  const status = getField(institution, 'status');
  return status !== undefined && status !== 'approved';
}

/** What stops the deliveries of an endpoint, as clauses. */
export interface Stop {
  /** Why: "its endpoint is paused". */
  because: string;
  /** Follows "it is sent". */
  sent: string;
  /** The reasons that stop the deadline, too; undefined if none does: a circuit does not. */
  deadlineStop: string | undefined;
}

/** Returns when the next probe is sent. A sandbox is ahead of the real time, never behind: what is past by that is past. */
export const probeText = ({ timeZone }: Terminal, probeAt: string): string => (Date.parse(probeAt) <= Date.now() ? 'a probe is due now' : `the next probe is due ${timeZone.show(probeAt)}`);

/** Returns what stops the deliveries of an endpoint: all of it; undefined if nothing does, or it is disabled, which gives them up. */
export function stopOf(sending: Sending, context: Terminal): Stop | undefined {
  const { health } = sending;
  if (getField(health, 'status') === 'disabled') return undefined;
  const stops = [
    ...(isInstitutionStopped(sending) ? [{ because: 'its institution is not approved', sent: 'the institution is approved' }] : []),
    ...(getField(health, 'status') === 'paused' ? [{ because: 'its endpoint is paused', sent: 'the endpoint is resumed' }] : []),
  ];
  const isOpen = getField(health, 'circuit') === 'open';
  if (stops.length > 0) {
    const all = [...stops, ...(isOpen ? [{ because: 'the circuit of its endpoint is open', sent: 'one delivery has succeeded' }] : [])];
    const join = (part: 'because' | 'sent', of: typeof all): string => joinWords(of.map((stop) => stop[part]));
    return { because: join('because', all), sent: `when ${join('sent', all)}`, deadlineStop: join('because', stops) };
  }
  if (!isOpen) return undefined;
  const probeAt = getField(health, 'next_probe_at');
  const next = typeof probeAt === 'string' ? `; ${probeText(context, probeAt)}` : '';
  return { because: 'the circuit of its endpoint is open', sent: `after a probe has succeeded${next}: institution endpoints show ${getString(health, 'id')}`, deadlineStop: undefined };
}

/** Says why an open delivery is not attempted, and what ends that. */
export function stopNote(status: string, { because, sent, deadlineStop }: Stop): string {
  const isStopped = deadlineStop !== undefined;
  const isOfAll = !isStopped || deadlineStop === because;
  const reason = `${capitalized(because)}${isOfAll ? `, which ${isStopped ? 'stops' : 'does not stop'} its deadline` : ''}: `;
  const end = isOfAll ? '.' : `. Its deadline is stopped while ${deadlineStop}.`;
  if (status === 'held') return `${reason}it is sent ${sent}${isStopped ? `, and given up once it has been held for 30 days${end}` : ''}`;
  const due = status === 'retrying' ? 'when its next attempt is due it is held' : 'unless an attempt is being made now it is held';
  return `${reason}${due}, and sent ${sent}${isStopped ? end : ''}`;
}

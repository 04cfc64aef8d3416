import { path } from './call';
import type { CliContext } from './context';
import { getField, getString } from './fields';
import { answerIfAny, readHealth } from './notes';

/** The endpoint and the institution of a delivery; undefined what cannot be read. */
export interface Sending {
  health: unknown;
  institution: unknown;
}

/** Reads an institution for a note. */
export const readInstitution = (context: CliContext, id: string): Promise<unknown> => answerIfAny(context.api.call('GET', path`/institutions/${id}`, { asPlatform: true }));

/** Reads what decides whether the deliveries of an endpoint are attempted, for a note. */
export async function readSending(context: CliContext, institutionId: string, endpointId: string): Promise<Sending> {
  return {
    health: await readHealth(context, path`/institutions/${institutionId}/webhook-endpoints/${endpointId}`),
    institution: await readInstitution(context, institutionId),
  };
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
  /** Whether it stops the deadline, too: a circuit does not. */
  stopsDeadline: boolean;
}

/** Returns when the next probe is sent. A sandbox is ahead of the real time, never behind: what is past by that is past. */
export const probeText = ({ timeZone }: CliContext, probeAt: string): string => (Date.parse(probeAt) <= Date.now() ? 'a probe is due now' : `the next probe is due ${timeZone.show(probeAt)}`);

/** Returns what stops the deliveries of an endpoint: first what only the institution's approval and a resume end; undefined if nothing does. */
export function stopOf(sending: Sending, context: CliContext): Stop | undefined {
  const { health } = sending;
  const stops = [
    ...(isInstitutionStopped(sending) ? [{ because: 'its institution is not approved', sent: 'the institution is approved' }] : []),
    ...(getField(health, 'status') === 'paused' ? [{ because: 'its endpoint is paused', sent: 'the endpoint is resumed' }] : []),
  ];
  const join = (part: 'because' | 'sent'): string => stops.map((stop) => stop[part]).join(' and ');
  if (stops.length > 0) return { because: join('because'), sent: `when ${join('sent')}`, stopsDeadline: true };
  if (getField(health, 'circuit') !== 'open') return undefined;
  const probeAt = getField(health, 'next_probe_at');
  const next = typeof probeAt === 'string' ? `; ${probeText(context, probeAt)}` : '';
  return { because: 'the circuit of its endpoint is open', sent: `after a probe has succeeded${next}: institution endpoints show ${getString(health, 'id')}`, stopsDeadline: false };
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Says why an open delivery is not attempted, and what ends that. */
export function stopNote(status: string, { because, sent, stopsDeadline }: Stop): string {
  const reason = `${sentence(because)}, which ${stopsDeadline ? 'stops its deadline' : 'does not stop its deadline'}: `;
  if (status === 'held') return `${reason}it is sent ${sent}${stopsDeadline ? ', and given up once it has been held for 30 days.' : ''}`;
  const due = status === 'retrying' ? 'when its next attempt is due it is held' : 'unless an attempt is being made now it is held';
  return `${reason}${due}, and sent ${sent}${stopsDeadline ? '.' : ''}`;
}

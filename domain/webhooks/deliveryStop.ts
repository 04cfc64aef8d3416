import type { EndpointStatus } from '../../db/entities/endpoint';
import type { InstitutionStatus } from '../../db/entities/institution';

/** What decides whether the deliveries of an endpoint are attempted. */
export interface Sending {
  institutionStatus: InstitutionStatus;
  endpointStatus: EndpointStatus;
  circuit: 'closed' | 'open';
}

/** Why a delivery is not attempted, and what sends it, each as a clause. */
export interface DeliveryStop {
  /** Follows a colon: "its endpoint is paused". */
  because: string;
  /** Follows "it is sent". */
  sent: string;
  /** Whether it stops the deadline, too. */
  stopsDeadline: boolean;
}

/** Returns a clause as the beginning of a sentence. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns what stops the deliveries of an endpoint; undefined if they are attempted, or given up because it is disabled. */
export function deliveryStop({ institutionStatus, endpointStatus, circuit }: Sending): DeliveryStop | undefined {
  if (endpointStatus === 'disabled') return undefined;
  const stops = [
    ...(institutionStatus === 'approved' ? [] : [{ because: 'its institution is not approved', sent: 'the institution is approved' }]),
    ...(endpointStatus === 'active' ? [] : [{ because: 'its endpoint is paused', sent: 'the endpoint is resumed' }]),
  ];
  const join = (part: 'because' | 'sent'): string => stops.map((stop) => stop[part]).join(' and ');
  if (stops.length > 0) return { because: join('because'), sent: `when ${join('sent')}`, stopsDeadline: true };
  if (circuit === 'closed') return undefined;
  return { because: 'its endpoint failed so often in a row that only one delivery is tried at a time', sent: 'after one has succeeded', stopsDeadline: false };
}

/** Says of a delivery that waits for a retry that there will be none while this lasts. */
export const retryStopSentence = ({ because, sent }: DeliveryStop): string => `${capitalized(because)}: when its next attempt is due it is held, and sent ${sent}.`;

/** Says the same of a delivery that is due now. */
export const dueStopSentence = ({ because, sent }: DeliveryStop): string => `${capitalized(because)}: unless an attempt is being made now it is held, and sent ${sent}.`;

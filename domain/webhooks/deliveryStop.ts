import type { EndpointStatus } from '../../db/entities/endpoint';
import type { InstitutionStatus } from '../../db/entities/institution';
import { capitalized } from '../../lib/capitalized';
import { joinWords } from '../../lib/joinWords';

/** What decides whether the deliveries of an endpoint are attempted. */
export interface Sending {
  institutionStatus: InstitutionStatus;
  endpointStatus: EndpointStatus;
  circuit: 'closed' | 'open';
}

/** Why a delivery is not attempted, and what sends it, each as a clause. */
export interface DeliveryStop {
  /** Every reason. Follows a colon: "its endpoint is paused". */
  because: string;
  /** Follows "it is sent". */
  sent: string;
  /** The reasons that stop the deadline, too; undefined if none does: an open circuit does not. */
  deadlineStop: string | undefined;
}

/** Says what an institution and its endpoint are. */
function clauseOf(isApproved: boolean, endpointIs: readonly string[]): string {
  const clauses = [...(isApproved ? [] : ['its institution is not approved']), ...(endpointIs.length === 0 ? [] : [`its endpoint ${endpointIs.join(' and ')}`])];
  return clauses.join(endpointIs.length > 1 ? ', and ' : ' and ');
}

/** Returns what stops the deliveries of an endpoint: all of it; undefined if they are attempted, or given up because it is disabled. */
export function deliveryStop({ institutionStatus, endpointStatus, circuit }: Sending): DeliveryStop | undefined {
  if (endpointStatus === 'disabled') return undefined;
  const [isApproved, isActive, isOpen] = [institutionStatus === 'approved', endpointStatus === 'active', circuit === 'open'];
  const paused = isActive ? [] : ['is paused'];
  const because = clauseOf(isApproved, [...paused, ...(isOpen ? ['failed so often in a row that only one delivery is tried at a time'] : [])]);
  if (isApproved && isActive) return isOpen ? { because, sent: 'after one has succeeded', deadlineStop: undefined } : undefined;
  const ends = [...(isApproved ? [] : ['the institution is approved']), ...(isActive ? [] : ['the endpoint is resumed']), ...(isOpen ? ['one delivery has succeeded'] : [])];
  return { because, sent: `when ${joinWords(ends)}`, deadlineStop: clauseOf(isApproved, paused) };
}

/** Says of a delivery that waits for a retry that there will be none while this lasts. */
export const retryStopSentence = ({ because, sent }: DeliveryStop): string => `${capitalized(because)}: when its next attempt is due it is held, and sent ${sent}.`;

/** Says the same of a delivery that is due now. */
export const dueStopSentence = ({ because, sent }: DeliveryStop): string => `${capitalized(because)}: unless an attempt is being made now it is held, and sent ${sent}.`;

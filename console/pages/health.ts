import type { SupportEndpoint } from '../../db/repositories/support/endpoints';

/** The health of an endpoint: the class of its badge, and its label. */
export interface Health {
  badge: string;
  label: string;
}

/** Whether its last attempt failed before it was made active again, which forgets its failures. */
export function isUntriedSinceFailure({ consecutive_failures, last_failure_at, last_success_at }: SupportEndpoint): boolean {
  return consecutive_failures === 0 && last_failure_at !== null && (last_success_at === null || last_success_at < last_failure_at);
}

interface Rule {
  applies: (endpoint: SupportEndpoint) => boolean;
  health: Health;
}

/** The first rule that applies counts: reasons that hold deliveries come before results of attempts. */
const rules: readonly Rule[] = [
  { applies: ({ deleted_at }) => deleted_at !== null, health: { badge: 'cancelled', label: 'deleted' } },
  { applies: ({ status }) => status === 'disabled', health: { badge: 'disabled', label: 'disabled' } },
  { applies: ({ status }) => status === 'paused', health: { badge: 'paused', label: 'paused' } },
  { applies: ({ institution_status }) => institution_status !== 'approved', health: { badge: 'held', label: 'institution not approved' } },
  { applies: ({ circuit }) => circuit === 'open', health: { badge: 'open', label: 'circuit open' } },
  { applies: ({ consecutive_failures }) => consecutive_failures > 0, health: { badge: 'failing', label: 'failing' } },
  { applies: isUntriedSinceFailure, health: { badge: 'reactivated', label: 'reactivated' } },
  { applies: ({ last_success_at }) => last_success_at !== null, health: { badge: 'healthy', label: 'healthy' } },
];

/** The health of endpoints that somebody should look at, the most urgent first. */
const urgent = ['open', 'failing', 'disabled', 'paused', 'held', 'reactivated'];

/** Returns endpoints with those that do not work before the others, which stay in their order. */
export function urgentFirst(endpoints: readonly SupportEndpoint[]): SupportEndpoint[] {
  const rank = (endpoint: SupportEndpoint): number => {
    const index = urgent.indexOf(healthOf(endpoint).badge);
    return index === -1 ? urgent.length : index;
  };
  return endpoints.toSorted((one, other) => rank(one) - rank(other));
}

/** Returns the health of an endpoint. */
export function healthOf(endpoint: SupportEndpoint): Health {
  return rules.find(({ applies }) => applies(endpoint))?.health ?? { badge: 'new', label: 'nothing sent yet' };
}

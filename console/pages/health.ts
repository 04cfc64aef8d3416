import type { SupportEndpoint } from '../../db/repositories/support/endpoints';

/** How an endpoint is, in a word for its badge and a few for people. */
export interface Health {
  badge: string;
  label: string;
}

interface Rule {
  applies: (endpoint: SupportEndpoint) => boolean;
  health: Health;
}

/** The first that applies: what keeps deliveries back comes before how attempts went. */
const rules: readonly Rule[] = [
  { applies: ({ deleted_at }) => deleted_at !== null, health: { badge: 'cancelled', label: 'deleted' } },
  { applies: ({ status }) => status === 'disabled', health: { badge: 'disabled', label: 'disabled' } },
  { applies: ({ status }) => status === 'paused', health: { badge: 'paused', label: 'paused' } },
  { applies: ({ institution_status }) => institution_status !== 'approved', health: { badge: 'held', label: 'institution not approved' } },
  { applies: ({ circuit }) => circuit === 'open', health: { badge: 'open', label: 'circuit open' } },
  { applies: ({ consecutive_failures }) => consecutive_failures > 0, health: { badge: 'failing', label: 'failing' } },
  { applies: ({ last_success_at }) => last_success_at !== null, health: { badge: 'healthy', label: 'healthy' } },
];

/** How an endpoint is now. */
export function healthOf(endpoint: SupportEndpoint): Health {
  return rules.find(({ applies }) => applies(endpoint))?.health ?? { badge: 'new', label: 'nothing sent yet' };
}

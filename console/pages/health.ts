import type { SupportedEndpoint } from '../../db/repositories/support/endpoints';

/** How an endpoint is, in a word for its badge and a few for people. */
export interface Health {
  badge: string;
  words: string;
}

interface Rule {
  applies: (endpoint: SupportedEndpoint) => boolean;
  health: Health;
}

/** The first that applies: what keeps deliveries back comes before how attempts went. */
const rules: readonly Rule[] = [
  { applies: ({ deleted_at }) => deleted_at !== null, health: { badge: 'cancelled', words: 'deleted' } },
  { applies: ({ status }) => status === 'disabled', health: { badge: 'disabled', words: 'disabled' } },
  { applies: ({ status }) => status === 'paused', health: { badge: 'paused', words: 'paused' } },
  { applies: ({ institution_status }) => institution_status !== 'approved', health: { badge: 'held', words: 'institution not approved' } },
  { applies: ({ circuit }) => circuit === 'open', health: { badge: 'open', words: 'circuit open' } },
  { applies: ({ consecutive_failures }) => consecutive_failures > 0, health: { badge: 'failing', words: 'failing' } },
  { applies: ({ last_success_at }) => last_success_at !== null, health: { badge: 'healthy', words: 'healthy' } },
];

/** How an endpoint is now. */
export function healthOf(endpoint: SupportedEndpoint): Health {
  return rules.find(({ applies }) => applies(endpoint))?.health ?? { badge: 'new', words: 'nothing sent yet' };
}

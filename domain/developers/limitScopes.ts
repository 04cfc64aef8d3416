import { writeScopeCeiling } from '../../db/repositories/developers/changes';
import type { DeveloperRow } from '../../db/repositories/developers/developers';
import type { Transaction } from '../context';
import { requireKnownScopes } from '../keys/requireKnownScopes';
import { requireDeveloper, requireLockedDeveloper } from './requireDeveloper';

/**
 * Sets the scopes that the keys a developer created, and will create, may use at most; null for no ceiling. It counts from the
 * next request of each key on. `invalid_scopes` for unknown ones; none at all is a ceiling too.
 */
export async function limitScopes(tx: Transaction, id: string, ceiling: readonly string[] | null): Promise<DeveloperRow> {
  if (ceiling !== null) requireKnownScopes('scope_ceiling', ceiling);
  await requireLockedDeveloper(tx, id);
  await writeScopeCeiling(tx, id, ceiling === null ? null : [...new Set(ceiling)]);
  return requireDeveloper(tx, id);
}

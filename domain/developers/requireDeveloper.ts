import type { InstitutionScope } from '../../db/database';
import { findDeveloper, lockDeveloper, type DeveloperRow } from '../../db/repositories/developers/developers';
import { notFound } from '../errors';

function assertFound(developer: DeveloperRow | undefined): DeveloperRow {
  if (developer === undefined) throw notFound('developer');
  return developer;
}

/** A developer of the institution, or `not_found`. */
export const requireDeveloper = async (scope: InstitutionScope, id: string): Promise<DeveloperRow> => assertFound(await findDeveloper(scope, id));

/** The same, locked. */
export const requireLockedDeveloper = async (scope: InstitutionScope, id: string): Promise<DeveloperRow> => assertFound(await lockDeveloper(scope, id));

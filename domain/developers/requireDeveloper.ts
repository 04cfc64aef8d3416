import type { InstitutionScope } from '../../db/database';
import { findDeveloper, lockDeveloper, type DeveloperRow } from '../../db/repositories/developers/developers';
import { notFound } from '../errors';

function assertFound(developer: DeveloperRow | undefined): DeveloperRow {
  if (developer === undefined) throw notFound('developer');
  return developer;
}

/** Returns a developer of the institution; `not_found`. */
export const requireDeveloper = async (scope: InstitutionScope, id: string): Promise<DeveloperRow> => assertFound(await findDeveloper(scope, id));

/** Returns a developer of the institution, locked; `not_found`. */
export const requireLockedDeveloper = async (scope: InstitutionScope, id: string): Promise<DeveloperRow> => assertFound(await lockDeveloper(scope, id));

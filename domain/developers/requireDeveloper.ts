import type { InstitutionScope } from '../../db/database';
import { findDeveloper, lockDeveloper, type DeveloperRow } from '../../db/repositories/developers/developers';
import { requireFound } from '../errors';

/** Returns a developer of the institution; `not_found`. */
export const requireDeveloper = async (scope: InstitutionScope, id: string): Promise<DeveloperRow> => requireFound(await findDeveloper(scope, id), 'developer');

/** Returns a developer of the institution, locked; `not_found`. */
export const requireLockedDeveloper = async (scope: InstitutionScope, id: string): Promise<DeveloperRow> => requireFound(await lockDeveloper(scope, id), 'developer');

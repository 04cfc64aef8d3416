import type { InstitutionScope } from '../../db/database';
import { findGuardianLink, type GuardianLinkRow } from '../../db/repositories/guardians/links';
import { requireFound } from '../errors';

/** Returns a link of the institution; `not_found`. */
export const requireLink = async (scope: InstitutionScope, id: string): Promise<GuardianLinkRow> => requireFound(await findGuardianLink(scope, id), 'guardian');

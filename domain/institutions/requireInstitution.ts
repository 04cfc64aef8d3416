import type { InstitutionScope } from '../../db/database';
import type { IntegrationConfig } from '../../db/entities/institution';
import { findInstitution, type InstitutionRow } from '../../db/repositories/institutions/institutions';
import { readConfig } from '../../db/repositories/institutions/profile';
import { requireFound } from '../errors';

/** Returns the institution itself; `not_found`. */
export const requireInstitution = async (scope: InstitutionScope): Promise<InstitutionRow> => requireFound(await findInstitution(scope), 'institution', { within: 'service' });

/** Returns the integration config of the institution; `not_found`. */
export const requireConfig = async (scope: InstitutionScope): Promise<IntegrationConfig> => requireFound(await readConfig(scope), 'institution', { within: 'service' });

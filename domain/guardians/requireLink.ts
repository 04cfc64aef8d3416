import type { InstitutionScope } from '../../db/database';
import { findGuardianLink, type GuardianLinkRow } from '../../db/repositories/guardians/links';
import { notFound } from '../errors';

/** The link where there is one, else `not_found`. */
export function assertLinkFound(link: GuardianLinkRow | undefined): GuardianLinkRow {
  if (link === undefined) throw notFound('guardian');
  return link;
}

/** Returns a link of the institution; `not_found`. */
export const requireLink = async (scope: InstitutionScope, id: string): Promise<GuardianLinkRow> => assertLinkFound(await findGuardianLink(scope, id));

import { findClockOffset } from '../../../db/repositories/institutions/institutions';
import { findInstitutionOf, type InstitutionOnClock } from '../../../db/repositories/support/owners';
import type { Domain } from '../../../domain/context';
import { DomainError, notFound } from '../../../domain/errors';
import { newId } from '../../../domain/ids';
import { requireStatusApproved } from '../../../domain/institutions/requireApproved';
import type { InstitutionSource, OwnedKind, PlatformCaller, PlatformRole } from '../access';

type Source = InstitutionSource<unknown>;
type InstitutionResolver = (principal: PlatformCaller) => InstitutionOnClock;

const portalRoles: ReadonlySet<PlatformRole> = new Set(['admin', 'developer', 'guardian']);

/** What no institution's rows carry: who has it as theirs reads and writes nothing of any institution. */
const noInstitution: InstitutionOnClock = { id: '', clockOffsetMs: 0 };

/** The caller's own institution; in the portals only while it is approved. */
function ownInstitution({ role, institution }: PlatformCaller): InstitutionOnClock {
  if (institution === null) throw new DomainError('institution_required', 'Name the institution.');
  if (portalRoles.has(role)) requireStatusApproved(institution.status);
  return institution;
}

/** The institution named, where the caller may reach it: anyone but the platform reaches their own alone. */
async function namedInstitution({ database }: Domain, principal: PlatformCaller, id: string): Promise<InstitutionOnClock> {
  const notFoundError = notFound('institution', { within: 'service' });
  if (principal.institution === null) {
    const clockOffsetMs = await findClockOffset(database.sql, id);
    if (clockOffsetMs === undefined) throw notFoundError;
    return { id, clockOffsetMs };
  }
  if (id !== principal.institution.id) throw notFoundError;
  return ownInstitution(principal);
}

/** The institution of what is named by its id alone: the platform's are anyone's. */
async function institutionOfResource(kind: OwnedKind, { database }: Domain, principal: PlatformCaller, id: string): Promise<InstitutionOnClock> {
  if (principal.institution !== null) return ownInstitution(principal);
  const found = await findInstitutionOf(database.sql, kind, id);
  if (found === undefined) throw notFound(kind, { within: 'service' });
  return found;
}

/** Sources that need nothing of the request. */
const resolvers: Record<Extract<Source, string>, InstitutionResolver> = {
  none: () => noInstitution,
  new: () => ({ id: newId('ins'), clockOffsetMs: 0 }),
  caller: ownInstitution,
  session: ({ institution }) => institution ?? noInstitution,
  caller_or_none: (principal) => (principal.institution === null ? noInstitution : ownInstitution(principal)),
};

/**
 * The institution for which an operation runs. Raises `not_found` where the named one does not exist or is not the
 * caller's, `institution_required` where the platform names none, and `institution_not_approved` for the portal of
 * one that is not approved.
 */
export function resolveInstitution(domain: Domain, source: Source, principal: PlatformCaller, input: unknown): InstitutionOnClock | Promise<InstitutionOnClock> {
  if (typeof source === 'string') return resolvers[source](principal);
  if ('owns' in source) return institutionOfResource(source.owns, domain, principal, source.id(input));
  const id = source.named(input);
  return id === undefined ? ownInstitution(principal) : namedInstitution(domain, principal, id);
}

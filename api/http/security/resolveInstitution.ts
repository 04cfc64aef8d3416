import { findClockOffset } from '../../../db/repositories/institutions/institutions';
import { findInstitutionOf, findMakerOfKey, type InstitutionOnClock } from '../../../db/repositories/support/owners';
import type { ClockOffset } from '../../../domain/clock';
import type { Domain } from '../../../domain/context';
import { DomainError, notFound, requireFound } from '../../../domain/errors';
import { newId } from '../../../domain/ids';
import { requireStatusApproved } from '../../../domain/institutions/requireApproved';
import type { InstitutionSource, OwnedKind, PlatformCaller, PlatformRole } from '../access';

type Source = InstitutionSource<unknown>;
type InstitutionResolver = (principal: PlatformCaller) => InstitutionOnClock;

const portalRoles: ReadonlySet<PlatformRole> = new Set(['admin', 'developer', 'guardian']);

/** An institution id that no row has: with it a caller reads and writes no institution's data. */
const noInstitution: InstitutionOnClock = { id: '', clockOffsetMs: 0 };

/** Returns the caller's own institution; in the portals only while it is approved. */
function ownInstitution({ role, institution }: PlatformCaller): InstitutionOnClock {
  if (institution === null) throw new DomainError('institution_required', 'Name the institution.');
  if (portalRoles.has(role)) requireStatusApproved(institution.status);
  return institution;
}

/** Returns the named institution if the caller may access it: only the platform may access others than its own. */
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

const findOwner = ({ database: { sql } }: Domain, kind: OwnedKind, id: string): Promise<InstitutionOnClock | undefined> =>
  kind === 'key' ? findMakerOfKey(sql, id) : findInstitutionOf(sql, kind, id);

/** Returns the institution of a resource found by its id alone; shared resources of the platform belong to none. */
async function institutionOfResource(kind: OwnedKind, domain: Domain, principal: PlatformCaller, id: string): Promise<InstitutionOnClock> {
  if (principal.institution !== null) return ownInstitution(principal);
  return requireFound(await findOwner(domain, kind, id), kind, { within: 'service' });
}

/** Sources that do not depend on the request. */
const resolvers: Record<Extract<Source, string>, InstitutionResolver> = {
  none: () => noInstitution,
  new: () => ({ id: newId('ins'), clockOffsetMs: 0 }),
  caller: ownInstitution,
  session: ({ institution }) => institution ?? noInstitution,
  caller_or_none: (principal) => (principal.institution === null ? noInstitution : ownInstitution(principal)),
};

/**
 * Returns the institution for which an operation runs. `not_found` if the named one does not exist or is not the caller's,
 * `institution_required` if the platform names none, and `institution_not_approved` in the portal of one not
 * approved.
 */
export function resolveInstitution(domain: Domain, source: Source, principal: PlatformCaller, input: unknown): InstitutionOnClock | Promise<InstitutionOnClock> {
  if (typeof source === 'string') return resolvers[source](principal);
  if ('owns' in source) return institutionOfResource(source.owns, domain, principal, source.id(input));
  const id = source.named(input);
  return id === undefined ? ownInstitution(principal) : namedInstitution(domain, principal, id);
}

const idForm = /^[a-z]+_[0-9a-z]{1,64}$/;

/** Returns how far the clock of the institution is ahead that a request of the platform names, before it is validated; undefined where it names none. */
export async function findNamedClock(domain: Domain, source: Source, input: unknown): Promise<ClockOffset | undefined> {
  if (typeof source === 'string') return undefined;
  const id: unknown = 'owns' in source ? source.id(input) : source.named(input);
  if (typeof id !== 'string' || !idForm.test(id)) return undefined;
  if ('owns' in source) return findOwner(domain, source.owns, id);
  const clockOffsetMs = await findClockOffset(domain.database.sql, id);
  return clockOffsetMs === undefined ? undefined : { clockOffsetMs };
}

import { institutionExists } from '../../../db/repositories/institutions/institutions';
import { findInstitutionOf } from '../../../db/repositories/support/owners';
import type { Domain } from '../../../domain/context';
import { DomainError, noSuch } from '../../../domain/errors';
import { newId } from '../../../domain/ids';
import { requireStatusApproved } from '../../../domain/institutions/requireApproved';
import type { InstitutionSource, PlatformCaller, PlatformRole, RequestInput } from '../operation';

type Input = RequestInput<unknown, unknown, unknown>;
type InstitutionResolver = (domain: Domain, principal: PlatformCaller, input: Input) => string | Promise<string>;

const portalRoles: ReadonlySet<PlatformRole> = new Set(['admin', 'developer', 'guardian']);

/** What no institution's rows carry: who has it as theirs reads and writes nothing of any institution. */
const noInstitution = '';

function stringField(of: unknown, name: string): string | undefined {
  const value: unknown = typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The caller's own institution; in the portals only while it is approved. */
function ownInstitution({ role, institution }: PlatformCaller): string {
  if (institution === null) throw new DomainError('institution_required', 'Name the institution.');
  if (portalRoles.has(role)) requireStatusApproved(institution.status);
  return institution.id;
}

/** The institution named, where the caller may reach it: anyone but the platform reaches their own alone. */
async function namedInstitution({ database }: Domain, principal: PlatformCaller, id: string | undefined): Promise<string> {
  const notFoundError = noSuch('institution');
  if (id === undefined) throw notFoundError;
  if (principal.institution === null) {
    if (!(await institutionExists(database.sql, id))) throw notFoundError;
    return id;
  }
  if (id !== principal.institution.id) throw notFoundError;
  return ownInstitution(principal);
}

/** The institution of what is named by its id alone: the platform's are anyone's. */
async function institutionOfResource(kind: 'key' | 'license' | 'developer', { database }: Domain, principal: PlatformCaller, id: string | undefined): Promise<string> {
  if (principal.institution !== null) return ownInstitution(principal);
  const found = id === undefined ? undefined : await findInstitutionOf(database.sql, kind, id);
  if (found === undefined) throw noSuch(kind);
  return found;
}

const resolvers: Record<InstitutionSource, InstitutionResolver> = {
  none: () => noInstitution,
  new: () => newId('ins'),
  caller: (_domain, principal) => ownInstitution(principal),
  session: (_domain, { institution }) => institution?.id ?? noInstitution,
  caller_or_none: (_domain, principal) => (principal.institution === null ? noInstitution : ownInstitution(principal)),
  path: (domain, principal, { params }) => namedInstitution(domain, principal, stringField(params, 'id')),
  query: (domain, principal, { query }) => {
    const id = stringField(query, 'institution_id');
    return id === undefined ? ownInstitution(principal) : namedInstitution(domain, principal, id);
  },
  key: (domain, principal, { params }) => institutionOfResource('key', domain, principal, stringField(params, 'id')),
  license: (domain, principal, { params }) => institutionOfResource('license', domain, principal, stringField(params, 'id')),
  developer: (domain, principal, { params }) => institutionOfResource('developer', domain, principal, stringField(params, 'id')),
};

/**
 * The institution for which an operation runs. Raises `not_found` where the named one does not exist or is not the
 * caller's, `institution_required` where the platform names none, and `institution_not_approved` for the portal of
 * one that is not approved.
 */
export function resolveInstitution(domain: Domain, source: InstitutionSource, principal: PlatformCaller, input: Input): string | Promise<string> {
  return resolvers[source](domain, principal, input);
}

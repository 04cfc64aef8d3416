import { institutionExists } from '../../../db/repositories/institutions/institutions';
import { findInstitutionOf } from '../../../db/repositories/support/owners';
import type { Domain } from '../../../domain/context';
import { DomainError, noSuch } from '../../../domain/errors';
import { newId } from '../../../domain/ids';
import { requireStatusApproved } from '../../../domain/institutions/requireApproved';
import type { InstitutionSource, PlatformCaller, PlatformRole, RequestInput } from '../operation';

type Input = RequestInput<unknown, unknown, unknown>;
type Find = (domain: Domain, who: PlatformCaller, input: Input) => string | Promise<string>;

const portalRoles: ReadonlySet<PlatformRole> = new Set(['admin', 'developer', 'guardian']);

/** What no institution's rows carry: who has it as theirs reads and writes nothing of any institution. */
const noInstitution = '';

function field(of: unknown, name: string): string | undefined {
  const value: unknown = typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The caller's own institution; in the portals only while it is approved. */
function own({ role, institution }: PlatformCaller): string {
  if (institution === null) throw new DomainError('institution_required', 'Name the institution.');
  if (portalRoles.has(role)) requireStatusApproved(institution.status);
  return institution.id;
}

/** The institution named, where the caller may reach it: anyone but the platform reaches their own alone. */
async function named({ database }: Domain, who: PlatformCaller, id: string | undefined): Promise<string> {
  const missing = noSuch('institution');
  if (id === undefined) throw missing;
  if (who.institution === null) {
    if (!(await institutionExists(database.sql, id))) throw missing;
    return id;
  }
  if (id !== who.institution.id) throw missing;
  return own(who);
}

/** The institution of what is named by its id alone: the platform's are anyone's. */
async function of(thing: 'key' | 'license' | 'developer', { database }: Domain, who: PlatformCaller, id: string | undefined): Promise<string> {
  if (who.institution !== null) return own(who);
  const found = id === undefined ? undefined : await findInstitutionOf(database.sql, thing, id);
  if (found === undefined) throw noSuch(thing);
  return found;
}

const finds: Record<InstitutionSource, Find> = {
  none: () => noInstitution,
  new: () => newId('ins'),
  caller: (_domain, who) => own(who),
  session: (_domain, { institution }) => institution?.id ?? noInstitution,
  caller_or_none: (_domain, who) => (who.institution === null ? noInstitution : own(who)),
  path: (domain, who, { params }) => named(domain, who, field(params, 'id')),
  query: (domain, who, { query }) => {
    const id = field(query, 'institution_id');
    return id === undefined ? own(who) : named(domain, who, id);
  },
  key: (domain, who, { params }) => of('key', domain, who, field(params, 'id')),
  license: (domain, who, { params }) => of('license', domain, who, field(params, 'id')),
  developer: (domain, who, { params }) => of('developer', domain, who, field(params, 'id')),
};

/**
 * The institution for which an operation runs. Raises `not_found` where the named one does not exist or is not the
 * caller's, `institution_required` where the platform names none, and `institution_not_approved` for the portal of
 * one that is not approved.
 */
export function institutionOf(domain: Domain, source: InstitutionSource, who: PlatformCaller, input: Input): string | Promise<string> {
  return finds[source](domain, who, input);
}

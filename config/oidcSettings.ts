import { commaList } from '../lib/commaList';

/** The roles of the platform's staff that an identity provider can give. */
const oidcRoles = ['support', 'operator'] as const;
type OidcRole = (typeof oidcRoles)[number];

/** How the support console signs staff in by an identity provider (OpenID Connect). */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  /** Separated by blanks, as they are sent. */
  scopes: string;
  /** The claim with the values that `roleOfValue` knows; dots lead into objects. */
  roleClaim: string;
  roleOfValue: ReadonlyMap<string, OidcRole>;
}

const callbackPath = '/console/sign-in/callback';

const isOidcRole = (text: string): text is OidcRole => oidcRoles.some((role) => role === text);

/** Parses `operator=platform-admins,support=support-desk`: several values may give one role. */
function parseRoles(value: string): Map<string, OidcRole> {
  const roles = new Map<string, OidcRole>();
  for (const entry of commaList(value)) {
    const [named = '', ...rest] = entry.split('=');
    const [role, claimed] = [named.trim(), rest.join('=').trim()];
    if (!isOidcRole(role) || claimed === '') throw new Error('OIDC_ROLES must be a comma list of <role>=<value of the claim>, with the roles support and operator');
    roles.set(claimed, roles.get(claimed) === 'operator' ? 'operator' : role);
  }
  if (roles.size === 0) throw new Error('OIDC_ROLES must name at least one value of the claim: without one nobody could sign in');
  return roles;
}

/** Returns the settings of the identity provider; null without OIDC_ISSUER. Fails if one that it requires is missing. */
export function parseOidcSettings(text: (name: string) => string, platformPort: number): OidcSettings | null {
  const issuer = text('OIDC_ISSUER');
  if (issuer === '') return null;
  const missing = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ROLES'].filter((name) => text(name) === '');
  if (missing.length > 0) throw new Error(`OIDC_ISSUER is set; so must be ${missing.join(', ')}`);
  const redirectUri = text('OIDC_REDIRECT_URI') || `http://127.0.0.1:${platformPort}${callbackPath}`;
  if (new URL(redirectUri).pathname !== callbackPath) throw new Error(`OIDC_REDIRECT_URI must end with ${callbackPath}`);
  return {
    issuer,
    clientId: text('OIDC_CLIENT_ID'),
    clientSecret: text('OIDC_CLIENT_SECRET'),
    redirectUri,
    scopes: text('OIDC_SCOPES') || 'openid email profile',
    roleClaim: text('OIDC_ROLE_CLAIM') || 'groups',
    roleOfValue: parseRoles(text('OIDC_ROLES')),
  };
}

import type { OidcSettings } from '../../config/oidcSettings';
import type { Identity } from '../../domain/staff/admitIdentity';
import { IdentityProviderError, type IdentityProvider } from '../../domain/staff/identityProvider';

/** The package is an ES module; it is loaded with the first sign-in. */
const loadClient = () => import('openid-client');
type Client = Awaited<ReturnType<typeof loadClient>>;
type Configuration = InstanceType<Client['Configuration']>;
type Claims = Readonly<Record<string, unknown>>;

const requestTimeoutS = 10;

/** Returns a claim, by its name or by a path through objects with dots between, as in `realm_access.roles`. */
function readClaim(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split('.').reduce<unknown>((within, name) => (typeof within === 'object' && within !== null && Object.hasOwn(within, name) ? Reflect.get(within, name) : undefined), claims);
}

const textsOf = (claim: unknown): string[] => (Array.isArray(claim) ? claim : [claim]).filter((value) => typeof value === 'string');

/** Returns the role that the claims give, the greater one of two; null for none. */
function roleOf(claims: Claims, { roleClaim, roleOfValue }: OidcSettings): Identity['role'] {
  const roles = textsOf(readClaim(claims, roleClaim)).map((value) => roleOfValue.get(value));
  if (roles.includes('operator')) return 'operator';
  return roles.includes('support') ? 'support' : null;
}

const textOf = (claim: unknown): string | null => (typeof claim === 'string' && claim.trim() !== '' ? claim.trim() : null);

const maxNameLength = 100;

function identityOf(claims: Claims, issuer: string, subject: string, settings: OidcSettings): Identity {
  const email = textOf(claims.email)?.toLowerCase() ?? null;
  const name = (textOf(claims.name) ?? textOf(claims.preferred_username) ?? email ?? subject).toWellFormed().replaceAll(/\p{Cc}/gu, ' ');
  const isEmailVerified = typeof claims.email_verified === 'boolean' ? claims.email_verified : null;
  return { issuer, subject, email, isEmailVerified, name: name.slice(0, maxNameLength), role: roleOf(claims, settings) };
}

/** Returns what a failure after the provider's redirect means for the person. */
function reasonOf({ AuthorizationResponseError, ResponseBodyError, ClientError }: Client, error: unknown): IdentityProviderError['reason'] {
  if (error instanceof AuthorizationResponseError) return 'refused';
  if (error instanceof ResponseBodyError) return error.error === 'invalid_grant' ? 'invalid' : 'unavailable';
  const timedOut = error instanceof ClientError && (error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT');
  return error instanceof ClientError && !timedOut ? 'invalid' : 'unavailable';
}

/** Returns the error code of the provider's answer, as OAuth 2.0 has them, for the log. */
function errorCodeOf({ AuthorizationResponseError, ResponseBodyError }: Client, error: unknown): string | undefined {
  const code = error instanceof AuthorizationResponseError || error instanceof ResponseBodyError ? error.error : '';
  return /^[a-z_]{1,40}$/.test(code) ? code : undefined;
}

/** Reads the provider's configuration, by plain http only where the issuer's own address is http. Signatures of ID tokens are verified, although they come over TLS. */
async function discover(client: Client, { issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const [post, basic] = [client.ClientSecretPost(clientSecret), client.ClientSecretBasic(clientSecret)];
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so to stand out; the production profile takes an https issuer only
  const overHttp = client.allowInsecureRequests;
  return client.discovery(
    new URL(issuer),
    clientId,
    undefined,
    (server, ...rest) => (server.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true ? post : basic)(server, ...rest),
    { timeout: requestTimeoutS, execute: [client.enableNonRepudiationChecks, ...(new URL(issuer).protocol === 'http:' ? [overHttp] : [])] },
  );
}

/** Returns the identity provider of the settings; its configuration is read with the first sign-in, and again after a failure. */
export function createIdentityProvider(settings: OidcSettings): IdentityProvider {
  let discovered: Promise<{ client: Client; configuration: Configuration }> | undefined;
  const load = async (): Promise<{ client: Client; configuration: Configuration }> => {
    const client = await loadClient();
    return { client, configuration: await discover(client, settings) };
  };
  const ready = (): Promise<{ client: Client; configuration: Configuration }> => {
    discovered ??= load().catch((error: unknown) => {
      discovered = undefined;
      throw new IdentityProviderError('unavailable', { cause: error });
    });
    return discovered;
  };

  /** The claims of the ID token, and of the user info where the token lacks the role or the email. */
  async function claimsOf({ client, configuration }: { client: Client; configuration: Configuration }, url: URL, checks: Parameters<Client['authorizationCodeGrant']>[2]) {
    const tokens = await client.authorizationCodeGrant(configuration, url, checks);
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('The token endpoint returned no ID token');
    const isComplete = readClaim(claims, settings.roleClaim) !== undefined && claims.email !== undefined;
    if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    return { ...(await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims };
  }

  return {
    host: new URL(settings.issuer).host,
    startUrl: async ({ state, nonce, codeVerifier }) => {
      const { client, configuration } = await ready();
      return client.buildAuthorizationUrl(configuration, {
        redirect_uri: settings.redirectUri,
        scope: settings.scopes,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
    },
    identify: async (query, { state, nonce, codeVerifier }) => {
      const provider = await ready();
      const url = new URL(settings.redirectUri);
      url.search = query;
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier, idTokenExpected: true };
      const claims = await claimsOf(provider, url, checks).catch((error: unknown) => {
        throw new IdentityProviderError(reasonOf(provider.client, error), { cause: error }, errorCodeOf(provider.client, error));
      });
      return identityOf(claims, claims.iss, claims.sub, settings);
    },
  };
}

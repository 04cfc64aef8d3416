import type { Identity } from './admitIdentity';

/** The secrets of one sign-in, which bind the provider's answer to the browser that began it. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** PKCE: sent with the code, of which the provider knows the SHA-256. */
  codeVerifier: string;
}

/** Signing in with an identity provider, by the authorization code flow of OpenID Connect. */
export interface IdentityProvider {
  /** The name of its host, for people. */
  host: string;
  /** Returns the page of the provider at which a sign-in begins. */
  startUrl(secrets: SignInSecrets): Promise<URL>;
  /** Returns who has signed in, from the query string of the provider's redirect. Throws an `IdentityProviderError` if that cannot be said. */
  identify(query: string, secrets: SignInSecrets): Promise<Identity>;
}

/** Why a sign-in with the provider has failed: it was refused there, its answer is not for this sign-in, or it does not respond as it should. */
export class IdentityProviderError extends Error {
  override readonly name = 'IdentityProviderError';

  constructor(
    readonly reason: 'refused' | 'invalid' | 'unavailable',
    options: ErrorOptions,
    /** The error code of the provider's answer, if it has one. */
    code?: string,
  ) {
    super(`Sign-in with the identity provider: ${reason}${code === undefined ? '' : ` (${code})`}`, options);
  }
}

import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { IdentityProviderError } from '../../../domain/staff/identityProvider';
import { createIdentityProvider } from '../../../outbound/oidc/identityProvider';

const clientId = 'support-console';
const clientSecret = 'a-client-secret-of-the-tests-only';
const secrets = { state: 'the-state-of-this-sign-in', nonce: 'the-nonce-of-this-sign-in', codeVerifier: 'v'.repeat(43) };
const [key, otherKey] = [generateKeyPairSync('rsa', { modulusLength: 2048 }), generateKeyPairSync('rsa', { modulusLength: 2048 })];

type Claims = Record<string, unknown>;

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An ID token as the claims say, signed by a key; `sent` takes the place of the claims once they are signed. */
function token(claims: Claims, { by = key.privateKey, sent = claims }: { by?: KeyObject; sent?: Claims } = {}): string {
  const header = encode({ alg: 'RS256', kid: 'k1' });
  return `${header}.${encode(sent)}.${sign('sha256', Buffer.from(`${header}.${encode(claims)}`), by).toString('base64url')}`;
}

let server: Server;
let issuer: string;
/** What the provider answers now. */
let idToken: string;
let metadataIssuer: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const jwks = { keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'RS256' }] };
    const answers: Record<string, object> = {
      '/.well-known/openid-configuration': {
        issuer: metadataIssuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      },
      '/jwks': jwks,
      '/token': { access_token: 'at', token_type: 'Bearer', id_token: idToken },
    };
    response.end(JSON.stringify(answers[request.url ?? ''] ?? {}));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  metadataIssuer = issuer;
});

afterAll(() => new Promise((resolve) => {
  server.close(resolve);
  server.closeAllConnections();
}));

function claims(changed: Claims = {}): Claims {
  const now = Math.floor(Date.now() / 1_000);
  return { iss: issuer, sub: 'sub-1', aud: clientId, nonce: secrets.nonce, iat: now, exp: now + 300, email: 'sam@platform.example', email_verified: true, name: 'Sam', groups: ['admins'], ...changed };
}

const identify = async (answer: string) => {
  idToken = answer;
  const provider = createIdentityProvider({
    issuer, clientId, clientSecret, redirectUri: 'http://127.0.0.1:4001/console/sign-in/callback', scopes: 'openid email profile', roleClaim: 'groups', roleOfValue: new Map([['admins', 'operator']]),
  });
  return provider.identify(`code=c&state=${secrets.state}`, secrets);
};

const unsigned = (): string => `${encode({ alg: 'none' })}.${encode(claims())}.`;

/** Signed with what an attacker may know in place of a key pair: the client's secret. */
function withSecret(): string {
  const signed = `${encode({ alg: 'HS256' })}.${encode(claims())}`;
  return `${signed}.${createHmac('sha256', clientSecret).update(signed).digest('base64url')}`;
}

it('an ID token of the provider says who has signed in', async () => {
  expect(await identify(token(claims()))).toEqual({ issuer, subject: 'sub-1', name: 'Sam', email: 'sam@platform.example', isEmailVerified: true, role: 'operator' });
});

it.each<[what: string, make: () => string]>([
  ['has no signature', unsigned],
  ['is signed by another key', () => token(claims(), { by: otherKey.privateKey })],
  ['is signed with an algorithm that the provider does not have', withSecret],
  ['was changed after it was signed', () => token(claims(), { sent: claims({ sub: 'sub-2' }) })],
  ['is for another client', () => token(claims({ aud: 'another-client' }))],
  ['is of another issuer', () => token(claims({ iss: 'https://other.example' }))],
  ['is of another sign-in', () => token(claims({ nonce: 'another-nonce' }))],
  ['has expired', () => token(claims({ iat: 1_700_000_000, exp: 1_700_000_300 }))],
])('an ID token that %s is refused', async (_what, make) => {
  await expect(identify(make())).rejects.toThrow(IdentityProviderError);
});

it('metadata that names another issuer are refused', async () => {
  metadataIssuer = 'https://other.example';
  await expect(identify(token(claims()))).rejects.toThrow(IdentityProviderError);
});

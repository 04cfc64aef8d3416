import { readSettings } from '../../config/settings';

const environment = {
  DATABASE_URL: 'postgres://127.0.0.1/x', REDIS_URL: 'redis://127.0.0.1', TEMPORAL_ADDRESS: '127.0.0.1:7233', SMTP_URL: 'smtp://127.0.0.1', FILE_STORE_URL: 'file:///tmp/files',
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`, FINGERPRINT_KEY: Buffer.alloc(32, 2).toString('base64'), PLATFORM_TOKEN: 'f'.repeat(64),
};
const oidc = { OIDC_ISSUER: 'https://id.platform.example', OIDC_CLIENT_ID: 'console', OIDC_CLIENT_SECRET: 'secret', OIDC_ROLES: 'support=support-desk, support=second line,operator=admins' };
const read = (more: Record<string, string> = {}) => readSettings({ ...environment, ...more });

describe('the identity provider of the console', () => {
  it('is none without OIDC_ISSUER', () => {
    expect(read().oidc).toBeNull();
    expect(read({ ...oidc, OIDC_ISSUER: '' }).oidc).toBeNull();
  });

  it('has defaults for redirect, scopes and claim, and several values for a role', () => {
    expect(read({ ...oidc, PLATFORM_PORT: '4101' }).oidc).toEqual({
      issuer: 'https://id.platform.example', clientId: 'console', clientSecret: 'secret', redirectUri: 'http://127.0.0.1:4101/console/sign-in/callback', scopes: 'openid email profile',
      roleClaim: 'groups', roleOfValue: new Map([['support-desk', 'support'], ['second line', 'support'], ['admins', 'operator']]),
    });
  });

  it.each(['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ROLES'])('needs %s', (name) => {
    expect(() => read({ ...oidc, [name]: '' })).toThrow(`OIDC_ISSUER is set; so must be ${name}`);
  });

  it.each(['admin=x', 'support', 'support=', ','])('takes no roles such as %j', (OIDC_ROLES) => {
    expect(() => read({ ...oidc, OIDC_ROLES })).toThrow('OIDC_ROLES must');
  });

  it('has an https issuer in the production profile', () => {
    const production = { PROFILE: 'production', PUBLIC_BASE_URL: 'https://api.platform.example/v1', GUARDIAN_PORTAL_URL: 'https://a.example', PORTAL_URL: 'https://b.example', PLATFORM_ADMIN_EMAIL: 'a@platform.example', REDIS_URL: 'redis://:secret@127.0.0.1', DATABASE_ALLOW_PLAINTEXT: 'true' };
    expect(read({ ...production, ...oidc }).oidc).not.toBeNull();
    expect(() => read({ ...production, ...oidc, OIDC_ISSUER: 'http://id.platform.example' })).toThrow('OIDC_ISSUER must be an https:// URL, or empty');
  });

  it('sends browsers back to the console only', () => {
    expect(() => read({ ...oidc, OIDC_REDIRECT_URI: 'https://support.platform.example/elsewhere' })).toThrow('OIDC_REDIRECT_URI must end with /console/sign-in/callback');
  });
});

describe('PLATFORM_TOKEN', () => {
  it('is one token, or several with the newest first', () => {
    expect(read()).toMatchObject({ platformToken: 'f'.repeat(64), earlierPlatformTokens: [] });
    expect(read({ PLATFORM_TOKEN: ` ${'n'.repeat(32)}, ${'o'.repeat(32)}` })).toMatchObject({ platformToken: 'n'.repeat(32), earlierPlatformTokens: ['o'.repeat(32)] });
  });

  it.each(['', ',', 'short', `${'n'.repeat(32)},short`])('is refused where one is short: %j', (PLATFORM_TOKEN) => {
    expect(() => read({ PLATFORM_TOKEN })).toThrow('PLATFORM_TOKEN');
  });
});

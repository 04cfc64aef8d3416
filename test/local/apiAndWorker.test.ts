import { readOptions } from '../../local/options';
import { serviceEnvironment } from '../../local/apiAndWorker';

const secrets = { postgres_password: 'p', service_password: 's', encryption_keys: 'e', fingerprint_key: 'f', platform_token: 't' };
const stores = { databaseUrl: 'd', ownerDatabaseUrl: 'o', redisUrl: 'r', temporalAddress: 'a', temporalUiUrl: 'u', smtpUrl: 's', mailDir: 'm' };

test('the explorer may call from 127.0.0.1 as well, unless other origins are named', async () => {
  const environmentOf = async (from: NodeJS.ProcessEnv) => serviceEnvironment({ options: await readOptions(from), secrets }, stores);
  expect((await environmentOf({ PORT: '4123' })).OWN_ORIGINS).toBe('http://127.0.0.1:4123');
  expect((await environmentOf({ PORT: '4123', OWN_ORIGINS: 'https://portal.example' })).OWN_ORIGINS).toBe('https://portal.example');
});

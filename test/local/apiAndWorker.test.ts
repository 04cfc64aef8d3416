import { readOptions } from '../../local/options';
import { serviceEnvironment } from '../../local/apiAndWorker';
import { requireFreePorts } from '../../local/ports';

const secrets = { postgres_password: 'p', service_password: 's', master_keys: 'm', platform_token: 't' };
const stores = { databaseUrl: 'd', ownerDatabaseUrl: 'o', redisUrl: 'r', temporalAddress: 'a', temporalUiUrl: 'u', smtpUrl: 's', mailDir: 'm' };

const environmentOf = async (from: NodeJS.ProcessEnv) => serviceEnvironment({ options: await readOptions(from), secrets }, stores);

test('the explorer may call from 127.0.0.1 as well, unless other origins are named', async () => {
  expect((await environmentOf({ PORT: '4123' })).OWN_ORIGINS).toBe('http://127.0.0.1:4123');
  expect((await environmentOf({ PORT: '4123', OWN_ORIGINS: 'https://portal.example' })).OWN_ORIGINS).toBe('https://portal.example');
});

test('the receiver of the demo has a port of each stack\'s own, trusted in addition to the hosts of WEBHOOK_TRUSTED_HOSTS, or those of the guides', async () => {
  const [one, other, third] = [await readOptions({}), await readOptions({ WEBHOOK_TRUSTED_HOSTS: 'hooks.test:8080' }), await readOptions({})];
  // Two may be the same by chance.
  expect(new Set([one, other, third].map(({ demoReceiverPort }) => demoReceiverPort)).size).toBeGreaterThan(1);
  expect(serviceEnvironment({ options: one, secrets }, stores).WEBHOOK_TRUSTED_HOSTS).toBe(`127.0.0.1:4010,localhost:4010,127.0.0.1:${one.demoReceiverPort}`);
  expect(serviceEnvironment({ options: other, secrets }, stores).WEBHOOK_TRUSTED_HOSTS).toBe(`hooks.test:8080,127.0.0.1:${other.demoReceiverPort}`);
  await expect(requireFreePorts([{ variable: 'demo', host: '127.0.0.1', port: one.demoReceiverPort }])).resolves.toBeUndefined();
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceEnvironment } from '../../local/apiAndWorker';
import { readOptions } from '../../local/options';
import { ensureSecrets } from '../../local/secrets';
import { parseServiceKeys } from '../../config/serviceKeys';

const folder = mkdtempSync(join(tmpdir(), 'institution-secrets-'));
const stores = { databaseUrl: 'd', ownerDatabaseUrl: 'o', redisUrl: 'r', temporalAddress: 'a', temporalUiUrl: 'u', smtpUrl: 's', mailDir: 'm' };

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const keysOf = async (localDir: string) => parseServiceKeys(serviceEnvironment({ options: await readOptions({ LOCAL_DIR: localDir }), secrets: ensureSecrets(localDir) }, stores));

it('a new LOCAL_DIR has a master key, which stays', async () => {
  const keys = await keysOf(folder);
  expect(keys).toMatchObject([{ kind: 'master', id: 'local-1' }]);
  expect(await keysOf(folder)).toEqual(keys);
});

it('a LOCAL_DIR of 0.9.0 gets a master key for new values, and keeps the keys of what it has', async () => {
  const of090 = { encryption_keys: `local:${Buffer.alloc(32, 1).toString('base64')}`, fingerprint_key: Buffer.alloc(32, 2).toString('base64'), platform_token: 't'.repeat(64), postgres_password: 'p', service_password: 's' };
  writeFileSync(join(folder, 'secrets.json'), JSON.stringify(of090));
  expect(await keysOf(folder)).toMatchObject([{ kind: 'master', id: 'local-1' }, { kind: 'legacy', encryptionKeys: [{ id: 'local' }] }]);
  expect(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'))).toMatchObject(of090);
});

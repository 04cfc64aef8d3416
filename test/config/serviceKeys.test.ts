import { parseServiceKeys } from '../../config/serviceKeys';
import { readSettings } from '../../config/settings';
import { keyEnvironment, newLegacyKeys, newMasterKey } from '../support/serviceKeys';

const [k1, k2, legacy] = [newMasterKey('k1'), newMasterKey('k2'), newLegacyKeys('old', 'older')];
const ofLegacy = keyEnvironment([legacy]);
const { MASTER_KEYS } = keyEnvironment([k2, k1]);

describe('the keys of the environment', () => {
  it('are those of MASTER_KEYS, the newest first', () => {
    expect(parseServiceKeys({ MASTER_KEYS })).toEqual([k2, k1]);
    expect(parseServiceKeys({ MASTER_KEYS, ENCRYPTION_KEYS: '', FINGERPRINT_KEY: ' ' })).toEqual([k2, k1]);
  });

  it('are those of the earlier variables alone, as in 0.9.0', () => {
    expect(parseServiceKeys(ofLegacy)).toEqual([legacy]);
  });

  it('are those of the earlier variables after the master keys, or where the entry legacy stands', () => {
    expect(parseServiceKeys({ ...ofLegacy, MASTER_KEYS })).toEqual([k2, k1, legacy]);
    expect(parseServiceKeys(keyEnvironment([legacy, k1]))).toEqual([legacy, k1]);
    expect(parseServiceKeys({ ...ofLegacy, MASTER_KEYS: ` ${MASTER_KEYS} , legacy,` })).toEqual([k2, k1, legacy]);
  });

  const text = (key: Buffer): string => key.toString('base64');
  const short = text(Buffer.alloc(31, 1));

  it.each<[string, Parameters<typeof parseServiceKeys>[0], string]>([
    ['none', {}, 'MASTER_KEYS must be set, or ENCRYPTION_KEYS and FINGERPRINT_KEY of an earlier release'],
    ['a key of 31 bytes', { MASTER_KEYS: `k1:${short}` }, 'MASTER_KEYS must be a comma list of <id>:<base64 of 32 bytes>, the newest key first; entry 1 is not'],
    ['a key without an id', { MASTER_KEYS: `${MASTER_KEYS},${text(k1.key)}` }, 'MASTER_KEYS must be a comma list of <id>:<base64 of 32 bytes>, the newest key first; entry 3 is not'],
    ['an id with a dot', { MASTER_KEYS: `k.1:${text(k1.key)}` }, 'MASTER_KEYS must be a comma list of <id>:<base64 of 32 bytes>, the newest key first; entry 1 is not'],
    ['a key that is not base64', { MASTER_KEYS: `k1:${text(k1.key).slice(0, -1)}!` }, 'MASTER_KEYS must be a comma list of <id>:<base64 of 32 bytes>, the newest key first; entry 1 is not'],
    ['an id twice', { MASTER_KEYS: `k1:${text(k1.key)},k1:${text(k2.key)}` }, 'MASTER_KEYS and ENCRYPTION_KEYS must give each key an id of its own; k1 occurs twice'],
    ['the id of an earlier key', { ...ofLegacy, MASTER_KEYS: `old:${text(k1.key)}` }, 'MASTER_KEYS and ENCRYPTION_KEYS must give each key an id of its own; old occurs twice'],
    ['the entry legacy without earlier keys', { MASTER_KEYS: `${MASTER_KEYS},legacy` }, 'MASTER_KEYS has the entry legacy: set ENCRYPTION_KEYS and FINGERPRINT_KEY, or remove the entry'],
    ['the entry legacy twice', { ...ofLegacy, MASTER_KEYS: 'legacy,legacy' }, 'MASTER_KEYS must have the entry legacy at most once'],
    ['ENCRYPTION_KEYS alone', { ENCRYPTION_KEYS: ofLegacy.ENCRYPTION_KEYS }, 'ENCRYPTION_KEYS and FINGERPRINT_KEY must be set together, or both be empty'],
    ['FINGERPRINT_KEY alone', { FINGERPRINT_KEY: ofLegacy.FINGERPRINT_KEY, MASTER_KEYS }, 'ENCRYPTION_KEYS and FINGERPRINT_KEY must be set together, or both be empty'],
    ['a short FINGERPRINT_KEY', { ...ofLegacy, FINGERPRINT_KEY: short }, 'FINGERPRINT_KEY must be base64 of 32 bytes'],
  ])('are refused: %s', (_what, variables, message) => {
    expect(() => parseServiceKeys(variables)).toThrow(new Error(message));
  });

  it('are checked when a process starts, and no error shows a key', () => {
    const environment = {
      DATABASE_URL: 'postgres://localhost/x', REDIS_URL: 'redis://localhost', TEMPORAL_ADDRESS: 'localhost:7233', SMTP_URL: 'smtp://localhost', FILE_STORE_URL: 'file:///tmp/x',
      PLATFORM_TOKEN: 'x'.repeat(32),
    };
    expect(readSettings({ ...environment, MASTER_KEYS }).keys).toEqual([k2, k1]);
    const read = (): unknown => readSettings({ ...environment, MASTER_KEYS: `k1:${short}` });
    expect(read).toThrow('entry 1 is not');
    expect(read).not.toThrow(short);
  });
});

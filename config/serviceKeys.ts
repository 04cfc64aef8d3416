import { commaList } from '../lib/commaList';

/** One key of 32 bytes, named by its id. */
export interface NamedKey {
  id: string;
  key: Buffer;
}

/** A key of `MASTER_KEYS`: a key for each purpose is derived from it. */
export interface MasterKey extends NamedKey {
  kind: 'master';
}

/** The keys of 0.9.0 and earlier, used as they are: the first of the list encrypts, all of them decrypt; the other one signs. */
export interface LegacyKeys {
  kind: 'legacy';
  encryptionKeys: NamedKey[];
  fingerprintKey: Buffer;
}

/** The keys of the service; the first one is used for new values, all of them read existing ones. */
export type ServiceKeys = readonly [MasterKey | LegacyKeys, ...(MasterKey | LegacyKeys)[]];

type KeyVariables = Readonly<Partial<Record<'MASTER_KEYS' | 'ENCRYPTION_KEYS' | 'FINGERPRINT_KEY', string | undefined>>>;

/** The entry of `MASTER_KEYS` that stands for the keys of the earlier variables. */
const legacyEntry = 'legacy';

/** Never names the text of an entry: it is a secret. */
function parseKey(variable: string, entry: string, position: number): NamedKey {
  const [id = '', base64 = '', ...rest] = entry.split(':');
  const key = Buffer.from(base64, 'base64');
  if (rest.length > 0 || !/^[A-Za-z0-9_-]{1,32}$/.test(id) || key.length !== 32 || key.toString('base64') !== base64) {
    throw new Error(`${variable} must be a comma list of <id>:<base64 of 32 bytes>, the newest key first; entry ${position} is not`);
  }
  return { id, key };
}

const parseKeys = (variable: string, entries: readonly string[]): NamedKey[] => entries.map((entry, index) => parseKey(variable, entry, index + 1));

function parseLegacyKeys({ ENCRYPTION_KEYS, FINGERPRINT_KEY }: KeyVariables): LegacyKeys | undefined {
  const entries = commaList(ENCRYPTION_KEYS);
  const fingerprint = FINGERPRINT_KEY?.trim() ?? '';
  if (entries.length === 0 && fingerprint === '') return undefined;
  if (entries.length === 0 || fingerprint === '') throw new Error('ENCRYPTION_KEYS and FINGERPRINT_KEY must be set together, or both be empty');
  const fingerprintKey = Buffer.from(fingerprint, 'base64');
  if (fingerprintKey.length !== 32 || fingerprintKey.toString('base64') !== fingerprint) throw new Error('FINGERPRINT_KEY must be base64 of 32 bytes');
  return { kind: 'legacy', encryptionKeys: parseKeys('ENCRYPTION_KEYS', entries), fingerprintKey };
}

function requireDistinct(variables: string, ids: readonly string[]): void {
  const repeated = ids.find((id, index) => ids.indexOf(id) < index);
  if (repeated !== undefined) throw new Error(`${variables} must give each key an id of its own; ${repeated} occurs twice`);
}

/** Returns the keys of a comma list of `<id>:<base64 of 32 bytes>`, in its order. Throws an error that names the variable, never its value. */
export function parseNamedKeys(variable: string, value: string): NamedKey[] {
  const keys = parseKeys(variable, commaList(value));
  requireDistinct(variable, keys.map(({ id }) => id));
  return keys;
}

/**
 * Returns the keys of these variables, those for new values first. `MASTER_KEYS` lists the newest key first. The keys of
 * `ENCRYPTION_KEYS` and `FINGERPRINT_KEY` follow all of them, unless the list has the entry `legacy`, which is their place in
 * it. Without `MASTER_KEYS` they are the only ones. Throws an error that names the wrong variable, never its value.
 */
export function parseServiceKeys(variables: KeyVariables): ServiceKeys {
  const legacy = parseLegacyKeys(variables);
  const entries = commaList(variables.MASTER_KEYS);
  const placed = entries.filter((entry) => entry === legacyEntry).length;
  if (placed > 1) throw new Error(`MASTER_KEYS must have the entry ${legacyEntry} at most once`);
  if (placed === 1 && legacy === undefined) throw new Error(`MASTER_KEYS has the entry ${legacyEntry}: set ENCRYPTION_KEYS and FINGERPRINT_KEY, or remove the entry`);
  const listed = entries.map((entry, index): MasterKey | LegacyKeys => {
    if (entry === legacyEntry && legacy !== undefined) return legacy;
    return { kind: 'master', ...parseKey('MASTER_KEYS', entry, index + 1) };
  });
  const [first, ...others] = placed === 0 && legacy !== undefined ? [...listed, legacy] : listed;
  if (first === undefined) throw new Error('MASTER_KEYS must be set, or ENCRYPTION_KEYS and FINGERPRINT_KEY of an earlier release');
  const keys: ServiceKeys = [first, ...others];
  requireDistinct('MASTER_KEYS and ENCRYPTION_KEYS', keys.flatMap((key) => (key.kind === 'master' ? [key.id] : key.encryptionKeys.map(({ id }) => id))));
  return keys;
}

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../config/settings';

const environment = {
  DATABASE_URL: 'postgres://127.0.0.1/x', REDIS_URL: 'redis://127.0.0.1', TEMPORAL_ADDRESS: '127.0.0.1:7233', SMTP_URL: 'smtp://127.0.0.1', FILE_STORE_URL: 'file:///tmp/files',
  MASTER_KEYS: `m1:${Buffer.alloc(32, 1).toString('base64')}`, PLATFORM_TOKEN: 'f'.repeat(64),
};
const read = (more: Record<string, string> = {}) => readSettings({ ...environment, ...more });

const folder = mkdtempSync(join(tmpdir(), 'temporal-settings-'));
const file = (name: string, content = 'content'): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const ca = file('ca.crt');
const cert = file('client.crt');
const key = file('client.key');
const apiKey = file('api-key');
const keyText = (byte: number): string => Buffer.alloc(32, byte).toString('base64');

describe('the connection to Temporal', () => {
  it('is plain, without credentials and codec, by default', () => {
    expect(read()).toMatchObject({ temporalTls: null, temporalApiKeyFile: null, temporalCodecKeys: [] });
  });

  it('is verified by public authorities with TEMPORAL_TLS alone', () => {
    expect(read({ TEMPORAL_TLS: 'true' }).temporalTls).toEqual({ serverName: null, caFile: null, client: null });
  });

  it('has the server name, authority, certificate and API key that are set', () => {
    const set = { TEMPORAL_TLS: 'true', TEMPORAL_TLS_SERVER_NAME: 'temporal.example', TEMPORAL_TLS_CA_FILE: ca, TEMPORAL_TLS_CERT_FILE: cert, TEMPORAL_TLS_KEY_FILE: key, TEMPORAL_API_KEY_FILE: apiKey };
    expect(read(set)).toMatchObject({ temporalTls: { serverName: 'temporal.example', caFile: ca, client: { certFile: cert, keyFile: key } }, temporalApiKeyFile: apiKey });
  });

  it.each([
    ['TEMPORAL_TLS_CERT_FILE', { TEMPORAL_TLS_CERT_FILE: cert }, 'TEMPORAL_TLS_KEY_FILE'],
    ['TEMPORAL_TLS_KEY_FILE', { TEMPORAL_TLS_KEY_FILE: key }, 'TEMPORAL_TLS_CERT_FILE'],
  ])('does not take %s without its other half', (name, set, missing) => {
    expect(() => read({ TEMPORAL_TLS: 'true', ...set })).toThrow(`${name} is set; so must be ${missing}`);
  });

  it.each([
    ['TEMPORAL_TLS_SERVER_NAME', 'temporal.example'],
    ['TEMPORAL_TLS_CA_FILE', ca],
    ['TEMPORAL_API_KEY_FILE', apiKey],
  ])('does not take %s without TLS', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(`${name} is set; so TEMPORAL_TLS must be true`);
  });

  it.each(['TEMPORAL_TLS_CA_FILE', 'TEMPORAL_API_KEY_FILE'])('needs a file with content behind %s, and never shows what is in it', (name) => {
    const missing = join(folder, 'missing');
    expect(() => read({ TEMPORAL_TLS: 'true', [name]: missing })).toThrow(`${name} must name a file that can be read; ${missing} cannot (ENOENT)`);
    const empty = file('empty', '\n');
    expect(() => read({ TEMPORAL_TLS: 'true', [name]: empty })).toThrow(`${name} must name a file that is not empty; ${empty} is`);
  });
});

describe('the keys of payloads', () => {
  it('are a list, the key for new payloads first', () => {
    expect(read({ TEMPORAL_CODEC_KEYS: `p2:${keyText(2)}, p1:${keyText(1)}` }).temporalCodecKeys).toEqual([
      { id: 'p2', key: Buffer.alloc(32, 2) },
      { id: 'p1', key: Buffer.alloc(32, 1) },
    ]);
  });

  it('may follow the entry plain, which encrypts nothing', () => {
    expect(read({ TEMPORAL_CODEC_KEYS: `plain, p1:${keyText(1)}` }).temporalCodecKeys).toEqual(['plain', { id: 'p1', key: Buffer.alloc(32, 1) }]);
    expect(() => read({ TEMPORAL_CODEC_KEYS: 'plain' })).toThrow('TEMPORAL_CODEC_KEYS has the entry plain alone: add the keys that decrypt, or leave it empty');
    expect(() => read({ TEMPORAL_CODEC_KEYS: `p1:${keyText(1)},plain` })).toThrow('entry 2 is not');
  });

  it('have 32 bytes and ids of their own, and are never shown', () => {
    expect(() => read({ TEMPORAL_CODEC_KEYS: `p1:${keyText(1).slice(4)}` })).toThrow(/^TEMPORAL_CODEC_KEYS must be a comma list of <id>:<base64 of 32 bytes>, the newest key first; entry 1 is not$/);
    expect(() => read({ TEMPORAL_CODEC_KEYS: `p1:${keyText(1)},p1:${keyText(2)}` })).toThrow('TEMPORAL_CODEC_KEYS must give each key an id of its own; p1 occurs twice');
  });
});

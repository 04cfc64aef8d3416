import { readFileSync } from 'node:fs';
import Joi from 'joi';
import { parseNamedKeys, type NamedKey } from './serviceKeys';

/** How connections to Temporal are encrypted; the files are read again when they change. */
export interface TemporalTls {
  /** The name in the server's certificate, if that is not the one of its address. */
  serverName: string | null;
  /** The authorities that the server's certificate may be of; null for the public ones. */
  caFile: string | null;
  /** What the service identifies itself by (mTLS); null for a server that does not ask. */
  client: { certFile: string; keyFile: string } | null;
}

/** The entry of the keys of payloads that encrypts nothing: the others are known before the first of them is used, or after the last. */
export const plainEntry = 'plain';

/** The keys of payloads: the first entry is for new ones, all of them decrypt. */
export type PayloadKeys = readonly (NamedKey | typeof plainEntry)[];

/** How a process reaches Temporal. */
export interface TemporalSettings {
  temporalAddress: string;
  /** Null for connections without TLS. */
  temporalTls: TemporalTls | null;
  /** The file with the API key that every call is sent with, read again when it changes; null without one. */
  temporalApiKeyFile: string | null;
  temporalNamespace: string;
  temporalUiUrl: string;
  /** Without any, payloads are stored as they are. */
  temporalCodecKeys: PayloadKeys;
}

/** The variables of Temporal, with their allowed values and their defaults. */
export const temporalVariables = {
  TEMPORAL_ADDRESS: Joi.string().required(),
  TEMPORAL_TLS: Joi.boolean().default(false),
  TEMPORAL_TLS_SERVER_NAME: Joi.string().allow('').default(''),
  TEMPORAL_TLS_CA_FILE: Joi.string().allow('').default(''),
  TEMPORAL_TLS_CERT_FILE: Joi.string().allow('').default(''),
  TEMPORAL_TLS_KEY_FILE: Joi.string().allow('').default(''),
  TEMPORAL_API_KEY_FILE: Joi.string().allow('').default(''),
  // Of the production profile alone.
  TEMPORAL_ALLOW_PLAINTEXT: Joi.boolean().default(false),
  TEMPORAL_NAMESPACE: Joi.string().default('default'),
  TEMPORAL_UI_URL: Joi.string().uri({ scheme: ['http', 'https'] }).default('http://127.0.0.1:8233'),
  TEMPORAL_CODEC_KEYS: Joi.string().allow('').default(''),
};

/** What may be set only with TEMPORAL_TLS: without it, it would have no effect, or be sent as plain text. */
const onlyWithTls = ['TEMPORAL_TLS_SERVER_NAME', 'TEMPORAL_TLS_CA_FILE', 'TEMPORAL_TLS_CERT_FILE', 'TEMPORAL_TLS_KEY_FILE', 'TEMPORAL_API_KEY_FILE'] as const;
const files = ['TEMPORAL_TLS_CA_FILE', 'TEMPORAL_TLS_CERT_FILE', 'TEMPORAL_TLS_KEY_FILE', 'TEMPORAL_API_KEY_FILE'] as const;

/** Fails for a file that cannot be read or is empty: the process would find out at its first call. Never shows what is in it. */
function requireContent(variable: string, path: string): void {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new Error(`${variable} must name a file that can be read; ${path} cannot (${code})`, { cause: error });
  }
  if (content.trim() === '') throw new Error(`${variable} must name a file that is not empty; ${path} is`);
}

function parseTls(text: (name: string) => string, isOn: boolean): TemporalTls | null {
  const [certFile, keyFile] = [text('TEMPORAL_TLS_CERT_FILE'), text('TEMPORAL_TLS_KEY_FILE')];
  if ((certFile === '') !== (keyFile === '')) {
    const [set, missing] = certFile === '' ? ['TEMPORAL_TLS_KEY_FILE', 'TEMPORAL_TLS_CERT_FILE'] : ['TEMPORAL_TLS_CERT_FILE', 'TEMPORAL_TLS_KEY_FILE'];
    throw new Error(`${set} is set; so must be ${missing}`);
  }
  if (!isOn) return null;
  return {
    serverName: text('TEMPORAL_TLS_SERVER_NAME') || null,
    caFile: text('TEMPORAL_TLS_CA_FILE') || null,
    client: certFile === '' ? null : { certFile, keyFile },
  };
}

/** Parses `TEMPORAL_CODEC_KEYS`; the entry `plain` may come first, before keys. */
function parsePayloadKeys(value: string): PayloadKeys {
  const [first = '', ...rest] = value.split(',');
  if (first.trim() !== plainEntry) return parseNamedKeys('TEMPORAL_CODEC_KEYS', value);
  const keys = parseNamedKeys('TEMPORAL_CODEC_KEYS', rest.join());
  if (keys.length === 0) throw new Error(`TEMPORAL_CODEC_KEYS has the entry ${plainEntry} alone: add the keys that decrypt, or leave it empty`);
  return [plainEntry, ...keys];
}

/** Returns how to reach Temporal by variables that {@link temporalVariables} has checked. The error names the wrong variable, never a key. */
export function parseTemporalSettings(text: (name: string) => string, isTlsOn: boolean): TemporalSettings {
  const withoutTls = isTlsOn ? undefined : onlyWithTls.find((name) => text(name) !== '');
  if (withoutTls !== undefined) throw new Error(`${withoutTls} is set; so TEMPORAL_TLS must be true`);
  const temporalTls = parseTls(text, isTlsOn);
  for (const name of files) if (text(name) !== '') requireContent(name, text(name));
  return {
    temporalAddress: text('TEMPORAL_ADDRESS'),
    temporalTls,
    temporalApiKeyFile: text('TEMPORAL_API_KEY_FILE') || null,
    temporalNamespace: text('TEMPORAL_NAMESPACE'),
    temporalUiUrl: text('TEMPORAL_UI_URL'),
    temporalCodecKeys: parsePayloadKeys(text('TEMPORAL_CODEC_KEYS')),
  };
}

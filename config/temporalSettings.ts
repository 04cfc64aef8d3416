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

/** How a process reaches Temporal. */
export interface TemporalSettings {
  temporalAddress: string;
  /** Null for connections without TLS. */
  temporalTls: TemporalTls | null;
  /** The file with the API key that every call is sent with, read again when it changes; null without one. */
  temporalApiKeyFile: string | null;
  temporalNamespace: string;
  temporalUiUrl: string;
  /** The keys of payloads, that for new ones first; without any, payloads are stored as they are. */
  temporalCodecKeys: readonly NamedKey[];
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
    temporalCodecKeys: parseNamedKeys('TEMPORAL_CODEC_KEYS', text('TEMPORAL_CODEC_KEYS')),
  };
}

import { createSecureContext } from 'node:tls';
import type { TLSConfig } from '@temporalio/common/lib/internal-non-workflow';
import type { TemporalTls } from '../../config/temporalSettings';
import { valueOfFiles, type ChangingFilesOptions } from '../../lib/changingFiles';

/** How a process identifies itself to Temporal, and whom it trusts. */
export interface CredentialOptions {
  /** Null, as by default: without TLS. */
  tls?: TemporalTls | null;
  /** Null, as by default: without an API key. */
  apiKeyFile?: string | null;
  /** Called when files have changed and cannot be used, or Temporal refuses what they have; what they had before is used on. */
  onFilesUnusable?: (error: Error) => void;
}

/** Certificates and API key as their files have them. */
export interface TemporalCredentials {
  /** Returns what connections are encrypted by, false for none; another object once a file has changed. */
  tls: () => TLSConfig | false;
  /** Returns the API key; undefined without one. */
  apiKey: (() => string) | undefined;
}

/** How often files are looked at, in ms. */
const checkEveryMs = 1_000;

function parseApiKey([content]: readonly Buffer[]): string {
  const key = content?.toString('utf8').trim() ?? '';
  if (key === '') throw new Error('The file of the API key is empty');
  return key;
}

function tlsReader({ serverName, caFile, client }: TemporalTls, options: ChangingFilesOptions): () => TLSConfig {
  const paths = [...(caFile === null ? [] : [caFile]), ...(client === null ? [] : [client.certFile, client.keyFile])];
  const parse = (contents: readonly Buffer[]): TLSConfig => {
    const rest = [...contents];
    const ca = caFile === null ? undefined : rest.shift();
    const [crt, key] = rest;
    // Refuses a certificate that does not belong to the key: one of the two files has been written already, the other has not.
    createSecureContext({ ca, cert: crt, key });
    return {
      ...(serverName === null ? {} : { serverNameOverride: serverName }),
      ...(ca === undefined ? {} : { serverRootCACertificate: ca }),
      ...(crt === undefined || key === undefined ? {} : { clientCertPair: { crt, key } }),
    };
  };
  return valueOfFiles(paths, parse, options);
}

/** Reads certificates and API key, and again when their files change. Fails if one cannot be read now. */
export function readCredentials({ tls = null, apiKeyFile = null, onFilesUnusable = () => undefined }: CredentialOptions): TemporalCredentials {
  const options = { checkEveryMs, onError: onFilesUnusable };
  return {
    tls: tls === null ? () => false : tlsReader(tls, options),
    apiKey: apiKeyFile === null ? undefined : valueOfFiles([apiKeyFile], parseApiKey, options),
  };
}

import { fileURLToPath } from 'node:url';

/** The file store: a folder that all processes share, or a bucket of S3 or of a server with the same protocol. */
export type FileStoreSettings =
  | { kind: 'folder'; folder: string }
  /** Without an endpoint, Amazon's own for the region. */
  | { kind: 's3'; bucket: string; region: string; endpoint: string | null };

const expectedFormat = 'FILE_STORE_URL must be file:///path or s3://bucket?region=…&endpoint=https://…';

function parseS3Url(url: URL): FileStoreSettings {
  const { region = 'us-east-1', endpoint = null, ...others } = Object.fromEntries(url.searchParams) as Record<string, string | undefined>;
  const isBareBucket = url.username === '' && url.password === '' && url.port === '' && ['', '/'].includes(url.pathname);
  const hasKnownParameters = Object.keys(others).length === 0 && (endpoint === null || /^https?:\/\/[^/?#@]+\/?$/.test(endpoint));
  if (!isBareBucket || !hasKnownParameters || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname)) throw new Error(expectedFormat);
  return { kind: 's3', bucket: url.hostname, region, endpoint };
}

/** Reads FILE_STORE_URL: `file:///path`, or `s3://bucket` with the parameters `region` (us-east-1) and `endpoint` (Amazon's). Throws naming both forms. */
export function parseFileStoreUrl(text: string): FileStoreSettings {
  const url = new URL(text);
  if (url.protocol === 's3:') return parseS3Url(url);
  if (url.protocol !== 'file:' || url.hostname !== '' || url.search !== '' || url.pathname === '/') throw new Error(expectedFormat);
  return { kind: 'folder', folder: fileURLToPath(url) };
}

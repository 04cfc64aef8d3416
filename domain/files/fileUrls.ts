import { timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../secrets/secretBox';

/** How long a signed URL is good, in seconds (section Limits). */
export const fileUrlSeconds = 3_600;

type Fingerprints = Pick<SecretBox, 'fingerprint'>;

/** The moment until which a URL signed at `now` is good, in Unix seconds; never more than an hour away. */
export const urlExpiry = (now: Date): number => Math.floor(now.getTime() / 1_000) + fileUrlSeconds;

/** The hex signature of one file's URL and its expiry (Unix seconds). */
export function signFileUrl(secrets: Fingerprints, id: string, expires: number): string {
  return secrets.fingerprint('file_url', `${id}\0${expires}`).toString('hex');
}

/** Whether these are the expiry and signature that we gave out for this file, and the time has not come. Compared in constant time. */
export function isSignedFileUrl(secrets: Fingerprints, { id, expires, signature }: { id: string; expires: string; signature: string }, now: Date): boolean {
  if (!/^\d{1,12}$/.test(expires) || !/^[0-9a-f]{64}$/.test(signature)) return false;
  const good = timingSafeEqual(Buffer.from(signature), Buffer.from(signFileUrl(secrets, id, Number(expires))));
  return good && now.getTime() < Number(expires) * 1_000;
}

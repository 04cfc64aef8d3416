import type { SecretBox } from '../secrets/secretBox';

/** The encrypted secrets of an endpoint, as stored. */
export interface SealedSecrets {
  secret_sealed: string;
  previous_secret_sealed: string | null;
  previous_secret_expires_at: Date | null;
}

/** Returns the secrets that sign an attempt at `now`, newest first; the previous one only within its grace period. */
export function signingSecrets(secrets: SecretBox, sealed: SealedSecrets, now: Date): string[] {
  const current = secrets.open(sealed.secret_sealed);
  const inGrace = sealed.previous_secret_expires_at !== null && sealed.previous_secret_expires_at > now;
  return sealed.previous_secret_sealed !== null && inGrace ? [current, secrets.open(sealed.previous_secret_sealed)] : [current];
}

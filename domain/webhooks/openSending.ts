import type { ClaimedDelivery } from '../../db/repositories/webhooks/sending';
import type { SecretBox } from '../secrets/secretBox';
import { openHeaders, type CustomHeaders } from './customHeaders';

/** What an endpoint's attempts are sent with, as stored: sealed. */
export type SealedSending = Pick<
  ClaimedDelivery,
  'secret_sealed' | 'previous_secret_sealed' | 'previous_secret_expires_at' | 'signing_key_sealed' | 'previous_signing_key_sealed' | 'headers_sealed'
>;

/** What an attempt is sent with: secrets and keys that sign it, newest first, and the headers of the endpoint's owner. */
export interface OpenedSending {
  secrets: string[];
  signingKeys: string[];
  customHeaders: CustomHeaders;
}

/** Opens what an attempt at `now` is sent with; the previous secret and key only within their grace period. */
export function openSending(box: SecretBox, sealed: SealedSending, now: Date): OpenedSending {
  const inGrace = sealed.previous_secret_expires_at !== null && sealed.previous_secret_expires_at > now;
  const open = (current: string | null, previous: string | null): string[] =>
    [current, inGrace ? previous : null].flatMap((value) => (value === null ? [] : [box.open(value)]));
  return {
    secrets: open(sealed.secret_sealed, sealed.previous_secret_sealed),
    signingKeys: open(sealed.signing_key_sealed, sealed.previous_signing_key_sealed),
    customHeaders: openHeaders(box, sealed.headers_sealed),
  };
}

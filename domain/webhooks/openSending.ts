import type { ClaimedDelivery } from '../../db/repositories/webhooks/sending';
import type { SecretBox } from '../secrets/secretBox';
import { openHeaders, type CustomHeaders } from './customHeaders';
import { endpointPlace } from './endpointPlace';

/** What an endpoint's attempts are sent with, as stored: sealed. */
export type SealedSending = Pick<
  ClaimedDelivery,
  'institution_id' | 'endpoint_id' | 'secret_sealed' | 'previous_secret_sealed' | 'previous_secret_expires_at' | 'signing_key_sealed' | 'previous_signing_key_sealed' | 'headers_sealed'
>;

type SigningColumn = 'secret_sealed' | 'previous_secret_sealed' | 'signing_key_sealed' | 'previous_signing_key_sealed';

/** What an attempt is sent with: secrets and keys that sign it, newest first, and the headers of the endpoint's owner. */
export interface OpenedSending {
  secrets: string[];
  signingKeys: string[];
  customHeaders: CustomHeaders;
}

/** Opens what an attempt at `now` is sent with; the previous secret and key only within their grace period. */
export function openSending(box: SecretBox, sealed: SealedSending, now: Date): OpenedSending {
  const inGrace = sealed.previous_secret_expires_at !== null && sealed.previous_secret_expires_at > now;
  const endpoint = { institutionId: sealed.institution_id, id: sealed.endpoint_id };
  const open = (...columns: readonly SigningColumn[]): string[] =>
    columns.flatMap((column) => {
      const value = sealed[column];
      return value === null ? [] : [box.open(value, endpointPlace(endpoint, column))];
    });
  return {
    secrets: inGrace ? open('secret_sealed', 'previous_secret_sealed') : open('secret_sealed'),
    signingKeys: inGrace ? open('signing_key_sealed', 'previous_signing_key_sealed') : open('signing_key_sealed'),
    customHeaders: openHeaders(box, endpoint, sealed.headers_sealed),
  };
}

import type { EndpointEntity } from '../../db/entities/endpoint';
import type { SecretBox } from '../secrets/secretBox';
import { endpointPlace, moveToColumn, type EndpointReference } from './endpointPlace';
import { newSigningKey } from './signingKeys';

/** How attempts are signed: by HMAC with the shared secret alone, or by an Ed25519 key of the endpoint, too. */
export const signatureSchemes = ['hmac', 'ed25519'] as const;
export type SignatureScheme = (typeof signatureSchemes)[number];

/** The columns of an endpoint's key. */
export type SigningKeyColumns = Pick<EndpointEntity, 'signingKeySealed' | 'publicKey' | 'previousSigningKeySealed' | 'previousPublicKey'>;

const withoutKey: SigningKeyColumns = { signingKeySealed: null, publicKey: null, previousSigningKeySealed: null, previousPublicKey: null };

/** Returns the scheme of an endpoint: one with a key signs with it. */
export const schemeOf = ({ publicKey }: Pick<EndpointEntity, 'publicKey'>): SignatureScheme => (publicKey === null ? 'hmac' : 'ed25519');

/** Returns the columns of a newly chosen scheme: a new key, or none. */
export function columnsOfScheme(secrets: SecretBox, endpoint: EndpointReference, scheme: SignatureScheme): SigningKeyColumns {
  if (scheme === 'hmac') return withoutKey;
  const { privateKey, publicKey } = newSigningKey();
  return { ...withoutKey, signingKeySealed: secrets.seal(privateKey, endpointPlace(endpoint, 'signing_key_sealed')), publicKey };
}

/** Returns the columns after a rotation: a new key if there was one, with the old one if there is a grace. */
export function rotatedColumns(secrets: SecretBox, endpoint: SigningKeyColumns & EndpointReference, { grace }: { grace: boolean }): SigningKeyColumns {
  const columns = columnsOfScheme(secrets, endpoint, schemeOf(endpoint));
  if (!grace) return columns;
  const previousSigningKeySealed = moveToColumn(secrets, endpoint, endpoint.signingKeySealed, 'signing_key_sealed', 'previous_signing_key_sealed');
  return { ...columns, previousSigningKeySealed, previousPublicKey: endpoint.publicKey };
}

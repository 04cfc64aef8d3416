import { timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../secrets/secretBox';

/** The id prefix of what invitations belong to: a guardian link or a developer. */
type InvitationKind = 'gdn' | 'dev';

const purposes = { gdn: 'guardian_invitation', dev: 'developer_invitation' } as const satisfies Record<InvitationKind, string>;

/** One invitation: the id it belongs to, and its number from 1. */
interface InvitationNumber {
  id: string;
  invitation: number;
}

export type Fingerprinter = Pick<SecretBox, 'fingerprint'>;
export type Verifier = Pick<SecretBox, 'fingerprints'>;

const signedText = ({ id, invitation }: InvitationNumber): string => `${id}\0${invitation}`;

/** Returns the token in an invitation's email. It is not stored, but derived from the keys again. */
export function createInvitationToken(secrets: Fingerprinter, as: InvitationKind, invited: InvitationNumber): string {
  const mac = secrets.fingerprint(purposes[as], signedText(invited)).toString('base64url');
  return `${invited.id}.${invited.invitation}.${mac}`;
}

/** Returns the invitation of a token that the service issued; undefined for any other text. Compares in constant time, with the signature by each key. */
export function verifyInvitationToken(secrets: Verifier, as: InvitationKind, token: string): InvitationNumber | undefined {
  const [, id = '', number = '', mac = ''] = /^([a-z]+_[0-9a-z]{1,40})\.([1-9]\d{0,8})\.([\w-]{43})$/.exec(token) ?? [];
  if (!id.startsWith(`${as}_`)) return undefined;
  const invited = { id, invitation: Number(number) };
  const valid = secrets.fingerprints(purposes[as], signedText(invited));
  return valid.some((one) => timingSafeEqual(Buffer.from(mac), Buffer.from(one.toString('base64url')))) ? invited : undefined;
}

import { timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../secrets/secretBox';

/** What somebody is invited to be, by the prefix of the id that their invitations are of. */
type InvitedAs = 'gdn' | 'dev';

const purposes = { gdn: 'guardian_invitation', dev: 'developer_invitation' } as const satisfies Record<InvitedAs, string>;

/** One invitation: of what, and its number from 1. */
interface Numbered {
  id: string;
  invitation: number;
}

export type Fingerprints = Pick<SecretBox, 'fingerprint'>;

const macOf = (secrets: Fingerprints, as: InvitedAs, { id, invitation }: Numbered): string =>
  secrets.fingerprint(purposes[as], `${id}\0${invitation}`).toString('base64url');

/** The token that an invitation's letter carries. It is kept nowhere: whoever has the keys makes it anew. */
export function tokenOf(secrets: Fingerprints, as: InvitedAs, invited: Numbered): string {
  return `${invited.id}.${invited.invitation}.${macOf(secrets, as, invited)}`;
}

/** The invitation of a token that we made; undefined for any other text. Compared in constant time. */
export function readToken(secrets: Fingerprints, as: InvitedAs, token: string): Numbered | undefined {
  const [, id = '', number = '', mac = ''] = /^([a-z]+_[0-9a-z]{1,40})\.([1-9]\d{0,8})\.([\w-]{43})$/.exec(token) ?? [];
  if (!id.startsWith(`${as}_`)) return undefined;
  const invited = { id, invitation: Number(number) };
  return timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(secrets, as, invited))) ? invited : undefined;
}

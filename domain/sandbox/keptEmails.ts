import Joi from 'joi';
import { insertSandboxEmail, type SandboxEmailRow } from '../../db/repositories/sandbox/emails';
import type { SandboxRow } from '../../db/repositories/sandbox/sandboxes';
import type { Domain } from '../context';
import type { EmailMessage } from '../emails/email';
import type { EmailPurpose } from '../emails/emailPurpose';
import { newId } from '../ids';
import type { SecretBox } from '../secrets/secretBox';
import type { SealContext } from '../secrets/sealContext';

/** The content of a kept email, without its address. */
interface KeptEmail {
  subject: string;
  text: string;
  links: string[];
}

const keptEmailShape = Joi.object<KeptEmail, true>({
  subject: Joi.string().allow('').required(),
  text: Joi.string().allow('').required(),
  links: Joi.array().items(Joi.string()).required(),
}).required();

const link = /https?:\/\/[^\s<>"]+/g;

const placeOf = (institutionId: string, id: string): SealContext => ({ institutionId, table: 'sandbox_emails', column: 'email_sealed', rowId: id });

/** What stands in a kept email where the email names the recipient's address. */
const addressRemoved = '(address)';

/**
 * Keeps an email of a sandbox instead of sending it, sealed and without its address; a repetition of the same message changes
 * nothing. `now` is real time. No-op while the sandbox is being erased.
 */
export async function keepEmail(
  { database, secrets }: Pick<Domain, 'database' | 'secrets'>,
  { clock_offset_ms, is_erasing }: SandboxRow,
  { to, subject, text, messageId }: EmailMessage,
  { institutionId, kind, recipient }: EmailPurpose,
  now: Date,
): Promise<void> {
  if (is_erasing) return;
  const kept: KeptEmail = { subject: withoutAddress(subject, to), text: withoutAddress(text, to), links: text.match(link) ?? [] };
  const id = newId('eml');
  await insertSandboxEmail(database.sql, institutionId, {
    id,
    message_id: messageId,
    kind,
    recipient_kind: recipient.kind,
    recipient_id: recipient.id,
    email_sealed: secrets.seal(JSON.stringify(kept), placeOf(institutionId, id)),
    created_at: new Date(now.getTime() + clock_offset_ms),
  });
}

/** Returns the content of a kept email. */
export function openKeptEmail(secrets: Pick<SecretBox, 'open'>, institutionId: string, { id, email_sealed }: Pick<SandboxEmailRow, 'id' | 'email_sealed'>): KeptEmail {
  const content: unknown = JSON.parse(secrets.open(email_sealed, placeOf(institutionId, id)));
  return Joi.attempt(content, keptEmailShape);
}

function withoutAddress(text: string, address: string): string {
  const pattern = new RegExp(address.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
  return text.replaceAll(pattern, addressRemoved);
}

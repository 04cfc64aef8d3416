/**
 * The Message-ID of an email: the same each time that this email is sent. After the restore of a backup the database gives numbers
 * of notices and invitations a second time. Mail servers would drop the new email as a duplicate of the forgotten one with the
 * same number: the epoch, the newest that had begun when the email was requested, tells the two apart.
 */
export function toMessageId(parts: readonly (string | number)[], epoch: string | null, loginDomain: string): string {
  return `<${[...parts, ...(epoch === null ? [] : [epoch])].join('.')}@${loginDomain}>`;
}

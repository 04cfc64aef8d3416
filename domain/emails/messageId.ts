/**
 * The Message-ID of an email: the same each time that this email is sent. A restored database counts its notices and invitations
 * anew: the epoch, the newest that had begun when the email was first owed, keeps it apart from a forgotten one of the same
 * number, which mail servers would take it for.
 */
export function toMessageId(parts: readonly (string | number)[], epoch: string | null, loginDomain: string): string {
  return `<${[...parts, ...(epoch === null ? [] : [epoch])].join('.')}@${loginDomain}>`;
}

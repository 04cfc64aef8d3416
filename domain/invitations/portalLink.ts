/** Returns the portal's address with the token of an invitation; without a token if there is nothing left to accept. */
export function portalLink(portalUrl: string, token: string | undefined): string {
  const link = new URL(portalUrl);
  if (token !== undefined) link.searchParams.set('token', token);
  return link.href;
}

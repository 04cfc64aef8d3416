const startPage = '/console/institutions';

/** Returns a page of the console to open after the sign-in; the first page for any other path. */
export function safeReturnPath(wanted: string | null): string {
  const base = 'http://console.invalid';
  if (wanted === null || !URL.canParse(wanted, base)) return startPage;
  const { origin, pathname, search } = new URL(wanted, base);
  const own = origin === base && pathname.startsWith('/console/') && !pathname.startsWith('/console/sign-');
  return own ? pathname + search : startPage;
}

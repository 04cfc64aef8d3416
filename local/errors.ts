/** The code of a system error, such as EEXIST; undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** What a thrown value says; for a failed fetch, what its cause says. */
export function errorMessage(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error);
  if (error.message === 'fetch failed' && 'cause' in error) return errorMessage(error.cause);
  // A connection that was refused on each of several addresses has a code alone.
  return String(error.message) || (errorCode(error) ?? 'no reason given');
}

/** Returns why a text is not a relative path within a workspace on every system; undefined if it is. */
export function filePathError(path: string): string | undefined {
  if (!path.isWellFormed() || /[\u0000-\u001f\u007f-\u009f]/.test(path)) return 'must not contain control characters';
  if (path.includes('\\')) return 'must separate its parts with /, not with a backslash';
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'must be relative';
  const parts = path.split('/');
  if (parts.includes('..') || parts.includes('.')) return 'must not contain . or .. as a part';
  return parts.some((part) => part.trim() === '') ? 'must not contain an empty part' : undefined;
}

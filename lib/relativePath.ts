/** What keeps a text from being a relative path within a workspace, on whatever system; undefined when nothing does. */
export function filePathError(path: string): string | undefined {
  if (!path.isWellFormed() || /[\u0000-\u001f\u007f-\u009f]/.test(path)) return 'must not contain control characters';
  if (path.includes('\\')) return 'must have / between its parts, no backslash';
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'must be relative';
  const parts = path.split('/');
  if (parts.includes('..') || parts.includes('.')) return 'must not contain . or .. as a part';
  return parts.some((part) => part.trim() === '') ? 'must have no empty part' : undefined;
}

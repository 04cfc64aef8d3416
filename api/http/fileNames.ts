const maxLength = 255;

/** The name of a file as it is kept: the last part of a path, without control characters and those that turn the writing around. */
export function keptFilename(sent: string): { filename: string } | { fault: string } {
  const last = sent.split(/[/\\]/).at(-1) ?? '';
  const filename = last.toWellFormed().replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, '').trim();
  if (['', '.', '..'].includes(filename)) return { fault: 'must have a filename' };
  return filename.length > maxLength ? { fault: `must have a filename of at most ${maxLength} characters` } : { filename };
}

/** A content type as it is kept; one that is none is that of any bytes. */
export function keptContentType(sent: string): string {
  return /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i.test(sent) ? sent.toLowerCase() : 'application/octet-stream';
}

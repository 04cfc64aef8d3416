const maxStoredBytes = 4_096;

/**
 * The first 4 KiB of an answer as text that any database column takes: valid UTF-8 with what is not replaced by U+FFFD,
 * no NUL, at most 4,096 bytes after that, no character cut in half. Null when there was no body.
 */
export function responseText(chunks: readonly Buffer[]): string | null {
  if (chunks.length === 0) return null;
  const bytes = Buffer.concat(chunks, Math.min(maxStoredBytes, totalLength(chunks)));
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: bytes.length === maxStoredBytes }).replaceAll('\0', '');
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxStoredBytes));
  return text.slice(0, read);
}

function totalLength(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.length, 0);
}

/** A header's value with its control characters taken out, at most 200 characters; null when it is not there. */
export function headerText(value: string | string[] | undefined): string | null {
  const first = Array.isArray(value) ? value[0] : value;
  if (first === undefined) return null;
  return first.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '').slice(0, 200);
}

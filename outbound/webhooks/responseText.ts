const maxStoredBytes = 4_096;

/**
 * Returns the first 4 KiB of a response as text that Postgres can store: valid UTF-8 with invalid bytes replaced by U+FFFD,
 * no NUL, at most 4,096 bytes, no partial character. Null without a body.
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

/** Returns a header's value without control characters, at most 200 characters; null if it is absent. */
export function headerText(value: string | string[] | undefined): string | null {
  const first = Array.isArray(value) ? value[0] : value;
  if (first === undefined) return null;
  return first.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '').slice(0, 200);
}

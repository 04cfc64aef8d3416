const percentEncoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** The header by which a file is saved under its name, whatever its script (RFC 6266, RFC 8187); never shown in the browser. */
export function attachmentDisposition(filename: string): string {
  const plain = filename.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_');
  return plain === filename ? `attachment; filename="${plain}"` : `attachment; filename="${plain}"; filename*=UTF-8''${percentEncoded(filename)}`;
}

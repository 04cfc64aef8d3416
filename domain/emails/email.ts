/** A message to one mailbox; neither address nor text is ever logged. */
export interface EmailMessage {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The same for each attempt, so that repetitions are detected. */
  messageId: string;
}

const htmlEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes a text for the HTML of an email. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => htmlEntities[character] ?? '');
}

/** Returns the two forms of an email that has nothing but paragraphs. */
export const paragraphsBody = (paragraphs: readonly string[]): Pick<EmailMessage, 'text' | 'html'> => ({
  text: paragraphs.join('\n\n'),
  html: paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n'),
});

/** Formats a time for an email in the institution's time zone. */
export const formatDateTime = (time: Date, timeZone: string): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone }).format(time)} (${timeZone})`;

/** The same, and in UTC as logs have it. */
export const formatDateTimeWithUtc = (time: Date, timeZone: string): string => `${formatDateTime(time, timeZone)}, ${time.toISOString()} in UTC`;

/** Returns a text for a subject or a line of an email: line breaks become blanks, and nothing is parsed as encoded words. */
export function toSingleLine(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').replaceAll('=?', '= ?').trim();
}

/** A message to one mailbox, as a rule writes it; neither address nor text ever reaches a log. */
export interface EmailMessage {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The same one again is recognised as a repetition. */
  messageId: string;
}

const htmlEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as it may stand in the HTML of a letter. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => htmlEntities[character] ?? '');
}

/** A moment as a letter shows it, in the time zone of its institution. */
export const formatDateTime = (moment: Date, timeZone: string): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone }).format(moment)} (${timeZone})`;

/** A text as it may stand in a subject, or inside a line of a letter: what breaks lines becomes a blank, and nothing reads as encoded words. */
export function toSingleLine(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').replaceAll('=?', '= ?').trim();
}

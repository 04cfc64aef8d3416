import { escapeHtml, toSingleLine, type EmailMessage } from '../emails/email';

/** Returns text and HTML of an invitation's email: the paragraphs before the link, the link, and those after it. */
export function emailBody(opening: readonly string[], link: string, closing: readonly string[]): Pick<EmailMessage, 'text' | 'html'> {
  const before = opening.map(toSingleLine);
  const after = closing.map(toSingleLine);
  const anchor = `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`;
  return {
    text: [...before, `    ${link}`, ...after].join('\n\n'),
    html: [...before.map(paragraph), anchor, ...after.map(paragraph)].join('\n'),
  };
}

const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`;

import { html, type Html, type HtmlValue } from '../../../../lib/html';

const inline = /(`[^`]+`|\*\*[^*]+\*\*)/;

/** Returns a sentence with its code and its strong words as markup. */
export function sentence(text: string): HtmlValue {
  return text.split(inline).map((part) => {
    if (part.startsWith('`') && part.endsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    return part.startsWith('**') && part.endsWith('**') ? html`<strong>${part.slice(2, -2)}</strong>` : part;
  });
}

/** Returns paragraphs and lists of the documents' descriptions as markup. */
export function paragraphs(text: string): HtmlValue {
  return text.split('\n\n').map((block) => {
    const lines = block.split('\n');
    const isList = lines.every((line) => line.startsWith('- '));
    return isList ? html`<ul>${lines.map((line) => html`<li>${sentence(line.slice(2))}</li>`)}</ul>` : html`<p>${sentence(block)}</p>`;
  });
}

/** Returns a block of code with a name for those who cannot see it; it scrolls by keyboard. */
export function codeBlock(name: string, text: string, { className, label = name }: { className?: string; label?: string } = {}): Html {
  return html`<figure class="${className === undefined ? 'code' : `code ${className}`}"><figcaption>${name}<button type="button" class="copy" hidden>Copy</button></figcaption><pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre></figure>`;
}

/** Returns a value as indented JSON; lists of plain values take one line. */
export function prettyValue(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/\[\s+((?:"[^"\n]*"|[\d.]+)(?:,\s+(?:"[^"\n]*"|[\d.]+))*)\s+\]/g, (_all, items: string) => `[${items.replace(/\s*\n\s*/g, ' ')}]`);
}

import MarkdownIt from 'markdown-it';
import { Html } from '../../../../lib/html';
import { servedTarget, type Guide } from './guides';
import { codeBlock } from './texts';

type Tokens = ReturnType<MarkdownIt['parse']>;

/** The id of a heading, as GitHub makes it: links of the documents are made for both. */
const slugOf = (heading: string): string => heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replaceAll(' ', '-');

function addHeadingIds(tokens: Tokens): void {
  tokens.forEach((token, at) => {
    if (token.type === 'heading_open') token.attrSet('id', slugOf((tokens[at + 1]?.children ?? []).map(({ content }) => content).join('')));
  });
}

/** Leads links to served documents; the text alone stays of a link to one that is not served. */
function redirectLinks(tokens: Tokens, path: string): void {
  for (const { children } of tokens) {
    let dropped = false;
    for (const token of children ?? []) {
      if (token.type === 'link_close') token.hidden = dropped;
      if (token.type !== 'link_open') continue;
      const href = token.attrGet('href') ?? '';
      const isOwn = /^(https?:|#)/.test(href);
      const target = isOwn ? href : servedTarget(path, href);
      dropped = target === undefined;
      token.hidden = dropped;
      if (target !== undefined && !isOwn) token.attrSet('href', `../${target}`);
    }
  }
}

/** Returns a guide as markup; code blocks are those of the reference. HTML in the document is shown as text. */
export function renderGuide({ path, markdown }: Guide): Html {
  const parser = new MarkdownIt({ html: false });
  let blocks = 0;
  parser.renderer.rules.fence = (tokens, at) => {
    const { info = '', content = '' } = tokens[at] ?? {};
    blocks += 1;
    const [language = '', name = language] = info.split(' ');
    return codeBlock(name === '' ? 'Text' : name, content.trimEnd(), { label: `Code ${blocks}` }).text;
  };
  const tokens = parser.parse(markdown, {});
  addHeadingIds(tokens);
  redirectLinks(tokens, path);
  return new Html(parser.renderer.render(tokens, parser.options, {}));
}

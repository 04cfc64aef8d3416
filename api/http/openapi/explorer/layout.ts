import { html, type Html, type HtmlValue } from '../../../../lib/html';
import { locatedOperations, type OpenApiDocument } from '../document';
import { guideKeywords, type Guide } from './guides';
import { sentence } from './texts';

/** One line of the navigation. */
export interface NavigationEntry {
  /** Below `docs/`. */
  path: string;
  /** An HTTP method, `EVENT` or `GUIDE`. */
  method: string;
  label: string;
  /** What the filter searches in addition to the label. */
  keywords: string;
}

interface NavigationGroup {
  name: string;
  entries: NavigationEntry[];
}

/** What the pages show: the document of the API, and the guides. */
export interface Reference {
  document: OpenApiDocument;
  guides: readonly Guide[];
}

/** The guides, the operations by tag, then the events that are sent. */
function navigationGroups({ document, guides }: Reference): NavigationGroup[] {
  const { tags, webhooks = {} } = document;
  const operations = locatedOperations(document);
  const groups = tags.map(({ name }) => ({
    name,
    entries: operations.filter(({ operation }) => operation.tags.includes(name)).map(({ path, method, operation }) => ({
      path: `operations/${operation.operationId}`, method, label: path, keywords: `${operation.operationId} ${operation.summary}`,
    })),
  }));
  const events = Object.entries(webhooks).map(([type, { post }]) => ({ path: `events/${type}`, method: 'EVENT', label: type, keywords: `webhook ${post.summary}` }));
  const read = guides.map((guide) => ({ path: `guides/${guide.name}`, method: 'GUIDE', label: guide.title.replaceAll('`', ''), keywords: guideKeywords(guide) }));
  return [{ name: 'Guides', entries: read }, ...groups, { name: 'Events sent by webhooks', entries: events }];
}

/** What a page needs to be drawn. */
export interface Page {
  title: string;
  /** Where the page is, below `docs/`; empty for the first one. */
  path: string;
  content: HtmlValue;
}

/** The way from a page to what is below `docs/`. */
export const rootOf = (path: string): string => (path === '' ? 'docs/' : '../');

/** A path breaks between its words. */
const breakable = (label: string): HtmlValue => label.split('/').map((part, nth) => (nth === 0 ? html`${part}` : html`/<wbr>${part}`));

/** Returns a whole page: navigation with its filter, and the content. */
export function layout(reference: Reference, { title, path, content }: Page): Html {
  const { document } = reference;
  const root = rootOf(path);
  const entry = ({ path: target, method, label, keywords }: NavigationEntry): Html =>
    html`<li data-words="${`${method} ${label} ${keywords}`.toLowerCase()}"><a href="${root}${target}"${target === path && html` aria-current="page"`}><span class="method ${method.toLowerCase()}">${method}</span> <span>${breakable(label)}</span></a></li>`;
  const groups = navigationGroups(reference).map(({ name, entries }) =>
    html`<details class="group" name="${name}"${path === '' || entries.some((one) => one.path === path) ? html` open` : null}><summary>${name}</summary><ul>${entries.map(entry)}</ul></details>`);
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === document.info.title ? title : `${title} – ${document.info.title}`}</title>
<link rel="icon" type="image/png" href="${root}favicon-32x32.png">
<link rel="stylesheet" href="${root}explorer.css">
<script src="${root}explorer.js" defer></script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header><a class="brand" href="${path === '' ? 'docs' : '../../docs'}">${document.info.title}</a> <span class="version">${document.info.version}</span>
<nav aria-label="Documents"><a href="${root}try">Try calls</a> <a href="${path === '' ? '' : '../../'}openapi.json">OpenAPI</a></nav></header>
<div class="columns">
<nav class="operations" aria-label="Operations">
<details class="menu" open><summary>Guides, operations and events</summary>
<label for="filter">Filter <kbd>/</kbd></label><input id="filter" type="search" autocomplete="off" placeholder="students, POST, exam.graded …" aria-describedby="found">
<p id="found" role="status"></p>
${groups}
</details>
</nav>
<main id="content" tabindex="-1">
${content}
</main>
</div>
</body>
</html>
`;
}

/** Returns what the operations of each tag require. */
export function tagList({ tags }: OpenApiDocument): HtmlValue {
  return html`<dl>${tags.map(({ name, description }) => html`<dt>${name}</dt><dd>${sentence(description)}</dd>`)}</dl>`;
}

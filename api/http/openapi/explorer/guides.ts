import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { projectRoot } from '../../../../lib/projectRoot';
import { changesForIntegrators } from './changeLog';

/** A document for integrators, which the service serves next to the reference. */
export interface Guide {
  /** In its address: `docs/guides/<name>`. */
  name: string;
  /** From the project's root. */
  path: string;
  title: string;
  markdown: string;
}

/** Names by path, in the order of the navigation. The image has these files, as it has the compiled code. */
const guidePaths: Readonly<Record<string, string>> = {
  'docs/README.md': 'tasks',
  'docs/quickstart.md': 'quickstart',
  'clients/typescript/README.md': 'typescript',
  'clients/python/README.md': 'python',
  'docs/python-methods.md': 'python-methods',
  'docs/scopes.md': 'scopes',
  'docs/webhooks.md': 'webhooks',
  'docs/receivers.md': 'receivers',
  'docs/recovering.md': 'recovering',
  'docs/rotating-secrets.md': 'rotating-secrets',
  'docs/syncing.md': 'syncing',
  'docs/examples/roster-sync/README.md': 'roster-sync',
  'docs/coming-from.md': 'coming-from',
  'docs/idempotency.md': 'idempotency',
  'docs/errors.md': 'errors',
  'docs/sandbox.md': 'sandbox',
  'docs/cli.md': 'cli',
  'docs/exams.md': 'exams',
  'docs/grading.md': 'grading',
  'docs/guardians.md': 'guardians',
  'docs/merits.md': 'merits',
  'docs/alpha.md': 'alpha',
  'docs/licenses.md': 'licenses',
  'docs/first-sign-in.md': 'first-sign-in',
  'docs/devices.md': 'devices',
  'docs/erasure.md': 'erasure',
  'docs/export.md': 'export',
  'docs/disclosures.md': 'disclosures',
  'docs/retention.md': 'retention',
  'docs/offboarding.md': 'offboarding',
  'docs/portal.md': 'portal',
  'docs/versions.md': 'versions',
  'CHANGELOG.md': 'changes',
  'docs/glossary.md': 'glossary',
};

/** Files of `docs/` that guides link to, with their content types, served as they are. */
const fileTypes: Readonly<Record<string, string>> = {
  'docs/postman.json': 'application/json; charset=utf-8',
  ...Object.fromEntries(['sync.ts', 'roster.ts', 'sync.py', 'roster_api.py', 'schema.sql', 'roster.csv', 'package.json'].map((name) => [`docs/examples/roster-sync/${name}`, 'text/plain; charset=utf-8'])),
};

/** Titles in place of the first headings, which are the names of packages. */
const titles: Readonly<Record<string, string>> = { typescript: 'TypeScript client', python: 'Python client', changes: 'Change log' };

/** What integrators search that no heading has, by the guide's name. */
const searchWords: Readonly<Record<string, string>> = {
  disclosures: 'ferpa gdpr access log',
  erasure: 'gdpr delete right to be forgotten',
  errors: 'rate limit 429 retry backoff status',
  export: 'gdpr ferpa subject access portability',
  'first-sign-in': 'enrolment code login password activation go live checklist',
  idempotency: 'idempotency key retry duplicate',
  licenses: 'renew expire extend subscription',
  offboarding: 'leave cancel contract end delete institution read-only',
  quickstart: 'api key authentication getting started',
  syncing: 'pagination cursor polling export',
  versions: 'deprecation breaking compatibility support removal upgrade sdk',
  webhooks: 'signature secret',
};

/** Returns what the filter of the navigation searches for a guide: its name, its headings and words that they lack. */
export const guideKeywords = ({ name, markdown }: Guide): string =>
  [name, searchWords[name] ?? '', ...[...withoutCode(markdown).matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) => heading.replaceAll('`', ''))].join(' ');

const withoutCode = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```/gm, '');

const read = (path: string): string => readFileSync(join(projectRoot(), path), 'utf8');

/** Returns the guides of this release. */
export function readGuides(): Guide[] {
  return Object.entries(guidePaths).map(([path, name]) => {
    const markdown = name === 'changes' ? changesForIntegrators(read(path)) : read(path);
    return { name, path, markdown, title: titles[name] ?? /^# (.+)$/m.exec(markdown)?.[1] ?? name };
  });
}

/** A file that is served next to the guides. */
export interface ServedFile {
  /** Below `docs/`. */
  path: string;
  type: string;
  content: string;
}

const belowDocs = (path: string): string => path.slice('docs/'.length);

/** Returns the files that guides link to: the Postman collection, and programs. */
export const readServedFiles = (): ServedFile[] => Object.entries(fileTypes).map(([path, type]) => ({ path: belowDocs(path), type, content: read(path) }));

/**
 * Returns where a link of a document leads among what is served, as a path below `docs/`: a guide with `suffix`, or a
 * file. Undefined for what is not served.
 */
export function servedTarget(documentPath: string, link: string, suffix = ''): string | undefined {
  const [, target = '', fragment = ''] = /^([^#]*)(#.*)?$/.exec(link) ?? [];
  const path = normalize(join(dirname(documentPath), target));
  if (Object.hasOwn(fileTypes, path)) return belowDocs(path);
  const name = guidePaths[path];
  return name === undefined ? undefined : `guides/${name}${suffix}${fragment}`;
}

const markdownLink = /\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)/g;

/** Returns the Markdown of a guide; its links lead to the Markdown of others, and those to what is not served are their text. */
export function guideMarkdown({ path, markdown }: Guide): string {
  return markdown.replace(markdownLink, (_link: string, text: string, target: string) => {
    const served = servedTarget(path, target, '.md');
    return served === undefined ? text : `[${text}](../${served})`;
  });
}

/** Returns `llms.txt` with the documents that are served, at their addresses next to it. */
export function llmsText(): string {
  return read('llms.txt').split('\n').flatMap((line) => {
    const target = /^- \[[^\]]+\]\(([^)]+)\)/.exec(line)?.[1];
    if (target === undefined) return [line];
    const served = servedTarget('llms.txt', target, '.md');
    return served === undefined ? [] : [line.replace(target, `docs/${served}`)];
  }).join('\n');
}

import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { projectRoot } from '../../../../lib/projectRoot';

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
  'docs/devices.md': 'devices',
  'docs/portal.md': 'portal',
  'docs/glossary.md': 'glossary',
};

/** A file that guides link to, served as it is. */
const postman = 'docs/postman.json';

const read = (path: string): string => readFileSync(join(projectRoot(), path), 'utf8');

/** Returns the guides of this release. */
export function readGuides(): Guide[] {
  return Object.entries(guidePaths).map(([path, name]) => {
    const markdown = read(path);
    return { name, path, markdown, title: /^# (.+)$/m.exec(markdown)?.[1] ?? name };
  });
}

/** Returns the Postman collection. */
export const readPostman = (): string => read(postman);

/**
 * Returns where a link of a document leads among what is served, as a path below `docs/`: a guide with `suffix`, or the
 * collection. Undefined for what is not served.
 */
export function servedTarget(documentPath: string, link: string, suffix = ''): string | undefined {
  const [, target = '', fragment = ''] = /^([^#]*)(#.*)?$/.exec(link) ?? [];
  const path = normalize(join(dirname(documentPath), target));
  if (path === postman) return 'postman.json';
  const name = guidePaths[path];
  return name === undefined ? undefined : `guides/${name}${suffix}${fragment}`;
}

const markdownLink = /\]\((?!https?:|#)([^)\s]+)\)/g;

/** Returns the Markdown of a guide; its links lead to the Markdown of others, and to the repository's path of what is not served. */
export function guideMarkdown({ path, markdown }: Guide): string {
  return markdown.replace(markdownLink, (link: string, target: string) => {
    const served = servedTarget(path, target, '.md');
    return served === undefined ? link : `](../${served})`;
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

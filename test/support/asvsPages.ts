import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument } from './documents';

const folder = 'docs/security/asvs';

/** The pages of OWASP ASVS, a chapter each, by their path from the project's root. */
const asvsPages: readonly string[] = readdirSync(join(__dirname, '../..', folder)).sort().map((name) => `${folder}/${name}`);

/** A row of a page: a requirement, its level, whether it is met, and how. */
interface AsvsRow {
  page: string;
  requirement: string;
  level: string;
  state: string;
  how: string;
}

export const asvsRows: readonly AsvsRow[] = asvsPages.flatMap((page) =>
  [...readDocument(page).matchAll(/^\| `(V[\d.]+)` [^|]+ \| ([^|]+) \| ([^|]+) \| (.+) \|$/gm)].map(([, requirement = '', level = '', state = '', how = '']) => ({ page, requirement, level, state, how })));

/** Until when a requirement is open; undefined for any other state. */
export const openUntil = (state: string): string | undefined => /^open: (\d{4}-\d{2}-\d{2})$/.exec(state)?.[1];

/** The row of the overview for each page, which counts its requirements by their state. */
export const asvsOverview: readonly string[] = asvsPages.map((page) => {
  const states = asvsRows.filter((row) => row.page === page).map(({ state }) => (openUntil(state) === undefined ? state : 'open'));
  const count = (state: string): number => states.filter((one) => one === state).length;
  const [, title = ''] = /^# (.+)$/m.exec(readDocument(page)) ?? [];
  return `| [${title}](${page.replace('docs/', '')}) | ${count('met')} | ${count('not applicable')} | ${count('open')} |`;
});

import { count, figure, figuresIn } from '../../support/figures';
import { fromEnvironment } from './integrators';

/** Of the pages about what a process does at once, and when to add what. */
export const capacityFigures: Readonly<Record<string, readonly string[]>> = {
  'docs/operations/capacity.md': [
    ...['WORKFLOW_SLOTS', 'WORKFLOW_POLLERS', 'CACHED_WORKFLOWS', 'ACTIVITY_SLOTS', 'ATTEMPT_SLOTS', 'EMAIL_SLOTS', 'ARCHIVE_SLOTS', 'ERASURE_SLOTS'].map((name) => `| \`WORKER_${name}\` | ${fromEnvironment(`WORKER_${name}`)} |`),
    `\`…_POLLERS\` are ${fromEnvironment('WORKER_ATTEMPT_POLLERS')} each`,
    `| \`DATABASE_POOL_SIZE\` | ${fromEnvironment('DATABASE_POOL_SIZE')} |`,
    `| \`MAX_CONNECTIONS\` | ${count(fromEnvironment('MAX_CONNECTIONS'))} |`,
  ],
  'docs/operations/overview.md': [
    `counted over ${count(figure('db/repositories/metrics/busiestInstitutions.ts', 'maxCounted'))} of them`,
  ],
  'docs/operations/scaling.md': [
    `takes over ${1_000 * (figuresIn('docs/operations/alerts.yml', /postgres_response_seconds\)\[15m:1m\]\) > ([\d.]+)/)[0] ?? 0)} ms for a statement`,
  ],
  'docs/operations/upgrading.md': [`in chunks of ${count(figure('db/repositories/fills/rowFills.ts', 'chunkRows'))} rows`],
  'docs/operations/workflows.md': [`in chunks of ${count(figure('db/repositories/fills/rowFills.ts', 'chunkRows'))} rows`],
};

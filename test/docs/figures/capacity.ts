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

/** What a bench measured, on a day. */
export const capacityExamples: Readonly<Record<string, readonly string[]>> = {
  'docs/operations/scaling.md': [
    'at 100 calls a second (20 of those with ten deliveries)', 'on 2026-11-27 with Node 24', '| 1,000 of | API |',
    '| `GET /students/{id}` | 1.10 | 0.01 | 0.35 | 1.71 | 0.7 MB | 0.5 MB |',
    '| `GET /students?limit=50` | 1.72 | 0.00 | 4.08 | 5.89 | 0.6 MB | 0.4 MB |',
    '| `GET /events?limit=50` | 1.12 | 0.00 | 0.66 | 1.86 | 0.8 MB | 0.5 MB |',
    '| `POST /students` | 1.35 | 0.24 | 1.85 | 3.62 | 9.1 MB | 5.6 MB |',
    '| `PATCH /students/{id}`, no endpoint | 1.69 | 0.31 | 1.63 | 3.75 | 3.2 MB | 1.6 MB |',
    '| `PATCH /students/{id}`, one delivery | 1.58 | 0.86 | 2.18 | 4.72 | 4.9 MB | 2.4 MB |',
    '| `PATCH /students/{id}`, ten deliveries | 2.02 | 2.91 | 4.83 | 10.13 | 21.4 MB | 10.9 MB |',
    '| students by bulk calls of 200 | 0.04 | 0.15 | 0.16 | 0.49 | 7.2 MB | 4.8 MB |',
  ],
};

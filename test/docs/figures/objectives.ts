import { responseTimeoutMs } from '../../../db/responseTimeout';
import { serviceSettings } from '../../../db/sessionSettings';
import { count, days, figure, figuresIn, minutes, numberWord, seconds } from '../../support/figures';

const alerts = 'docs/operations/alerts.yml';
const daysOfObjective = 30;
const minutesOfObjective = daysOfObjective * 24 * 60;

/** The factor and the error budget of a burn-rate alert. */
const burn = (name: string, window = '1h'): [factor: number, budget: number] => {
  const [factor = 0, budget = 0] = figuresIn(alerts, new RegExp(`alert: ${name}Burn${window}\\b[\\s\\S]*?> ([\\d.]+) \\* ([\\d.]+)`));
  return [factor, budget];
};
const budgetOf = (name: string): number => burn(name)[1];
const percentOf = (name: string): string => `${Math.round((1 - budgetOf(name)) * 10_000) / 100} %`;
const callsOf = (name: string): string => `One call in ${count(Math.round(1 / budgetOf(name)))}`;
const minutesOf = (name: string): string => String(Math.floor(minutesOfObjective * budgetOf(name)));
const [lateWebhook = 0] = figuresIn(alerts, /webhook_pending_age_seconds\) > bool (\d+)\)/);

const rate = (window: string, windows: string): string => {
  const [factor] = burn('CallErrors', window);
  return `| \`Burn${window}\` | ${windows} | ${factor} | ${Math.floor(daysOfObjective / factor)} days |`;
};

/** Sentences on objectives, and on stores that are lost, with the figures that code and alerts have. */
export const objectiveFigures: Record<string, readonly string[]> = {
  'docs/operations/slo.md': [
    `An objective is over ${daysOfObjective} days`,
    `Error budget of ${daysOfObjective} days`,
    `| ${percentOf('CallErrors')} | ${callsOf('CallErrors')}, or ${minutesOf('CallErrors')} minutes of no service |`,
    `| ${percentOf('CallLatency')} | ${callsOf('CallLatency')} |`,
    `older than ${lateWebhook} s | ${percentOf('WebhookLatency')} | ${minutesOf('WebhookLatency')} minutes |`,
    `| ${percentOf('ScheduleFreshness')} | ${minutesOf('ScheduleFreshness')} minutes |`,
    `for longer than ${lateWebhook} s:`,
    rate('1h', '1 hour and 5 minutes'),
    rate('6h', '6 hours and 30 minutes'),
    rate('3d', '3 days and 6 hours'),
  ],
  'docs/operations/disaster.md': [
    `of the last ${numberWord(figure('api/http/security/rateLimit.ts', 'windowSeconds') * 2 / 60)} minutes`,
    `of the last ${(figuresIn('deploy/temporal/set-up-namespace.sh', /--retention (\d+)h/)[0] ?? 0) / 24} days`,
    `for ${numberWord(days(figure('workflows/emailBatch.ts', 'giveUpAfterMs')))} days, invitations`,
    `sign-in codes for ${minutes(figure('domain/signIn/limits.ts', 'codeLifetimeMs'))} minutes`,
    `noticed after ${seconds(responseTimeoutMs)} s`,
  ],
  'docs/operations/runbook.md': [
    `about a statement for ${seconds(responseTimeoutMs)} s, ${seconds(responseTimeoutMs - Number(serviceSettings.statement_timeout))} s longer than its own timeout`,
    `${figure('domain/outbox/restartLostWorkflows.ts', 'maxChecksPerPass')} of them a minute at most`,
    `started again every ${seconds(figure('worker/temporal.ts', 'reconnectAfterMs'))} s`,
  ],
  'docs/operations/workflows.md': [`closed after ${numberWord(minutes(figure('domain/provisioning/batch.ts', 'batchLifetimeMs')))} minutes`],
  'docs/operations/overview.md': [`with each scrape, for ${seconds(figure('worker/sdkMetrics.ts', 'readWithinMs'))} s at most`],
};

/** Figures that are part of an explanation. */
export const objectiveExamples: Record<string, readonly string[]> = {
  'docs/operations/slo.md': ['with 100 calls an hour'],
  'docs/operations/overview.md': ['has not; 0 without one', 'worker: 1 if the latest run'],
};

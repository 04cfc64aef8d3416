import { count, days, figure, figuresIn, hours, kib, mib, minutes, textsIn } from '../../support/figures';
import { asvsOverview } from '../../support/asvsPages';
import { retentionMs } from '../../../domain/retention/periods';

const kept = (kind: keyof typeof retentionMs): string => days(retentionMs[kind]);
const auditDays = figuresIn('db/migrations/1795996800000-audit.ts', /at < now\(\) - interval '(\d+) days'/)[0] ?? 0;
const temporalDays = (figuresIn('deploy/temporal/set-up-namespace.sh', /--retention (\d+)h/)[0] ?? 0) / 24;
const period = (name: string, bound: string): number => figure('domain/retention/institutionPeriods.ts', `retentionBounds.${name}.${bound}`);
const consoleHours = hours(figure('console/session.ts', 'sessionMs'));
const [mostTokenDays = 0, tokenDays = 0] = figuresIn('api/http/request/staffBodies.ts', /most: (\d+), usual: (\d+)/);
const [logMegabytes = '', logFiles = ''] = textsIn('docker-compose.yml', /max-size: (\d+)m, max-file: "(\d+)"/);

/** How far back the lines of refused calls go. */
export const howFarLogsGo = [
  `those of the ${figure('local/processes.ts', 'keptLogs')} before, the newest ${mib(figure('local/processes.ts', 'keptLogBytes'))} MiB of them`,
  `the newest ${Number(logMegabytes) * Number(logFiles)} MB at most`,
];

const ofInstitution = (name: string): string => `| ${period(name, 'default')} days | The institution: ${period(name, 'min')} to ${count(period(name, 'max'))}`;

/** Sentences for security officers with the figures that the code has now, by their document. */
export const officerFigures: Record<string, readonly string[]> = {
  'docs/privacy.md': [
    ofInstitution('recording_days'),
    ofInstitution('proctoring_days'),
    `announcements with their recipients | ${kept('sessions')} days |`,
    `| ${minutes(2 * figure('domain/signIn/limits.ts', 'codeLifetimeMs'))} minutes at most |`,
    `Enrolment codes, after their expiry | ${kept('enrolmentCodes')} days |`,
    `Sign-ins and failed tries | ${kept('signIns')} days |`,
    `Seats of devices, after their end | ${kept('seats')} days |`,
    `| Events | ${kept('events')} days, and to the end of their day (UTC) |`,
    `answers of receivers | ${kept('deliveries')} days and to the end of their week (UTC) |`,
    `the reports | ${kept('weeklyReportLetters')} days; ${retentionMs.weeklyReports / 7 / 86_400_000} weeks |`,
    `Progress reports of Alpha Learning | ${kept('alphaProgress')} days |`,
    `Emails that a sandbox kept | ${kept('sandboxEmails')} days |`,
    `The institution: ${period('suspended_days', 'min')} to ${count(period('suspended_days', 'max'))} days; two years are recommended`,
    `An institution that leaves: everything | ${days(figure('domain/offboarding/periods.ts', 'readOnlyMs'))} days, then`,
    `archive for the ${days(figure('domain/offboarding/periods.ts', 'readOnlyMs'))} days`,
    `Archives of exports | ${days(figure('domain/exports/writeExport.ts', 'exportKeptMs'))} days |`,
    `| Audit log | ${auditDays} days from the end of their month (UTC) |`,
    `histories of workflows | ${temporalDays} days |`,
  ],
  'docs/security.md': [
    ...asvsOverview,
    `personal tokens of ${figure('domain/signIn/sessions.ts', 'tokenBytes')} random bytes, kept as hashes, for ${mostTokenDays} days at most`,
    `the hash of its id, for ${consoleHours} hours`,
    `in the console for up to ${consoleHours} hours`,
  ],
  'docs/security/controls.md': [
    `| Random, stored as a hash | ${hours(figure('domain/signIn/limits.ts', 'sessionLifetimeMs'))} hours | Does not end it | ${figure('domain/signIn/limits.ts', 'maxSessions')};`,
    `its hash is stored | ${consoleHours} hours |`,
    `| ${tokenDays} days, at most ${mostTokenDays} | Does not end it | ${figure('domain/staff/tokens.ts', 'maxLiveTokens')} |`,
    `| ${figure('domain/keys/createKey.ts', 'maxActiveKeys')} of an environment |`,
    `Compose keeps ${logFiles} files of ${logMegabytes} MB`,
    `| Postgres, \`audit_log\`, append-only | ${auditDays} days from the end of their month (UTC) |`,
    `its first ${kib(figure('outbound/webhooks/exchange.ts', 'maxStoredBytes'))} KiB | Postgres, \`webhook_attempts\` | ${kept('deliveries')} days and to the end of their week (UTC) |`,
    `| Temporal | ${temporalDays} days |`,
  ],
};

/** Figures of statutes, standards, plans and other products, which the code does not have. */
export const officerExamples: Record<string, readonly string[]> = {
  'README.md': ['OWASP ASVS 5.0 and'],
  'docs/privacy.md': [
    'to the student at 18', 'within 45 days', 'under 13 in the United States', '| 1 hour |', '| 4 hours |', '| 24 hours |', '| 72 hours |', '| 30 days | Operator',
  ],
  'docs/security.md': ['OWASP API Security Top 10', 'OWASP ASVS 5.0, level by level', 'in its release 5.0.0: every requirement of the levels 1 and 2'],
  'docs/security/controls.md': [
    'has 12 hours as the limit', 'after 30 minutes of inactivity', '| 1.2 and 1.3, as Node', 'symmetric with 256 bits', '| 7 days |', '| High | 30 days |', 'at most 90 days |', 'TLS 1.2 or 1.3', 'Where 0.10.0 was built',
  ],
  'docs/security/questions.md': ['against WCAG 2.2, levels', '1440 and 390 pixels wide', 'SOC 2 or ISO 27001', 'Within 24 hours'],
};

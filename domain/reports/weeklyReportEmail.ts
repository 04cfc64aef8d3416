import type { StudentReport } from '../../db/repositories/reports/weeklyEmails';
import { escapeHtml, toSingleLine, type EmailMessage } from '../emails/email';
import { plainNameOf, toPlainName } from '../emails/plainName';
import { formatWeek } from './week';

/** The content of an email: the reports of one guardian's students, at least one. */
export interface WeeklyReports {
  institutionName: string;
  /** The week's Monday. */
  week: string;
  reports: readonly StudentReport[];
}

/** Names one student in the subject; more are counted. */
const subjectOf = (reports: readonly StudentReport[]): string => {
  const [first, ...others] = reports;
  return others.length === 0 ? (first === undefined ? '' : plainNameOf(first)) : `${reports.length} students`;
};

/** Returns the weekly report to a guardian: what each of their students did in Alpha Learning, in numbers (section Guardian link). */
export function weeklyReportEmail({ institutionName, week, reports }: WeeklyReports, { to, messageId }: Pick<EmailMessage, 'to' | 'messageId'>): EmailMessage {
  const days = formatWeek(week);
  const opening = toSingleLine(`You do not need to do anything. This is the report of the week of ${days} in Alpha Learning at ${toPlainName(institutionName)}.`);
  const students = reports.map((report) => ({ name: toSingleLine(plainNameOf(report)), facts: factsOf(report) }));
  const closing = toSingleLine(`You get this email every Monday because you are a verified guardian: you sign in as ${to}.`);
  return {
    to,
    subject: toSingleLine(`Alpha Learning, ${days}: ${subjectOf(reports)}`),
    text: [opening, ...students.map(({ name, facts }) => [name, ...facts.map(([fact, value]) => `  ${fact}: ${value}`)].join('\n')), closing].join('\n\n'),
    html: [
      `<p>${escapeHtml(opening)}</p>`,
      ...students.map(({ name, facts }) => {
        const rows = facts.map(([fact, value]) => `<tr><th align="left">${fact}</th><td>${escapeHtml(value)}</td></tr>`).join('');
        return `<h3>${escapeHtml(name)}</h3>\n<table>${rows}</table>`;
      }),
      `<p>${escapeHtml(closing)}</p>`,
    ].join('\n'),
    messageId,
  };
}

/** The names of badges in emails. */
const badgeNames: Record<StudentReport['badges'][number], string> = {
  first_mastery: 'first concept mastered',
  streak_7_days: 'seven days in a row',
  points_100: '100 points',
  points_1000: '1,000 points',
  curriculum_complete: 'a curriculum completed',
};

const formatNumber = (count: number): string => count.toLocaleString('en-US');

function factsOf({ minutes, days_met, points, points_balance, concepts_mastered, streak_days, badges }: StudentReport): [name: string, value: string][] {
  return [
    ['Time learned', formatMinutes(minutes)],
    ['Days on which the daily target was met', `${days_met} of 7`],
    ['Days in a row at the end of the week', formatNumber(streak_days)],
    ['Concepts mastered', formatNumber(concepts_mastered)],
    ['Points', `${points > 0 ? '+' : ''}${formatNumber(points)}, ${formatNumber(points_balance)} in all`],
    ...(badges.length === 0 ? [] : [['Badges', badges.map((badge) => badgeNames[badge]).join('; ')] satisfies [string, string]]),
  ];
}

function formatMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return hours === 0 ? `${rest} min` : `${formatNumber(hours)} h ${rest} min`;
}

import type { NoticeStudent, NoticeSubject } from '../../../db/repositories/exams/noticeEmails';
import type { ExamApp } from '../../../db/repositories/exams/columns';
import { formatDateTime } from '../../emails/email';

/** To whom a letter about an exam goes, and which students it is about. */
export interface EmailRecipient {
  to: string;
  kind: 'student' | 'guardian';
  /** At least one; of a student's own letter that student alone. */
  students: readonly NoticeStudent[];
  messageId: string;
}

/** What a letter calls the app in which an exam is found. */
export const appNames: Record<ExamApp, string> = { svc: 'the document app', svccode: 'the coding app' };

/** Names in a row, as a letter has them. */
export const listFormat = new Intl.ListFormat('en', { type: 'conjunction' });

/** The names of students in a row. */
export const namesOf = (students: readonly NoticeStudent[]): string => listFormat.format(students.map(({ name }) => name));

/** The login emails of students in a row, each with whose it is where there are several. */
export const loginEmailsOf = (students: readonly NoticeStudent[]): string =>
  listFormat.format(students.map(({ name, login_email }) => (students.length === 1 || name === login_email ? login_email : `${login_email} (${name})`)));

/** The line on the due date, in the past tense once it has passed; none without a due date. */
export function dueFact({ due_date, time_zone }: Pick<NoticeSubject, 'due_date' | 'time_zone'>, now: Date): [name: string, value: string] | undefined {
  return due_date === null ? undefined : [due_date > now ? 'Due' : 'Was due', formatDateTime(due_date, time_zone)];
}

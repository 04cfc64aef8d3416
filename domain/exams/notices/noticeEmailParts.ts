import type { NoticeStudent, NoticeSubject } from '../../../db/repositories/exams/noticeEmails';
import type { ExamApp } from '../../../db/repositories/exams/columns';
import { formatDateTime } from '../../emails/email';
import { plainNameOf, toPlainName } from '../../emails/plainName';

/** The recipient of an email about an exam, and the students it is about. */
export interface EmailRecipient {
  to: string;
  kind: 'student' | 'guardian';
  /** At least one; in a student's own email only that student. */
  students: readonly NoticeStudent[];
  messageId: string;
}

/** The name of an exam's app in emails. */
export const appNames: Record<ExamApp, string> = { svc: 'the document app', svccode: 'the coding app' };

/** Formats a list of names for an email. */
export const listFormat = new Intl.ListFormat('en', { type: 'conjunction' });

/** Returns the names of students as a list. */
export const namesOf = (students: readonly NoticeStudent[]): string => listFormat.format(students.map(plainNameOf));

/** Returns the login emails of students as a list, each with its student if there are several. */
export const loginEmailsOf = (students: readonly NoticeStudent[]): string =>
  listFormat.format(students.map(({ name, login_email }) => (students.length === 1 || name === login_email ? login_email : `${login_email} (${toPlainName(name)})`)));

/** Returns the line on the due date, in the past tense once it has passed; undefined without a due date. */
export function dueFact({ due_date, time_zone }: Pick<NoticeSubject, 'due_date' | 'time_zone'>, now: Date): [name: string, value: string] | undefined {
  return due_date === null ? undefined : [due_date > now ? 'Due' : 'Was due', formatDateTime(due_date, time_zone)];
}

/** Returns the exam with its names as emails show them. */
export const plainExam = (exam: NoticeSubject): NoticeSubject => ({
  ...exam,
  title: toPlainName(exam.title),
  faculty_name: toPlainName(exam.faculty_name),
  institution_name: toPlainName(exam.institution_name),
});

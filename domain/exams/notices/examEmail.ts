import type { NoticeStudent, NoticeSubject } from '../../../db/repositories/exams/noticeEmails';
import type { Proctoring } from '../../../db/repositories/exams/columns';
import { examClosedReason } from '../../attempts/timeRules';
import { escapeHtml, formatDateTime, toSingleLine, type EmailMessage } from '../../emails/email';
import { appNames, dueFact, listFormat, loginEmailsOf, namesOf, plainExam, type EmailRecipient } from './noticeEmailParts';

const devices: readonly (keyof Proctoring)[] = ['camera', 'microphone', 'screen'];

/** Maximum number of students named in a subject; the others are counted. */
const maxNamesInSubject = 3;

/**
 * Returns the email about a new exam: what to do first and with which address to sign in, then what the exam is, who gives
 * it, the due date and what it requires (section Exam). A due date before `now` is reported as passed.
 */
export function examEmail(subject: NoticeSubject, addressee: EmailRecipient, now: Date): EmailMessage {
  const exam = plainExam(subject);
  const { to, kind, students, messageId } = addressee;
  const paragraphs = (kind === 'student' ? toStudent(exam, students, now) : toGuardian(exam, students)).map(toSingleLine);
  const facts = factsOf(exam, now);
  return {
    to,
    subject: toSingleLine(subjects[kind](exam, students)),
    text: [...paragraphs, facts.map(([name, value]) => `${name}: ${value}`).join('\n')].join('\n\n'),
    html: [
      ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
      `<table>${facts.map(([name, value]) => `<tr><th align="left">${name}</th><td>${escapeHtml(value)}</td></tr>`).join('')}</table>`,
    ].join('\n'),
    messageId,
  };
}

const subjects: Record<EmailRecipient['kind'], (exam: NoticeSubject, students: readonly NoticeStudent[]) => string> = {
  student: ({ exam_type, title }) => `New ${exam_type}: ${title}`,
  guardian: ({ exam_type, title }, students) =>
    `New ${exam_type} for ${students.length > maxNamesInSubject ? `${students.length} students` : namesOf(students)}: ${title}`,
};

function toStudent(exam: NoticeSubject, students: readonly NoticeStudent[], now: Date): string[] {
  const { exam_type, app, due_date, time_zone, faculty_name } = exam;
  const signIn = `sign in there as ${loginEmailsOf(students)}.`;
  const greeting = `Hello ${namesOf(students)},`;
  const due = due_date === null ? undefined : formatDateTime(due_date, time_zone);
  if (due === undefined || due_date === null || due_date > now) {
    return [greeting, `Please complete the new ${exam_type} below in ${appNames[app]}${due === undefined ? '' : ` by ${due}`}: ${signIn}`];
  }
  if (examClosedReason(exam, now) === undefined) {
    return [greeting, `Please complete the new ${exam_type} below in ${appNames[app]} as soon as you can: ${signIn} It was due on ${due}, and late submissions are still accepted.`];
  }
  return [greeting, `Please ask ${faculty_name} what to do about the new ${exam_type} below: it was due on ${due}, and accepts no submissions now. You find it in ${appNames[app]}: ${signIn}`];
}

const toGuardian = ({ exam_type, app, institution_name }: NoticeSubject, students: readonly NoticeStudent[]): string[] => [
  `You do not need to do anything. There is a new ${exam_type} for ${namesOf(students)} at ${institution_name}, in ${appNames[app]}. The login email there: ${loginEmailsOf(students)}.`,
];

function factsOf(exam: NoticeSubject, now: Date): [name: string, value: string][] {
  const { title, faculty_name, institution_name, time_limit_minutes, proctoring } = exam;
  const required = devices.filter((device) => proctoring[device]);
  const facts: ([string, string] | undefined)[] = [
    ['Title', title],
    ['Given by', `${faculty_name}, ${institution_name}`],
    dueFact(exam, now) ?? ['Due', 'no due date'],
    time_limit_minutes === null ? undefined : ['Time limit', `${time_limit_minutes} ${time_limit_minutes === 1 ? 'minute' : 'minutes'} from when it is opened`],
    required.length === 0 ? undefined : ['Proctoring', `it opens once access to the ${listFormat.format(required)} is granted`],
  ];
  return facts.flatMap((fact) => (fact === undefined ? [] : [[fact[0], toSingleLine(fact[1])]]));
}

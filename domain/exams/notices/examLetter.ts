import type { NoticeExam } from '../../../db/repositories/examNoticeLetters';
import type { ExamApp, Proctoring } from '../../../db/repositories/examColumns';
import { escapeHtml, oneLine, type Letter } from '../../letter';

/** To whom a letter about an exam goes, and which students it is about. */
export interface Addressee {
  to: string;
  kind: 'student' | 'guardian';
  /** Full names, else login emails; at least one. */
  students: readonly string[];
  messageId: string;
}

/** What a letter calls the app in which an exam is found. */
export const apps: Record<ExamApp, string> = { svc: 'the document app', svccode: 'the coding app' };

const devices: readonly (keyof Proctoring)[] = ['camera', 'microphone', 'screen'];

/** Names in a row, as a letter has them. */
export const lists = new Intl.ListFormat('en', { type: 'conjunction' });

/** A subject names so many students; more are counted. */
const namedInSubject = 3;

/** The letter that an exam is there: what it is, who gives it, until when, what it asks for, where it is found (section Exam). */
export function examLetter(exam: NoticeExam, addressee: Addressee): Letter {
  const { to, messageId } = addressee;
  const facts = factsOf(exam);
  const opening = openings[addressee.kind](exam, addressee.students);
  const closing = closings[addressee.kind](exam);
  return {
    to,
    subject: oneLine(subjects[addressee.kind](exam, addressee.students)),
    text: [opening, facts.map(([name, value]) => `${name}: ${value}`).join('\n'), closing].join('\n\n'),
    html: [
      `<p>${escapeHtml(opening)}</p>`,
      `<table>${facts.map(([name, value]) => `<tr><th align="left">${name}</th><td>${escapeHtml(value)}</td></tr>`).join('')}</table>`,
      `<p>${escapeHtml(closing)}</p>`,
    ].join('\n'),
    messageId,
  };
}

type Kind = Addressee['kind'];

const subjects: Record<Kind, (exam: NoticeExam, students: readonly string[]) => string> = {
  student: ({ exam_type, title }) => `New ${exam_type}: ${title}`,
  guardian: ({ exam_type, title }, students) =>
    `New ${exam_type} for ${students.length > namedInSubject ? `${students.length} students` : lists.format(students)}: ${title}`,
};

const openings: Record<Kind, (exam: NoticeExam, students: readonly string[]) => string> = {
  student: ({ exam_type, institution_name }, [name = '']) => oneLine(`Hello ${name}, there is a new ${exam_type} for you at ${institution_name}.`),
  guardian: ({ exam_type, institution_name }, students) =>
    oneLine(`There is a new ${exam_type} for ${lists.format(students)} at ${institution_name}.`),
};

const closings: Record<Kind, (exam: NoticeExam) => string> = {
  student: ({ app }) => `You find it in ${apps[app]}. Sign in there with your login email.`,
  guardian: ({ app }) => `It is found in ${apps[app]}, after signing in with the student's login email. You need not do anything.`,
};

function factsOf(exam: NoticeExam): [name: string, value: string][] {
  const { title, faculty_name, due_date, time_limit_minutes, proctoring } = exam;
  const asked = devices.filter((device) => proctoring[device]);
  const facts: [string, string | undefined][] = [
    ['Title', title],
    ['Given by', faculty_name],
    ['Due', due_date === null ? 'no due date' : dueText(due_date, exam.time_zone)],
    ['Time limit', time_limit_minutes === null ? undefined : `${time_limit_minutes} ${time_limit_minutes === 1 ? 'minute' : 'minutes'} from when it is opened`],
    ['Proctoring', asked.length === 0 ? undefined : `it opens once access to the ${lists.format(asked)} is granted`],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, oneLine(value)]]));
}

/** A due date in the institution's time zone, as a letter has it. */
export const dueText = (due: Date, timeZone: string): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone }).format(due)} (${timeZone})`;

import type { NoticedStudent, NoticeSubject } from '../../../db/repositories/exams/noticeEmails';
import type { Proctoring } from '../../../db/repositories/exams/columns';
import { shutBecause } from '../../attempts/timeRules';
import { escapeHtml, momentText, oneLine, type Letter } from '../../emails/email';
import { apps, dueFact, lists, loginEmailsOf, namesOf, type Addressee } from './noticeEmailParts';

const devices: readonly (keyof Proctoring)[] = ['camera', 'microphone', 'screen'];

/** A subject names so many students; more are counted. */
const namedInSubject = 3;

/**
 * The letter about a new exam: what to do first and signed in as whom, then what the exam is, who gives it, until when and
 * what it asks for (section Exam). A due date that has passed at `now` is told as one that has.
 */
export function examLetter(exam: NoticeSubject, addressee: Addressee, now: Date): Letter {
  const { to, kind, students, messageId } = addressee;
  const said = (kind === 'student' ? toStudent(exam, students, now) : toGuardian(exam, students)).map(oneLine);
  const facts = factsOf(exam, now);
  return {
    to,
    subject: oneLine(subjects[kind](exam, students)),
    text: [...said, facts.map(([name, value]) => `${name}: ${value}`).join('\n')].join('\n\n'),
    html: [
      ...said.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
      `<table>${facts.map(([name, value]) => `<tr><th align="left">${name}</th><td>${escapeHtml(value)}</td></tr>`).join('')}</table>`,
    ].join('\n'),
    messageId,
  };
}

const subjects: Record<Addressee['kind'], (exam: NoticeSubject, students: readonly NoticedStudent[]) => string> = {
  student: ({ exam_type, title }) => `New ${exam_type}: ${title}`,
  guardian: ({ exam_type, title }, students) =>
    `New ${exam_type} for ${students.length > namedInSubject ? `${students.length} students` : namesOf(students)}: ${title}`,
};

function toStudent(exam: NoticeSubject, students: readonly NoticedStudent[], now: Date): string[] {
  const { exam_type, app, due_date, time_zone, faculty_name } = exam;
  const signIn = `sign in there as ${loginEmailsOf(students)}.`;
  const greeting = `Hello ${namesOf(students)},`;
  const due = due_date === null ? undefined : momentText(due_date, time_zone);
  if (due === undefined || due_date === null || due_date > now) {
    return [greeting, `Please complete the new ${exam_type} below in ${apps[app]}${due === undefined ? '' : ` by ${due}`}: ${signIn}`];
  }
  if (shutBecause(exam, now) === undefined) {
    return [greeting, `Please complete the new ${exam_type} below in ${apps[app]} as soon as you can: ${signIn} It was due on ${due}, and late submissions are still accepted.`];
  }
  return [greeting, `Please ask ${faculty_name} how to go on with the new ${exam_type} below: it was due on ${due}, and accepts no submissions now. You find it in ${apps[app]}: ${signIn}`];
}

const toGuardian = ({ exam_type, app, institution_name }: NoticeSubject, students: readonly NoticedStudent[]): string[] => [
  `You do not need to do anything. There is a new ${exam_type} for ${namesOf(students)} at ${institution_name}, in ${apps[app]}. The login email there: ${loginEmailsOf(students)}.`,
];

function factsOf(exam: NoticeSubject, now: Date): [name: string, value: string][] {
  const { title, faculty_name, institution_name, time_limit_minutes, proctoring } = exam;
  const asked = devices.filter((device) => proctoring[device]);
  const facts: ([string, string] | undefined)[] = [
    ['Title', title],
    ['Given by', `${faculty_name}, ${institution_name}`],
    dueFact(exam, now) ?? ['Due', 'no due date'],
    time_limit_minutes === null ? undefined : ['Time limit', `${time_limit_minutes} ${time_limit_minutes === 1 ? 'minute' : 'minutes'} from when it is opened`],
    asked.length === 0 ? undefined : ['Proctoring', `it opens once access to the ${lists.format(asked)} is granted`],
  ];
  return facts.flatMap((fact) => (fact === undefined ? [] : [[fact[0], oneLine(fact[1])]]));
}

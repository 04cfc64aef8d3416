import type { NoticeSubject } from '../../../db/repositories/examNoticeLetters';
import { shutBecause } from '../../attempts/terms';
import { escapeHtml, oneLine, type Letter } from '../../letter';
import { apps, dueText, lists, type Addressee } from './examLetter';

/** A letter carries so many characters of the feedback; a longer one is shortened. */
export const feedbackInLetter = 4_000;

/**
 * The letter that a submission is to be made again: of which exam, what was said of it, and how to go on; the teacher is
 * to be asked where the exam takes none at `now` (section Submission).
 */
export function resubmissionLetter(exam: NoticeSubject, feedback: string | null, { to, kind, students, messageId }: Addressee, now: Date): Letter {
  const names = lists.format(students);
  const said = feedback === null ? [] : linesOf(feedback);
  const opening = oneLine(openings[kind](exam, names));
  const facts = factsOf(exam).map(([name, value]) => [name, oneLine(value)] as const);
  const closing = oneLine(shutBecause(exam, now) === undefined ? closings[kind](exam) : shutClosing(exam));
  return {
    to,
    subject: oneLine(subjects[kind](exam, names)),
    text: [
      opening,
      facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
      ...(said.length === 0 ? [] : [['Feedback:', ...said.map((line) => `> ${line}`)].join('\n')]),
      closing,
    ].join('\n\n'),
    html: [
      `<p>${escapeHtml(opening)}</p>`,
      `<table>${facts.map(([name, value]) => `<tr><th align="left">${name}</th><td>${escapeHtml(value)}</td></tr>`).join('')}</table>`,
      ...(said.length === 0 ? [] : [`<p>Feedback:</p>\n<blockquote>${said.map(escapeHtml).join('<br>\n')}</blockquote>`]),
      `<p>${escapeHtml(closing)}</p>`,
    ].join('\n'),
    messageId,
  };
}

type Kind = Addressee['kind'];

const subjects: Record<Kind, (exam: NoticeSubject, names: string) => string> = {
  student: ({ title }) => `Please submit again: ${title}`,
  guardian: ({ title }, names) => `${names}: please submit again: ${title}`,
};

const openings: Record<Kind, (exam: NoticeSubject, names: string) => string> = {
  student: ({ exam_type, institution_name }, name) => `Hello ${name}, your submission of the ${exam_type} below, at ${institution_name}, is to be made again.`,
  guardian: ({ exam_type, institution_name }, names) => `The submission of ${names} of the ${exam_type} below, at ${institution_name}, is to be made again.`,
};

const closings: Record<Kind, (exam: NoticeSubject) => string> = {
  student: ({ app }) => `Open it in ${apps[app]}, signed in with your login email, and submit anew.`,
  guardian: ({ app }) => `It is made anew in ${apps[app]}, after signing in with the student's login email. You need not do anything.`,
};

const shutClosing = ({ faculty_name }: NoticeSubject): string => `It takes no submissions at present: please ask ${faculty_name} how to go on.`;

const factsOf = ({ title, faculty_name, due_date, time_zone }: NoticeSubject): [name: string, value: string][] => [
  ['Title', title],
  ['Given by', faculty_name],
  ...(due_date === null ? [] : [['Due', dueText(due_date, time_zone)] satisfies [string, string]]),
];

const readers = new Intl.Segmenter('en');

/** The lines of a feedback, cut between what readers take for characters where it is long. */
function linesOf(feedback: string): string[] {
  const end = Array.from(readers.segment(feedback), ({ index }) => index)[feedbackInLetter];
  const shown = end === undefined ? feedback : `${feedback.slice(0, end)} … (shortened)`;
  return shown.split(/\r\n|[\n\r\u2028\u2029]/);
}

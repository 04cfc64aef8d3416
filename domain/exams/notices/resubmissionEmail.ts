import type { NoticeStudent, NoticeSubject } from '../../../db/repositories/exams/noticeEmails';
import { examClosedReason } from '../../attempts/timeRules';
import { escapeHtml, toSingleLine, type EmailMessage } from '../../emails/email';
import { appNames, dueFact, loginEmailsOf, namesOf, plainExam, type EmailRecipient } from './noticeEmailParts';

/** Maximum length of the feedback in an email, in characters; a longer one is shortened. */
export const maxFeedbackInEmail = 4_000;

/**
 * Returns the email that requests a resubmission: what to do first and with which address to sign in, which exam, and the
 * feedback; if the exam accepts no submissions at `now`, it refers to the teacher (section Submission).
 */
export function resubmissionEmail(subject: NoticeSubject, feedback: string | null, { to, kind, students, messageId }: EmailRecipient, now: Date): EmailMessage {
  const exam = plainExam(subject);
  const paragraphs = (examClosedReason(exam, now) === undefined ? openings[kind](exam, students) : closedExamOpenings[kind](exam, students)).map(toSingleLine);
  const facts = factsOf(exam, now).map(([name, value]) => [name, toSingleLine(value)] as const);
  const lines = feedback === null ? [] : linesOf(feedback);
  return {
    to,
    subject: toSingleLine(subjects[kind](exam, students)),
    text: [
      ...paragraphs,
      facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
      ...(lines.length === 0 ? [] : [['Feedback:', ...lines.map((line) => `> ${line}`)].join('\n')]),
    ].join('\n\n'),
    html: [
      ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
      `<table>${facts.map(([name, value]) => `<tr><th align="left">${name}</th><td>${escapeHtml(value)}</td></tr>`).join('')}</table>`,
      ...(lines.length === 0 ? [] : [`<p>Feedback:</p>\n<blockquote>${lines.map(escapeHtml).join('<br>\n')}</blockquote>`]),
    ].join('\n'),
    messageId,
  };
}

type ByKind = Record<EmailRecipient['kind'], (exam: NoticeSubject, students: readonly NoticeStudent[]) => string[]>;

const subjects: Record<EmailRecipient['kind'], (exam: NoticeSubject, students: readonly NoticeStudent[]) => string> = {
  student: ({ title }) => `Please submit again: ${title}`,
  guardian: ({ title }, students) => `${namesOf(students)}: please submit again: ${title}`,
};

/** Used if the exam accepts submissions. */
const openings: ByKind = {
  student: ({ exam_type, app }, students) => [
    `Hello ${namesOf(students)},`,
    `Please submit your ${exam_type} below again: open it in ${appNames[app]}, signed in as ${loginEmailsOf(students)}.`,
  ],
  guardian: ({ exam_type, app }, students) => [
    `You do not need to do anything. ${namesOf(students)} has been asked to submit the ${exam_type} below again in ${appNames[app]}, signed in as ${loginEmailsOf(students)}.`,
  ],
};

/** Used if the exam accepts none: the teacher decides. */
const closedExamOpenings: ByKind = {
  student: ({ exam_type, app, faculty_name }, students) => [
    `Hello ${namesOf(students)},`,
    `Please ask ${faculty_name} how to submit your ${exam_type} below again: it accepts no submissions now. You find it in ${appNames[app]}, signed in as ${loginEmailsOf(students)}.`,
  ],
  guardian: ({ exam_type, app, faculty_name }, students) => [
    `Please ask ${faculty_name} how ${namesOf(students)} can submit the ${exam_type} below again: it accepts no submissions now. It is found in ${appNames[app]}, signed in as ${loginEmailsOf(students)}.`,
  ],
};

function factsOf(exam: NoticeSubject, now: Date): [name: string, value: string][] {
  const due = dueFact(exam, now);
  return [['Title', exam.title], ['Given by', `${exam.faculty_name}, ${exam.institution_name}`], ...(due === undefined ? [] : [due])];
}

const graphemes = new Intl.Segmenter('en');

/** Returns the lines of a feedback; a long one is cut between grapheme clusters. */
function linesOf(feedback: string): string[] {
  const end = Array.from(graphemes.segment(feedback), ({ index }) => index)[maxFeedbackInEmail];
  const shown = end === undefined ? feedback : `${feedback.slice(0, end)} … (shortened)`;
  return shown.split(/\r\n|[\n\r\u2028\u2029]/);
}

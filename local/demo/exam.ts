import type { InstitutionClient } from '../../clients/typescript/src';
import { openMailbox, waitForEmails } from './emails';
import type { DemoStudent } from './people';
import { expectThat, log } from './log';

/** Ten at a time, while the same worker delivers webhooks. */
const mailedWithinMs = 60_000;

/** Publishes an exam to a group; returns its id. */
export async function publishExam(client: InstitutionClient, { teacher, group }: { teacher: string; group: string }, students: number): Promise<string> {
  log('Publishing an exam to the group');
  const exam = await client.call('POST', '/exams', {
    body: {
      faculty_id: teacher,
      title: 'Algebra, midterm',
      due_date: new Date(Date.now() + 7 * 24 * 3_600_000).toISOString(),
      time_limit_minutes: 90,
      group_ids: [group],
    },
  });
  expectThat(exam.status === 'published' && exam.stats.assigned === students, `exam ${exam.id} published, ${exam.stats.assigned} students assigned`);
  return exam.id;
}

/** Waits until every student has exactly one email about the exam, and returns the file of one. */
export async function waitForExamEmails(folder: string, examId: string, students: readonly DemoStudent[]): Promise<string> {
  log('Waiting for the emails to the students');
  const emails = await waitForEmails(openMailbox(folder, `${examId}.`), students.length, mailedWithinMs);
  const addresses = new Set(emails.map(({ to }) => to));
  expectThat(students.every(({ personalEmail }) => addresses.has(personalEmail)), `${addresses.size} students have an email about the exam`);
  expectThat(emails.length === students.length, 'nobody has two');
  return emails[0]?.file ?? '';
}

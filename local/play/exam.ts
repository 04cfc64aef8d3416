import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InstitutionClient } from '../../clients/typescript/src';
import type { DemoStudent } from './people';
import { expectThat, say } from './tell';

/** Ten at a time, while the same worker delivers webhooks. */
const mailedWithinMs = 60_000;

/** Publishes an exam to a group; answers its id. */
export async function publishExam(client: InstitutionClient, { teacher, group }: { teacher: string; group: string }, students: number): Promise<string> {
  say('Publishing an exam to the group');
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

/** A caught letter about an exam: its file, and whom it went to. */
interface CaughtLetter {
  file: string;
  to: string;
}

const headerOf = (mail: string, name: string): string => new RegExp(`^${name}:[ \t]*(.*(?:\r?\n[ \t]+.*)*)`, 'im').exec(mail)?.[1] ?? '';

/** Reads each file of the mail folder once; letters are known to be about an exam by their Message-ID. */
function letterBox(folder: string, examId: string): () => CaughtLetter[] {
  const read = new Set<string>();
  const found: CaughtLetter[] = [];
  return () => {
    for (const name of readdirSync(folder)) {
      if (!name.endsWith('.eml') || read.has(name)) continue;
      read.add(name);
      const mail = readFileSync(join(folder, name), 'utf8');
      if (headerOf(mail, 'message-id').includes(`${examId}.`)) found.push({ file: join(folder, name), to: headerOf(mail, 'to').replace(/^.*<|>.*$/g, '') });
    }
    return found;
  };
}

/** Waits until every student has had a letter about the exam, and nobody two; answers the file of one. */
export async function lettersArrive(folder: string, examId: string, students: readonly DemoStudent[]): Promise<string> {
  say('Waiting for the letters to the students');
  const look = letterBox(folder, examId);
  const deadline = Date.now() + mailedWithinMs;
  while (look().length < students.length && Date.now() < deadline) await sleep(500);
  const letters = look();
  const addresses = new Set(letters.map(({ to }) => to));
  expectThat(students.every(({ personalEmail }) => addresses.has(personalEmail)), `${addresses.size} students have a letter about the exam`);
  expectThat(letters.length === students.length, 'nobody has two');
  return letters[0]?.file ?? '';
}

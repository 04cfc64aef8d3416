import { randomBytes } from 'node:crypto';
import type { InstitutionClient } from '../../clients/typescript/src';
import { expectThat, log } from './log';

/** A provisioned student; only the sender knows the personal email. */
export interface DemoStudent {
  loginEmail: string;
  personalEmail: string;
}

/** Provisions this many students in one call, each with a mailbox of their own. */
export async function provisionStudents(client: InstitutionClient, count: number): Promise<DemoStudent[]> {
  log(`Provisioning ${count} students in one call`);
  const started = performance.now();
  // Emails are taken once: each run has its own.
  const run = randomBytes(4).toString('hex');
  const students = Array.from({ length: count }, (_, index) => ({
    full_name: `Student ${index + 1}`,
    student_id: `SIS-${1_000 + index}`,
    personal_email: `student${index + 1}@${run}.example`,
  }));
  const { created, results } = await client.call('POST', '/students/bulk', { body: { students } });
  const provisioned = results.filter((result) => 'login_email' in result);
  expectThat(created === count, `${created} students created in ${Math.round(performance.now() - started)} ms, ${provisioned[0]?.login_email ?? ''} first`);
  return provisioned.map(({ index, login_email }) => ({ loginEmail: login_email, personalEmail: students[index]?.personal_email ?? '' }));
}

/** A teacher, and a group of theirs with these students; returns both ids. */
export async function createClass(client: InstitutionClient, students: readonly DemoStudent[]): Promise<{ teacher: string; group: string }> {
  const teacher = await client.call('POST', '/faculty', { body: { full_name: 'Grace Hopper' } });
  const group = await client.call('POST', '/groups', {
    body: { name: 'Class 7b', faculty_id: teacher.login_email, student_ids: students.map(({ loginEmail }) => loginEmail) },
  });
  expectThat(group.member_count === students.length, `a group of ${group.member_count} students, owned by ${teacher.login_email}`);
  return { teacher: teacher.id, group: group.id };
}

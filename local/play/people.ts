import { randomBytes } from 'node:crypto';
import type { DemoClient } from './client';
import { expectThat, say } from './tell';

/** A student as they were provisioned; the personal email is known to whoever sent it alone. */
export interface DemoStudent {
  loginEmail: string;
  personalEmail: string;
}

/** Provisions so many students in one call, each with a mailbox of their own. */
export async function provisionStudents(client: DemoClient, count: number): Promise<DemoStudent[]> {
  say(`Provisioning ${count} students in one call`);
  const started = performance.now();
  // Emails are taken once: each run has its own.
  const run = randomBytes(4).toString('hex');
  const students = Array.from({ length: count }, (_, index) => ({
    full_name: `Student ${index + 1}`,
    student_id: `SIS-${1_000 + index}`,
    personal_email: `student${index + 1}@${run}.example`,
  }));
  const { created, results } = await client.call<{ created: number; results: { index: number; login_email: string }[] }>('POST', '/students/bulk', { students });
  expectThat(created === count, `${created} students created in ${Math.round(performance.now() - started)} ms, ${results[0]?.login_email ?? ''} first`);
  return results.map(({ index, login_email }) => ({ loginEmail: login_email, personalEmail: students[index]?.personal_email ?? '' }));
}

/** A teacher, and a group of theirs with these students; answers both ids. */
export async function formClass(client: DemoClient, students: readonly DemoStudent[]): Promise<{ teacher: string; group: string }> {
  const teacher = await client.call<{ id: string; login_email: string }>('POST', '/faculty', { full_name: 'Grace Hopper' });
  const group = await client.call<{ id: string; member_count: number }>('POST', '/groups', {
    name: 'Class 7b',
    faculty_id: teacher.login_email,
    student_ids: students.map(({ loginEmail }) => loginEmail),
  });
  expectThat(group.member_count === students.length, `a group of ${group.member_count} students, owned by ${teacher.login_email}`);
  return { teacher: teacher.id, group: group.id };
}

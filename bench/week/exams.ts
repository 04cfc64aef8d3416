import { formatDay, type SimulatedDay } from './calendar';
import type { InstitutionClient } from './institutionClient';
import type { Person } from './people';

/** The owner of the exam, and the exam of the day before. */
interface ExamOwner {
  client: InstitutionClient;
  teacherId: string;
  lastExamId: string | undefined;
}

/** The students of a day's exam: one submits, the other's attempt stays open. */
interface ExamTakers {
  groupId: string;
  submitter: Person;
  abandoner: Person;
}

/** Whether a resubmission is requested on a day. */
const isResubmissionDay = ({ number }: SimulatedDay): boolean => number % 2 === 0;

/**
 * Publishes an exam to the day's group; two students start it, one submits and is graded. The exam of the day before is
 * closed, which abandons its open attempt. Returns the exam's id.
 */
export async function holdExam({ client, teacherId, lastExamId }: ExamOwner, day: SimulatedDay, { groupId, submitter, abandoner }: ExamTakers): Promise<string> {
  const { id } = await client.key<{ id: string }>('POST', '/exams', { faculty_id: teacherId, title: `Exam of ${formatDay(day)}`, group_ids: [groupId], time_limit_minutes: 60 });
  client.counts.add('exams');
  await client.person(abandoner.session, 'POST', `/app/exams/${id}/attempts`, {});
  const attempt = await client.person<{ id: string }>(submitter.session, 'POST', `/app/exams/${id}/attempts`, {});
  client.counts.add('attempts', 2);
  const submission = await client.person<{ id: string }>(submitter.session, 'POST', `/app/attempts/${attempt.id}/submit`, { text: 'The answer is 42.' });
  client.counts.add('submissions');
  await client.key('POST', `/submissions/${submission.id}/grade`, isResubmissionDay(day) ? { score: -1, feedback: 'Please revise it.' } : { score: 90 });
  if (lastExamId !== undefined) {
    await client.key('POST', `/exams/${lastExamId}/close`, {});
    client.counts.add('attempts abandoned');
  }
  return id;
}

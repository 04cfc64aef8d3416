import { dayText, type PlayedDay } from './calendar';
import type { Desk } from './institutionClient';
import type { Person } from './people';

/** Whose exam it is, and the one of the day before. */
interface Examiner {
  desk: Desk;
  teacherId: string;
  lastExamId: string | undefined;
}

/** Who takes the exam of a day: one hands in, the other's attempt is left open. */
interface Takers {
  groupId: string;
  hasDone: Person;
  stays: Person;
}

/** Days on which a submission is to be made again. */
const isAskedForAgain = ({ number }: PlayedDay): boolean => number % 2 === 0;

/**
 * Publishes an exam to the day's group; two begin it, one hands in and is graded. The exam of the day before is closed,
 * which abandons the attempt that was left open. Answers the exam.
 */
export async function holdExam({ desk, teacherId, lastExamId }: Examiner, day: PlayedDay, { groupId, hasDone, stays }: Takers): Promise<string> {
  const { id } = await desk.key<{ id: string }>('POST', '/exams', { faculty_id: teacherId, title: `Exam of ${dayText(day)}`, group_ids: [groupId], time_limit_minutes: 60 });
  desk.book.note('exams');
  await desk.person(stays.session, 'POST', `/app/exams/${id}/attempts`, {});
  const attempt = await desk.person<{ id: string }>(hasDone.session, 'POST', `/app/exams/${id}/attempts`, {});
  desk.book.note('attempts', 2);
  const submission = await desk.person<{ id: string }>(hasDone.session, 'POST', `/app/attempts/${attempt.id}/submit`, { text: 'The answer is 42.' });
  desk.book.note('submissions');
  await desk.key('POST', `/submissions/${submission.id}/grade`, isAskedForAgain(day) ? { score: -1, feedback: 'Once more.' } : { score: 90 });
  if (lastExamId !== undefined) {
    await desk.key('POST', `/exams/${lastExamId}/close`, {});
    desk.book.note('attempts abandoned');
  }
  return id;
}

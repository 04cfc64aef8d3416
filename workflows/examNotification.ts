import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { ExamNoticeActivities } from '../activities/exams/notify';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { answerProgress, lettersRetry, nobodyToldYet, tellEveryone, tellingWithin, type LettersReached, type LettersResult } from './emailBatch';

type ExamNotice = WorkflowArguments['examNotification'];

const { gatherRecipients, endExamNotice } = proxyActivities<ExamNoticeActivities>({ startToCloseTimeout: '1 minute', retry: lettersRetry });

/** Has all recipients written down; an activity answers `more` where its time did not suffice. */
async function gatherAll(notice: ExamNotice): Promise<LettersReached['counts']> {
  for (;;) {
    const { more, ...counts } = await gatherRecipients(notice, Date.now());
    if (more === undefined) return counts;
  }
}

/**
 * Tells the students and guardians whom a notice of an exam is for, one letter each, until all are told or three days
 * have passed. A closed or deleted exam ends it; while the institution is suspended it waits.
 */
export async function examNotification(notice: ExamNotice, before?: LettersReached): Promise<LettersResult<'exam_inactive'>> {
  const reached = before ?? nobodyToldYet();
  answerProgress(reached);
  setCurrentDetails(`Who is to be told of \`${notice.examId}\` is being gathered.`);
  if (before === undefined) reached.counts = await gatherAll(notice);
  const result = await tellEveryone(
    {
      of: `\`${notice.examId}\``,
      tell: (withinMs) => proxyActivities<ExamNoticeActivities>(tellingWithin(withinMs)).tellRecipients(notice, Date.now()),
      end: (reason) => endExamNotice(notice, Date.now(), reason),
      endings: { exam_inactive: { told: 'ended: the exam was closed or deleted', reason: 'The exam was closed or deleted' } },
    },
    reached,
  );
  return result ?? continueAsNew<typeof examNotification>(notice, reached);
}

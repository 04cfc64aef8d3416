import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { ReportActivities } from '../activities/reports/reports';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { answerProgress, lettersRetry, nobodyToldYet, tellEveryone, tellingWithin, type LettersReached, type LettersResult } from './emailBatch';

type ReportLetters = WorkflowArguments['weeklyReportLetters'];

const { endReportLetters } = proxyActivities<ReportActivities>({ startToCloseTimeout: '1 minute', retry: lettersRetry });

/**
 * Sends the reports of one institution's week, one letter to each guardian, until all are sent or three days have
 * passed; while the institution is suspended it waits.
 */
export async function weeklyReportLetters(letters: ReportLetters, before?: LettersReached): Promise<LettersResult<never>> {
  const reached = before ?? nobodyToldYet();
  answerProgress(reached);
  const result = await tellEveryone<never>(
    {
      of: `the week of ${letters.week}`,
      tell: (withinMs) => proxyActivities<ReportActivities>(tellingWithin(withinMs)).tellGuardians(letters, Date.now()),
      end: (reason) => endReportLetters(letters, Date.now(), reason),
      endings: {},
    },
    reached,
  );
  return result ?? continueAsNew<typeof weeklyReportLetters>(letters, reached);
}

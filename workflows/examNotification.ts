import { ActivityFailure, continueAsNew, isCancellation, proxyActivities, setCurrentDetails, setHandler, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import type { ExamNoticeActivities, NoticeStanding } from '../activities/exams/notify';
import type { WorkflowArguments } from '../domain/owed/workflows';
import { noticeProgress, searchAttributes } from './contract';
import { counted } from './counted';
import { isLong } from './runLength';

type ExamNotice = WorkflowArguments['examNotification'];
type Counts = NoticeStanding['counts'];

/** How far a notice is; what it hands on when it continues as a new run. */
export interface NoticeReached {
  /** Who could not be told by then is told no more. */
  deadlineMs: number;
  counts: Counts;
}

/** What a notice came to, as the workflow's result shows it. */
export interface NoticeResult extends Counts {
  outcome: Ending;
}

type Ending = 'done' | 'exam_inactive' | 'gave_up';

const hourMs = 3_600_000;
const givesUpAfterMs = 3 * 24 * hourMs;
/** A suspended institution is looked at again after so long. */
const suspendedWaitMs = hourMs;
/** Turns that come soon after one another are taken together. */
const shortestWaitMs = 5_000;

const retry = { initialInterval: '5 seconds', maximumInterval: '10 minutes' } as const;

const { gatherRecipients, endExamNotice } = proxyActivities<ExamNoticeActivities>({ startToCloseTimeout: '1 minute', retry });

/** Fails when the deadline comes while the mail server, or a worker, is still away. */
const tellWithin = (ms: number) =>
  proxyActivities<ExamNoticeActivities>({
    startToCloseTimeout: '10 minutes',
    scheduleToCloseTimeout: ms,
    heartbeatTimeout: '10 seconds',
    retry,
  }).tellRecipients;

/**
 * Tells the students and guardians whom a notice of an exam is for, one letter each, until all are told or three days
 * have passed. A closed or deleted exam ends it; while the institution is suspended it waits.
 */
export async function examNotification(notice: ExamNotice, before?: NoticeReached): Promise<NoticeResult> {
  let reached: NoticeReached = before ?? { deadlineMs: Date.now() + givesUpAfterMs, counts: { total: 0, sent: 0, refused: 0, skipped: 0 } };
  const { deadlineMs } = reached;
  setHandler(noticeProgress, () => ({ done: settled(reached.counts), total: reached.counts.total }));
  const reach = (counts: Counts, standing: string): void => {
    reached = { deadlineMs, counts };
    setCurrentDetails(sentence(notice, counts, standing));
  };

  setCurrentDetails(`Who is to be told of \`${notice.examId}\` is being gathered.`);
  if (before === undefined) reach(await gatherRecipients(notice, Date.now()), 'under way');
  for (;;) {
    const { state, counts, nextTryMs } = await tell(notice, reached);
    if (isEnding(state)) {
      const counted = await endExamNotice(notice, Date.now(), reasons[state]);
      // The rows of a deleted exam are gone: what was known of them before is said.
      const atEnd = counted.total < reached.counts.total ? reached.counts : counted;
      reach(atEnd, endings[state]);
      upsertSearchAttributes([{ key: searchAttributes.outcome, value: state }]);
      return { outcome: state, ...atEnd };
    }
    const waitUntilMs = { more: 0, waits: nextTryMs, institution_inactive: Date.now() + suspendedWaitMs }[state];
    reach(counts, standings[state]);
    if (isLong()) return continueAsNew<typeof examNotification>(notice, reached);
    if (state !== 'more') await sleep(Math.max(shortestWaitMs, Math.min(waitUntilMs, deadlineMs) - Date.now()), { summary: waits[state] });
  }
}

type State = NoticeStanding['state'] | Ending;

async function tell(notice: ExamNotice, { deadlineMs, counts }: NoticeReached): Promise<Omit<NoticeStanding, 'state'> & { state: State }> {
  const gaveUp = { state: 'gave_up', counts, nextTryMs: 0 } as const;
  const leftMs = deadlineMs - Date.now();
  if (leftMs <= 0) return gaveUp;
  try {
    return await tellWithin(leftMs)(notice, Date.now());
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    return gaveUp;
  }
}

const endings: Record<Ending, string> = {
  done: 'done',
  exam_inactive: 'ended: the exam was closed or deleted',
  gave_up: 'given up after three days',
};

/** What the rows of those who were not told say. */
const reasons: Record<Ending, string> = {
  done: 'There is nobody to tell any more',
  exam_inactive: 'The exam was closed or deleted',
  gave_up: 'Not sent within three days',
};

const isEnding = (state: State): state is Ending => Object.hasOwn(endings, state);

const standings: Record<Exclude<State, Ending>, string> = {
  more: 'under way',
  waits: 'the rest is tried again later',
  institution_inactive: 'waiting: the institution is suspended',
};

const waits = { waits: 'the next that is due', institution_inactive: 'the institution to be approved again' } as const;

const settled = ({ sent, refused, skipped }: Counts): number => sent + refused + skipped;

function sentence({ examId }: ExamNotice, { total, sent, refused, skipped }: Counts, standing: string): string {
  const clauses = [`**${sent.toLocaleString('en-US')} of ${counted(total, 'recipient', 'recipients')}** told of \`${examId}\``];
  if (refused > 0) clauses.push(`${refused.toLocaleString('en-US')} refused by the mail server`);
  if (skipped > 0) clauses.push(`${skipped.toLocaleString('en-US')} no longer to be told`);
  return `${[...clauses, standing].join('; ')}.`;
}

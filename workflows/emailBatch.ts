import { ActivityFailure, isCancellation, setCurrentDetails, setHandler, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import type { LetterStanding } from '../activities/emails/emailBatchSender';
import { searchAttributes, workflowProgress } from './contract';
import { counted } from './formatCount';
import { onLettersQueue } from './onEmailsQueue';
import { isLong } from './shouldContinueAsNew';

type Counts = LetterStanding<never>['counts'];

/** How far a batch of letters is; what its workflow hands on when it continues as a new run. */
export interface LettersReached {
  /** Who could not be told by then is told no more. */
  deadlineMs: number;
  counts: Counts;
}

/** What a batch came to, as its workflow's result shows it. */
export interface LettersResult<Ending extends string> extends Counts {
  outcome: Ending | CommonEnding;
}

type CommonEnding = 'done' | 'gave_up';

/** What the workflow of a batch does and says; `Ending` is how it may end beside being done or given up. */
interface LetterBatch<Ending extends string> {
  /** What the letters tell of, for the sentence of the Web UI. */
  of: string;
  /** Sends what is due; fails when the mail server, or a worker, is still away after so many ms. */
  tell(withinMs: number): Promise<LetterStanding<'institution_inactive' | Ending>>;
  /** Ends the batch; the rows of those who were not told say why. */
  end(reason: string): Promise<Counts>;
  endings: Record<Ending, { told: string; reason: string }>;
}

const hourMs = 3_600_000;
const givesUpAfterMs = 3 * 24 * hourMs;
/** A suspended institution is looked at again after so long. */
const suspendedWaitMs = hourMs;
/** Turns that come soon after one another are taken together. */
const shortestWaitMs = 5_000;

/** How activities of letters are tried again. */
export const lettersRetry = { initialInterval: '5 seconds', maximumInterval: '10 minutes' } as const;

/** How letters are sent within a time: one activity takes a minute or more, and a killed worker is missed soon. */
export const tellingWithin = (ms: number) =>
  ({ ...onLettersQueue(), startToCloseTimeout: '10 minutes', scheduleToCloseTimeout: ms, heartbeatTimeout: '10 seconds', retry: lettersRetry }) as const;

/** A batch of which nobody was told yet; it gives up three days from now. */
export const nobodyToldYet = (): LettersReached => ({ deadlineMs: Date.now() + givesUpAfterMs, counts: { total: 0, sent: 0, refused: 0, skipped: 0 } });

const commonEndings: Record<CommonEnding, { told: string; reason: string }> = {
  done: { told: 'done', reason: 'There is nobody to tell any more' },
  gave_up: { told: 'given up after three days', reason: 'Not sent within three days' },
};

const standings = {
  more: 'under way',
  waits: 'the rest is tried again later',
  institution_inactive: 'waiting: the institution is suspended',
} as const;

const waits = { waits: 'the next that is due', institution_inactive: 'the institution to be approved again' } as const;

/**
 * Sends the letters of a batch until everyone is told or the deadline has passed; while the institution is suspended it
 * waits. Counts into `reached`. Undefined when the run has become so long that the workflow is to continue as a new
 * one with `reached`.
 */
export async function tellEveryone<Ending extends string>(batch: LetterBatch<Ending>, reached: LettersReached): Promise<LettersResult<Ending> | undefined> {
  const endings: Record<string, { told: string; reason: string }> = { ...commonEndings, ...batch.endings };
  showLetters(batch, reached, 'under way');
  for (;;) {
    const { state, counts, nextTryMs } = await tell(batch, reached);
    if (!isOpen(state)) {
      const { told, reason } = endings[state] ?? commonEndings.done;
      const atEnd = await batch.end(reason);
      // The rows of what is deleted are gone: what was known of them before is said.
      if (atEnd.total >= reached.counts.total) reached.counts = atEnd;
      showLetters(batch, reached, told);
      upsertSearchAttributes([{ key: searchAttributes.outcome, value: state }]);
      return { outcome: state, ...reached.counts };
    }
    reached.counts = counts;
    showLetters(batch, reached, standings[state]);
    if (isLong()) return undefined;
    if (state === 'more') continue;
    const untilMs = { waits: nextTryMs, institution_inactive: Date.now() + suspendedWaitMs }[state];
    await sleep(Math.max(shortestWaitMs, Math.min(untilMs, reached.deadlineMs) - Date.now()), { summary: waits[state] });
  }
}

async function tell<Ending extends string>(
  batch: LetterBatch<Ending>,
  { deadlineMs, counts }: LettersReached,
): Promise<{ state: LetterStanding<'institution_inactive' | Ending>['state'] | 'gave_up'; counts: Counts; nextTryMs: number }> {
  const gaveUp = { state: 'gave_up', counts, nextTryMs: 0 } as const;
  const leftMs = deadlineMs - Date.now();
  if (leftMs <= 0) return gaveUp;
  try {
    return await batch.tell(leftMs);
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    return gaveUp;
  }
}

const isOpen = (state: string): state is keyof typeof standings => Object.hasOwn(standings, state);

/** Answers the query `progress` of a batch. */
export function answerProgress(reached: LettersReached): void {
  setHandler(workflowProgress, () => {
    const { total, sent, refused, skipped } = reached.counts;
    return { done: sent + refused + skipped, total };
  });
}

function showLetters<Ending extends string>({ of }: LetterBatch<Ending>, { counts: { total, sent, refused, skipped } }: LettersReached, standing: string): void {
  const clauses = [`**${sent.toLocaleString('en-US')} of ${counted(total, 'recipient', 'recipients')}** told of ${of}`];
  if (refused > 0) clauses.push(`${refused.toLocaleString('en-US')} refused by the mail server`);
  if (skipped > 0) clauses.push(`${skipped.toLocaleString('en-US')} no longer to be told`);
  setCurrentDetails(`${[...clauses, standing].join('; ')}.`);
}

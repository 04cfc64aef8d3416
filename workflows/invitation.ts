import { ActivityFailure, condition, isCancellation, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import { look, searchAttributes } from './contract';
import { onLettersQueue } from './onEmailsQueue';
import { isLong } from './shouldContinueAsNew';

/** When each letter was sent or refused, in ms; what a run hands on when it continues as a new one. */
export type LettersDone<Kind extends string> = Partial<Record<Kind, number>>;

/** What an invitation came to, as its workflow's result shows it. */
export interface InvitationResult<Ending extends string> {
  outcome: Ending;
  letters: number;
}

interface Standing<Ending extends string> {
  state: 'open' | 'paused' | Ending;
  expiresAtMs: number;
}

/** What the workflow of an invitation does and says; `Ending` is how it may end. */
interface Invitation<Kind extends string, Ending extends string> {
  /** Of which invitation it tells, for the sentence of the Web UI. */
  subject: string;
  /** Reads how it stands. */
  look(): Promise<Standing<Ending>>;
  /** Sends a letter; fails when the mail server, or a worker, is still away after so many ms. */
  send(kind: Kind, withinMs: number): Promise<'sent' | 'refused' | 'not_now'>;
  /** In their order: the first goes at once, the others so long after it. */
  letters: readonly { kind: Kind; afterMs: number }[];
  endings: Record<Ending, string>;
  /** What is waited for, and the sentences on it. */
  waits: Record<'open' | 'paused', string>;
  paused: string;
  sent(letters: LettersDone<Kind>): string;
}

/** What is paused is looked at again after so long. */
const pausedWaitMs = 3_600_000;
const shortestWaitMs = 1_000;

const retry = { initialInterval: '5 seconds', maximumInterval: '10 minutes' } as const;

/** How its state is read. */
export const looking = { startToCloseTimeout: '15 seconds', retry } as const;

/** How a letter is sent within a time; a killed worker is missed soon. */
export const sendingWithin = (ms: number) =>
  ({ ...onLettersQueue(), startToCloseTimeout: '5 minutes', scheduleToCloseTimeout: Math.max(ms, shortestWaitMs), heartbeatTimeout: '10 seconds', retry }) as const;

export const timeText = (ms: number): string => new Date(ms).toISOString();

/**
 * Sends the letters of an invitation, each when its time has come, until the invitation has ended; counts into `done`. While
 * it is paused its letters wait. Undefined when the run has become so long that the workflow is to continue as a new one
 * with `done`.
 */
export async function carryInvitation<Kind extends string, Ending extends string>(
  invitation: Invitation<Kind, Ending>,
  done: LettersDone<Kind>,
): Promise<InvitationResult<Ending> | undefined> {
  const heard = { look: false };
  setHandler(look, () => {
    heard.look = true;
  });
  for (;;) {
    heard.look = false;
    const standing = await invitation.look();
    const { state, expiresAtMs } = standing;
    setCurrentDetails(sentence(invitation, standing, done));
    if (!isOpen(state)) {
      upsertSearchAttributes([{ key: searchAttributes.outcome, value: state }]);
      return { outcome: state, letters: Object.keys(done).length };
    }
    if (isLong()) return undefined;
    const next = nextLetter(invitation, done);
    if (state === 'open' && next !== undefined && Date.now() >= next.dueMs) {
      if (await send(invitation, next.kind, expiresAtMs)) done[next.kind] = Date.now();
      continue;
    }
    const untilMs = state === 'paused' ? Date.now() + pausedWaitMs : (next?.dueMs ?? expiresAtMs);
    await condition(() => heard.look, Math.max(shortestWaitMs, Math.min(untilMs, expiresAtMs) - Date.now()), { summary: invitation.waits[state] });
  }
}

const isOpen = (state: string): state is 'open' | 'paused' => state === 'open' || state === 'paused';

/** The letter that comes next, and when; none once all have gone. */
function nextLetter<Kind extends string>({ letters }: Pick<Invitation<Kind, string>, 'letters'>, done: LettersDone<Kind>): { kind: Kind; dueMs: number } | undefined {
  const next = letters.find(({ kind }) => done[kind] === undefined);
  const first = letters[0] && done[letters[0].kind];
  return next && { kind: next.kind, dueMs: first === undefined ? 0 : first + next.afterMs };
}

/** Whether there is nothing further to do for a letter. */
async function send<Kind extends string, Ending extends string>(invitation: Invitation<Kind, Ending>, kind: Kind, expiresAtMs: number): Promise<boolean> {
  try {
    return (await invitation.send(kind, expiresAtMs - Date.now())) !== 'not_now';
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    return false;
  }
}

function sentence<Kind extends string, Ending extends string>(invitation: Invitation<Kind, Ending>, { state, expiresAtMs }: Standing<Ending>, done: LettersDone<Kind>): string {
  const { subject, endings } = invitation;
  if (!isOpen(state)) return `${subject}: ${endings[state]}`;
  const expiry = `It expires at ${timeText(expiresAtMs)}.`;
  if (state === 'paused') return `${subject} waits: ${invitation.paused}. ${expiry}`;
  return Object.keys(done).length === 0 ? `${subject} is being sent. ${expiry}` : `${subject} ${invitation.sent(done)}. ${expiry}`;
}

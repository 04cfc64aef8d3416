import { ActivityFailure, condition, isCancellation, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { look } from './contract';
import { institutionNowMs } from './institutionNow';
import { setOutcome } from './setOutcome';
import { onEmailsQueue } from './taskQueues';
import { shouldContinueAsNew } from './shouldContinueAsNew';

/** When each email was sent or refused, by the clock of the institution, in ms; passed on when a run continues as a new one. */
export type EmailTimes<Kind extends string> = Partial<Record<Kind, number>>;

/** The outcome of an invitation, shown as its workflow's result. */
export interface InvitationResult<Ending extends string> {
  outcome: Ending;
  letters: number;
}

interface InvitationStatus<Ending extends string> {
  state: 'open' | 'paused' | Ending;
  expiresAtMs: number;
  clockOffsetMs?: number;
}

/** What the workflow of an invitation does and shows; `Ending` is how it may end. */
interface Invitation<Kind extends string, Ending extends string> {
  /** The invitation, for the details in the Web UI. */
  subject: string;
  /** Reads the invitation's state. */
  readStatus(): Promise<InvitationStatus<Ending>>;
  /** Sends an email; fails if the mail server, or a worker, is still unavailable after this time, in ms. */
  send(kind: Kind, withinMs: number): Promise<'sent' | 'refused' | 'not_now'>;
  /** The emails in order: the first is sent immediately, the others this long after it. */
  emails: readonly { kind: Kind; afterMs: number }[];
  endingTexts: Record<Ending, string>;
  /** What the workflow waits for, and the sentences that describe it. */
  waitReasons: Record<'open' | 'paused', string>;
  pausedText: string;
  sentText(times: EmailTimes<Kind>): string;
}

/** How often a paused invitation is checked. */
const pausedWaitMs = 3_600_000;
const minWaitMs = 1_000;

const retry = { initialInterval: '5 seconds', maximumInterval: '10 minutes' } as const;

/** The options for reading the state. */
export const readStatusOptions = { startToCloseTimeout: '15 seconds', retry } as const;

/** Returns the options for sending an email within a time; heartbeats detect a killed worker soon. */
export const sendEmailOptions = (ms: number) =>
  ({ ...onEmailsQueue(), startToCloseTimeout: '5 minutes', scheduleToCloseTimeout: Math.max(ms, minWaitMs), heartbeatTimeout: '10 seconds', retry }) as const;

export const formatTime = (ms: number): string => new Date(ms).toISOString();

/**
 * Sends the emails of an invitation, each when due, until the invitation has ended; counts into `done`. While it is paused
 * its emails wait. Undefined if the run has become so long that the workflow must continue as a new one with `done`.
 */
export async function runInvitation<Kind extends string, Ending extends string>(
  invitation: Invitation<Kind, Ending>,
  done: EmailTimes<Kind>,
): Promise<InvitationResult<Ending> | undefined> {
  const received = { look: false };
  setHandler(look, () => {
    received.look = true;
  });
  for (;;) {
    received.look = false;
    const status = await invitation.readStatus();
    const { state, expiresAtMs } = status;
    setCurrentDetails(describeStatus(invitation, status, done));
    if (!isOpen(state)) {
      setOutcome(state);
      return { outcome: state, letters: Object.keys(done).length };
    }
    if (shouldContinueAsNew()) return undefined;
    const next = nextEmail(invitation, done);
    if (state === 'open' && next !== undefined && institutionNowMs(status) >= next.dueMs) {
      if (await trySend(invitation, next.kind, status)) done[next.kind] = institutionNowMs(status);
      continue;
    }
    const nowMs = institutionNowMs(status);
    const untilMs = state === 'paused' ? nowMs + pausedWaitMs : (next?.dueMs ?? expiresAtMs);
    await condition(() => received.look, Math.max(minWaitMs, Math.min(untilMs, expiresAtMs) - nowMs), { summary: invitation.waitReasons[state] });
  }
}

const isOpen = (state: string): state is 'open' | 'paused' => state === 'open' || state === 'paused';

/** Returns the next email and when it is due; undefined when all are sent. */
function nextEmail<Kind extends string>({ emails }: Pick<Invitation<Kind, string>, 'emails'>, done: EmailTimes<Kind>): { kind: Kind; dueMs: number } | undefined {
  const next = emails.find(({ kind }) => done[kind] === undefined);
  const first = emails[0] && done[emails[0].kind];
  return next && { kind: next.kind, dueMs: first === undefined ? 0 : first + next.afterMs };
}

/** Tries to send an email; returns whether it is finished. */
async function trySend<Kind extends string, Ending extends string>(invitation: Invitation<Kind, Ending>, kind: Kind, status: InvitationStatus<Ending>): Promise<boolean> {
  try {
    return (await invitation.send(kind, status.expiresAtMs - institutionNowMs(status))) !== 'not_now';
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    return false;
  }
}

function describeStatus<Kind extends string, Ending extends string>(invitation: Invitation<Kind, Ending>, { state, expiresAtMs }: InvitationStatus<Ending>, done: EmailTimes<Kind>): string {
  const { subject, endingTexts } = invitation;
  if (!isOpen(state)) return `${subject}: ${endingTexts[state]}`;
  const expiry = `It expires at ${formatTime(expiresAtMs)}.`;
  if (state === 'paused') return `${subject} waits: ${invitation.pausedText}. ${expiry}`;
  return Object.keys(done).length === 0 ? `${subject} is being sent. ${expiry}` : `${subject} ${invitation.sentText(done)}. ${expiry}`;
}

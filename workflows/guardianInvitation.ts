import { ActivityFailure, condition, continueAsNew, isCancellation, proxyActivities, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { InvitationActivities, InvitationStanding } from '../activities/guardians/invite';
import type { InvitationLetterKind } from '../domain/guardians/invitationLetter';
import type { InvitationEnding, InvitationState } from '../domain/guardians/invitationStanding';
import type { WorkflowArguments } from '../domain/owed/workflows';
import { look, searchAttributes } from './contract';
import { isLong } from './runLength';

type InvitationRun = WorkflowArguments['guardianInvitation'];

/** When each letter was sent or refused, in ms; what a run hands on when it continues as a new one. */
type LettersDone = Partial<Record<InvitationLetterKind, number>>;

/** What an invitation came to, as the workflow's result shows it. */
export interface InvitationResult {
  outcome: InvitationEnding;
  letters: number;
}

const hourMs = 3_600_000;
/** A guardian who has not signed in so long after the first letter is reminded. */
const remindedAfterMs = 3 * 24 * hourMs;
/** What is paused is looked at again after so long. */
const pausedWaitMs = hourMs;
const shortestWaitMs = 1_000;

const retry = { initialInterval: '5 seconds', maximumInterval: '10 minutes' } as const;

const { lookAtInvitation } = proxyActivities<InvitationActivities>({ startToCloseTimeout: '15 seconds', retry });

/** Fails when the invitation expires while the mail server, or a worker, is still away. */
const sendWithin = (ms: number) =>
  proxyActivities<InvitationActivities>({
    startToCloseTimeout: '5 minutes',
    scheduleToCloseTimeout: Math.max(ms, shortestWaitMs),
    heartbeatTimeout: '10 seconds',
    retry,
  }).sendInvitation;

/**
 * Sends the invitation of a guardian, reminds them after three days, and ends when they have signed in, when the invitation
 * has expired or a newer one has taken its place, or when the link is deleted. While institution or student are suspended,
 * its letters wait.
 */
export async function guardianInvitation(run: InvitationRun, before: LettersDone = {}): Promise<InvitationResult> {
  const heard = { look: false };
  setHandler(look, () => {
    heard.look = true;
  });
  let done = before;
  for (;;) {
    heard.look = false;
    const standing = await lookAtInvitation(run, Date.now());
    const { state } = standing;
    setCurrentDetails(sentence(run, standing, done));
    if (isEnding(state)) {
      upsertSearchAttributes([{ key: searchAttributes.outcome, value: state }]);
      return { outcome: state, letters: Object.keys(done).length };
    }
    if (isLong()) return continueAsNew<typeof guardianInvitation>(run, done);
    const letter = state === 'open' ? dueLetter(done) : undefined;
    if (letter === undefined) await condition(() => heard.look, waitMs(standing, done), { summary: waits[state] });
    else if (await send(run, letter, standing)) done = { ...done, [letter]: Date.now() };
  }
}

function dueLetter({ invitation, reminder }: LettersDone): InvitationLetterKind | undefined {
  if (invitation === undefined) return 'invitation';
  return reminder === undefined && Date.now() >= invitation + remindedAfterMs ? 'reminder' : undefined;
}

/** Whether there is nothing further to do for a letter. */
async function send(run: InvitationRun, letter: InvitationLetterKind, { expiresAtMs }: InvitationStanding): Promise<boolean> {
  try {
    return (await sendWithin(expiresAtMs - Date.now())(run, letter, Date.now())) !== 'not_now';
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    return false;
  }
}

function waitMs({ state, expiresAtMs }: InvitationStanding, { invitation, reminder }: LettersDone): number {
  const reminderAtMs = invitation === undefined || reminder !== undefined ? expiresAtMs : invitation + remindedAfterMs;
  const untilMs = state === 'paused' ? Date.now() + pausedWaitMs : reminderAtMs;
  return Math.max(shortestWaitMs, Math.min(untilMs, expiresAtMs) - Date.now());
}

const endings: Record<InvitationEnding, string> = {
  verified: 'The guardian has signed in.',
  expired: 'It has expired; it can be sent again.',
  replaced: 'A newer invitation has taken its place.',
  deleted: 'The link was deleted.',
};

const isEnding = (state: InvitationState): state is InvitationEnding => Object.hasOwn(endings, state);

const waits: Record<Exclude<InvitationState, InvitationEnding>, string> = {
  open: 'the guardian to sign in',
  paused: 'institution and student to be active again',
};

const timeText = (ms: number): string => new Date(ms).toISOString();

function sentence({ linkId, invitation }: InvitationRun, { state, expiresAtMs }: InvitationStanding, done: LettersDone): string {
  const subject = `Invitation ${invitation} of \`${linkId}\``;
  if (isEnding(state)) return `${subject}: ${endings[state]}`;
  const expiry = `It expires at ${timeText(expiresAtMs)}.`;
  if (state === 'paused') return `${subject} waits: the institution or the student is suspended. ${expiry}`;
  if (done.invitation === undefined) return `${subject} is being sent. ${expiry}`;
  const reminder = done.reminder === undefined ? `reminder at ${timeText(done.invitation + remindedAfterMs)}` : `reminder at ${timeText(done.reminder)}`;
  return `${subject} is with the guardian: letter at ${timeText(done.invitation)}, ${reminder}. ${expiry}`;
}

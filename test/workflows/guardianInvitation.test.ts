import { createInvitationActivities } from '../../activities/guardians/invite';
import { acceptInvitation } from '../../domain/guardians/acceptInvitation';
import { invitationToken } from '../../domain/guardians/invitation';
import { removeGuardian } from '../../domain/guardians/removeGuardian';
import { resendInvitation } from '../../domain/guardians/resendInvitation';
import { verifyLinks } from '../../domain/guardians/verifyLinks';
import { guardianInvitationWorkflowId } from '../../domain/outbox/workflows';
import { look, searchAttributes } from '../../workflows/contract';
import type { guardianInvitation } from '../../workflows/guardianInvitation';
import { eventually } from '../support/eventually';
import { newGuardianEmail, inviteGuardian } from '../support/guardians';
import { historyText, recordHistory } from '../support/histories';
import { workflowFixture } from '../support/workflowFixture';

const taskQueue = 'guardian-invitations';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** When each email was requested, by the workflow's time. */
const asked: { email: string; at: number }[] = [];
const fixture = workflowFixture({ time: 'skipping', taskQueue, activities: ({ domain, mailer }) => {
  const activities = createInvitationActivities(domain, mailer, 'https://portal.example/guardians');
  const sendInvitation: typeof activities.sendInvitation = (run, email, nowMs) => {
    asked.push({ email, at: nowMs });
    return activities.sendInvitation(run, email, nowMs);
  };
  return { ...activities, sendInvitation };
} });
const { api, institution, sql, setInvitedNow, now, command, messageIdsTo } = fixture;

beforeEach(() => {
  asked.length = 0;
});

interface Invited {
  linkId: string;
  studentId: string;
  address: string;
}

/** A guardian who is invited now, by the workflows' time, for 14 days. */
async function invited(): Promise<Invited> {
  const { data: student } = await api.call('POST', '/students', { key: institution.apiKey, body: {} });
  const address = newGuardianEmail();
  const { data } = await inviteGuardian(api, institution, student.id, address);
  await setInvitedNow('guardian_links', data.id, 14);
  return { linkId: data.id, studentId: student.id, address };
}

const start = (linkId: string, invitation = 1) =>
  fixture.environment.client.workflow.start<typeof guardianInvitation>('guardianInvitation', {
    taskQueue,
    workflowId: guardianInvitationWorkflowId(linkId, invitation),
    args: [{ linkId, institutionId: institution.id, invitation }],
  });

const sentEmail = ({ linkId }: Invited, kind: string, nth = 1) => `<${linkId}.${nth}.${kind}@${institution.loginDomain}>`;
const expiryOf = async (linkId: string) => (await sql<{ expires_at: Date }>('SELECT expires_at FROM guardian_links WHERE id = $1', [linkId]))[0]?.expires_at.getTime() ?? 0;

const accept = async ({ linkId }: Invited) =>
  acceptInvitation(api.api.domain, invitationToken(api.api.domain.secrets, { linkId, invitation: 1 }), await now());
const verify = async ({ linkId }: Invited) => {
  const [row] = await sql<{ guardian_id: string }>('SELECT guardian_id FROM guardian_links WHERE id = $1', [linkId]);
  await command((tx) => verifyLinks(tx, row?.guardian_id ?? ''));
};

it('sends the email at once, a reminder after 3 days, and ends when the invitation expires after 14', async () => {
  const one = await invited();
  const begun = (await now()).getTime();
  const run = await start(one.linkId);
  expect(await run.result()).toEqual({ outcome: 'expired', letters: 2 });
  expect(messageIdsTo(one.address)).toEqual([sentEmail(one, 'invitation'), sentEmail(one, 'reminder')]);
  const [first = 0, second = 0] = asked.map(({ at }) => at);
  expect(first - begun).toBeLessThan(hourMs);
  expect(second - first).toBeGreaterThanOrEqual(3 * dayMs);
  expect(second - first).toBeLessThan(3 * dayMs + 60_000);
  const ended = (await run.describe()).closeTime?.getTime() ?? 0;
  expect(ended - (await expiryOf(one.linkId))).toBeGreaterThanOrEqual(0);
  expect(ended - (await expiryOf(one.linkId))).toBeLessThan(60_000);
  expect((await run.describe()).typedSearchAttributes.get(searchAttributes.outcome)).toBe('expired');
  expect(await historyText(run)).not.toMatch(/mail\.example|token|portal/);
  await recordHistory('guardianInvitation.expired', run);
});

it('ends at once when the guardian signs in', async () => {
  const one = await invited();
  const run = await start(one.linkId);
  await fixture.environment.sleep('1 day');
  await accept(one);
  await verify(one);
  await run.signal(look, {});
  expect(await run.result()).toEqual({ outcome: 'verified', letters: 1 });
  expect(((await run.describe()).closeTime?.getTime() ?? 0) - (asked[0]?.at ?? 0)).toBeLessThan(2 * dayMs);
});

it('reminds nobody who has signed in, though it got no signal', async () => {
  const one = await invited();
  const run = await start(one.linkId);
  await fixture.environment.sleep('1 day');
  await accept(one);
  await verify(one);
  expect(await run.result()).toEqual({ outcome: 'verified', letters: 1 });
  expect(messageIdsTo(one.address)).toEqual([sentEmail(one, 'invitation')]);
});

it('reminds a guardian who has accepted and not signed in', async () => {
  const one = await invited();
  const run = await start(one.linkId);
  await fixture.environment.sleep('1 day');
  await accept(one);
  await run.signal(look, {});
  expect(await run.result()).toEqual({ outcome: 'expired', letters: 2 });
  expect(messageIdsTo(one.address)).toHaveLength(2);
});

it('ends when the link is deleted in the middle', async () => {
  const one = await invited();
  const run = await start(one.linkId);
  await fixture.environment.sleep('1 day');
  await command((tx) => removeGuardian(tx, one.linkId));
  await run.signal(look, {});
  expect(await run.result()).toEqual({ outcome: 'deleted', letters: 1 });
  await recordHistory('guardianInvitation.deleted', run);
});

it('sends no email of a link that was deleted before it was due', async () => {
  const one = await invited();
  await command((tx) => removeGuardian(tx, one.linkId));
  expect(await (await start(one.linkId)).result()).toEqual({ outcome: 'deleted', letters: 0 });
  expect(messageIdsTo(one.address)).toEqual([]);
});

it('a new invitation after the expiry is a new run, with its own emails', async () => {
  const one = await invited();
  expect(await (await start(one.linkId)).result()).toMatchObject({ outcome: 'expired' });
  await command((tx) => resendInvitation(tx, one.linkId));
  const run = await start(one.linkId, 2);
  await fixture.environment.sleep('1 hour');
  expect(messageIdsTo(one.address).at(-1)).toBe(sentEmail(one, 'invitation', 2));
  expect(await run.result()).toEqual({ outcome: 'expired', letters: 2 });
  expect(messageIdsTo(one.address)).toEqual([sentEmail(one, 'invitation'), sentEmail(one, 'reminder'), sentEmail(one, 'invitation', 2), sentEmail(one, 'reminder', 2)]);
});

it('a new invitation before the expiry ends the run of the one before, which reminds nobody', async () => {
  const one = await invited();
  const first = await start(one.linkId);
  await fixture.environment.sleep('2 days');
  await command((tx) => resendInvitation(tx, one.linkId));
  await first.signal(look, {});
  // Without `result`, which would let the time run on to the end of the run that is over.
  await eventually('the first run over', async () => (await first.describe()).status.name === 'COMPLETED');
  const second = await start(one.linkId, 2);
  expect(await first.result()).toEqual({ outcome: 'replaced', letters: 1 });
  expect(await second.result()).toEqual({ outcome: 'expired', letters: 2 });
  expect(messageIdsTo(one.address)).not.toContain(sentEmail(one, 'reminder'));
});

describe.each<[what: string, stop: (one: Invited) => Promise<unknown>, goOn: (one: Invited) => Promise<unknown>]>([
  ['the institution', () => sql("UPDATE institutions SET status = 'suspended' WHERE id = $1", [institution.id]), () => sql("UPDATE institutions SET status = 'approved' WHERE id = $1", [institution.id])],
  [
    'the student',
    ({ studentId }) => sql("UPDATE users SET status = 'suspended' WHERE id = $1", [studentId]),
    ({ studentId }) => sql("UPDATE users SET status = 'active' WHERE id = $1", [studentId]),
  ],
])('while %s is suspended', (_what, stop, goOn) => {
  it('the email waits, and is sent within the hour once that is over', async () => {
    const one = await invited();
    await stop(one);
    const run = await start(one.linkId);
    await fixture.environment.sleep('2 days');
    expect(messageIdsTo(one.address)).toEqual([]);
    await goOn(one);
    const begun = (await now()).getTime();
    await fixture.environment.sleep('2 hours');
    expect(messageIdsTo(one.address)).toEqual([sentEmail(one, 'invitation')]);
    expect((asked[0]?.at ?? 0) - begun).toBeLessThan(1.1 * hourMs);
    expect(await run.result()).toEqual({ outcome: 'expired', letters: 2 });
  });
});

it('an invitation that waits for its institution expires all the same', async () => {
  const one = await invited();
  await sql("UPDATE institutions SET status = 'suspended' WHERE id = $1", [institution.id]);
  expect(await (await start(one.linkId)).result()).toEqual({ outcome: 'expired', letters: 0 });
  expect(messageIdsTo(one.address)).toEqual([]);
});

it('a mail server that is away for days is waited for, and the reminder comes 3 days after the email', async () => {
  const one = await invited();
  await fixture.mailServer.close();
  const run = await start(one.linkId);
  await fixture.environment.sleep('4 days');
  await fixture.mailServer.open();
  await fixture.environment.sleep('1 hour');
  expect(messageIdsTo(one.address)).toEqual([sentEmail(one, 'invitation')]);
  const sent = (await now()).getTime();
  expect(await run.result()).toEqual({ outcome: 'expired', letters: 2 });
  expect((asked.at(-1)?.at ?? 0) - sent).toBeGreaterThan(2 * dayMs);
});

it('an address that the mail server refuses permanently is tried once per email', async () => {
  const one = await invited();
  fixture.mailServer.replyCode = () => 550;
  expect(await (await start(one.linkId)).result()).toEqual({ outcome: 'expired', letters: 2 });
  expect(fixture.mailServer.recipientCounts.get(one.address)).toBe(2);
});

it('an address that the mail server puts off is asked until it is taken, and no history holds it', async () => {
  const one = await invited();
  fixture.mailServer.replyCode = (_to, nth) => (nth <= 5 ? 451 : 250);
  const run = await start(one.linkId);
  expect(await run.result()).toEqual({ outcome: 'expired', letters: 2 });
  expect([fixture.mailServer.recipientCounts.get(one.address), messageIdsTo(one.address).length]).toEqual([7, 2]);
  expect(await historyText(run)).not.toContain('mail.example');
});

it('hands over to a new run what it has sent', async () => {
  const one = await invited();
  const day = (await now()).getTime();
  const run = await fixture.environment.client.workflow.start<typeof guardianInvitation>('guardianInvitation', {
    taskQueue,
    workflowId: guardianInvitationWorkflowId(one.linkId, 1),
    args: [{ linkId: one.linkId, institutionId: institution.id, invitation: 1 }, { invitation: day }],
  });
  expect(await run.result()).toEqual({ outcome: 'expired', letters: 2 });
  expect(messageIdsTo(one.address)).toEqual([sentEmail(one, 'reminder')]);
});

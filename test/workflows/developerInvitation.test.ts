import { createDeveloperInvitationActivities } from '../../activities/developers/invite';
import { acceptInvitation } from '../../domain/developers/acceptInvitation';
import { revokeDeveloper } from '../../domain/developers/changeStatus';
import { resendInvitation } from '../../domain/developers/resendInvitation';
import { developerInvitationWorkflowId } from '../../domain/outbox/workflows';
import { look, searchAttributes } from '../../workflows/contract';
import type { developerInvitation } from '../../workflows/developerInvitation';
import { newDeveloperEmail, developerToken, inviteDeveloper } from '../support/developers';
import { eventually } from '../support/eventually';
import { historyText, recordHistory } from '../support/histories';
import { workflowFixture } from '../support/workflowFixture';

const taskQueue = 'developer-invitations';
const dayMs = 24 * 3_600_000;

const fixture = workflowFixture({ time: 'skipping', taskQueue, activities: ({ domain, mailer }) => createDeveloperInvitationActivities(domain, mailer, 'https://portal.example') });
const { api, institution, sql, setInvitedNow, now, messageIdsTo, command } = fixture;

interface Invited {
  id: string;
  address: string;
}

/** A developer who is invited now, by the workflows' time, for 7 days. */
async function invited(): Promise<Invited> {
  const address = newDeveloperEmail();
  const { data } = await inviteDeveloper(api, institution, address);
  await setInvitedNow('developers', data.id, 7);
  return { id: data.id, address };
}

const start = (developerId: string, invitation = 1) =>
  fixture.environment.client.workflow.start<typeof developerInvitation>('developerInvitation', {
    taskQueue,
    workflowId: developerInvitationWorkflowId(developerId, invitation),
    args: [{ developerId, institutionId: institution.id, invitation }],
  });

const accept = async ({ id }: Invited, nth = 1) => acceptInvitation(api.api.domain, developerToken(api, id, nth), await now());
const email = ({ id }: Invited, nth = 1) => `<${id}.${nth}.invitation@${institution.loginDomain}>`;

// Contract: developers.invitation.valid-7-days, limits.developer-invitation.7-days
it('sends one email, and ends when the invitation expires after 7 days; then nobody can accept it', async () => {
  const begun = (await now()).getTime();
  const one = await invited();
  const run = await start(one.id);
  expect(await run.result()).toEqual({ outcome: 'expired', letters: 1 });
  expect(messageIdsTo(one.address)).toEqual([email(one)]);
  const ended = (await run.describe()).closeTime?.getTime() ?? 0;
  expect(ended - begun).toBeGreaterThanOrEqual(7 * dayMs);
  expect(ended - begun).toBeLessThan(7 * dayMs + 60_000);
  await expect(accept(one)).rejects.toMatchObject({ code: 'conflict' });
  expect((await run.describe()).typedSearchAttributes.get(searchAttributes.outcome)).toBe('expired');
  expect(await historyText(run)).not.toMatch(/mail\.example|token|portal/);
  await recordHistory('developerInvitation.expired', run);
});

it('can be accepted up to the last day', async () => {
  const one = await invited();
  const run = await start(one.id);
  await fixture.environment.sleep('6 days');
  expect((await accept(one)).status).toBe('active');
  await run.signal(look, {});
  expect(await run.result()).toEqual({ outcome: 'accepted', letters: 1 });
});

it('ends as accepted though it got no signal', async () => {
  const one = await invited();
  const run = await start(one.id);
  await fixture.environment.sleep('1 day');
  await accept(one);
  expect(await run.result()).toEqual({ outcome: 'accepted', letters: 1 });
});

it('ends when the developer is revoked, and sends no email to a developer who was revoked before it was due', async () => {
  const [one, other] = [await invited(), await invited()];
  const run = await start(one.id);
  await fixture.environment.sleep('1 day');
  await command((tx) => revokeDeveloper(tx, one.id));
  await run.signal(look, {});
  expect(await run.result()).toEqual({ outcome: 'revoked', letters: 1 });
  await command((tx) => revokeDeveloper(tx, other.id));
  expect(await (await start(other.id)).result()).toEqual({ outcome: 'revoked', letters: 0 });
  expect(messageIdsTo(other.address)).toEqual([]);
  await recordHistory('developerInvitation.revoked', run);
});

it('a new invitation ends the run of the one before, and has its own email and its own 7 days', async () => {
  const one = await invited();
  const first = await start(one.id);
  await fixture.environment.sleep('2 days');
  await command((tx) => resendInvitation(tx, institution.adminId, one.id));
  await first.signal(look, {});
  // Without `result`, which would let the time run on to the end of the run that is over.
  await eventually('the first run over', async () => (await first.describe()).status.name === 'COMPLETED');
  const begun = (await now()).getTime();
  const second = await start(one.id, 2);
  expect(await first.result()).toEqual({ outcome: 'replaced', letters: 1 });
  expect(await second.result()).toEqual({ outcome: 'expired', letters: 1 });
  expect(((await second.describe()).closeTime?.getTime() ?? 0) - begun).toBeGreaterThanOrEqual(7 * dayMs - 60_000);
  expect(messageIdsTo(one.address)).toEqual([email(one), email(one, 2)]);
});

it('while the institution is suspended its email waits, and goes out within the hour once that is over', async () => {
  const one = await invited();
  await sql("UPDATE institutions SET status = 'suspended' WHERE id = $1", [institution.id]);
  const run = await start(one.id);
  await fixture.environment.sleep('2 days');
  expect(messageIdsTo(one.address)).toEqual([]);
  await sql("UPDATE institutions SET status = 'approved' WHERE id = $1", [institution.id]);
  await fixture.environment.sleep('2 hours');
  expect(messageIdsTo(one.address)).toEqual([email(one)]);
  expect(await run.result()).toEqual({ outcome: 'expired', letters: 1 });
});

it('a mail server that is away for days is waited for, one that refuses permanently is asked once, and no history holds the address', async () => {
  const [one, other] = [await invited(), await invited()];
  await fixture.mailServer.close();
  const run = await start(one.id);
  await fixture.environment.sleep('3 days');
  await fixture.mailServer.open();
  await fixture.environment.sleep('1 hour');
  expect(messageIdsTo(one.address)).toEqual([email(one)]);
  expect(await run.result()).toEqual({ outcome: 'expired', letters: 1 });
  expect(await historyText(run)).not.toContain('mail.example');
  fixture.mailServer.replyCode = () => 550;
  await sql('UPDATE developers SET expires_at = $2 WHERE user_id = $1', [other.id, new Date((await now()).getTime() + 7 * dayMs)]);
  expect(await (await start(other.id)).result()).toEqual({ outcome: 'expired', letters: 1 });
  expect(fixture.mailServer.recipientCounts.get(other.address)).toBe(1);
});
